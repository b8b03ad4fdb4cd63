// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/dialect.h"

#include <algorithm>
#include <cstdlib>

namespace tosaic {
namespace {

struct Version {
  int version;
  void (*describe)(DialectInfo& dialect);
};

constexpr Version kVersions[] = {
#define TOSAIC_DIALECT(version) {version, DescribeMlir##version},
#include "model/dialects.def"
#undef TOSAIC_DIALECT
};

const Version& VersionOf(Dialect dialect) { return kVersions[static_cast<size_t>(dialect)]; }

DialectInfo Describe(Dialect dialect) {
  DialectInfo info;
  VersionOf(kCanonicalDialect).describe(info);
  for (const Dialect step : FromCanonical(dialect)) VersionOf(step).describe(info);
  info.dialect = dialect;
  info.version = VersionOf(dialect).version;
  return info;
}

}  // namespace

AttributeSpelling DialectInfo::Spelling(OpKind op, Attribute attribute) const {
  const std::vector<Attribute>& lacks = Op(op).lacks;
  const bool is_there = std::find(lacks.begin(), lacks.end(), attribute) == lacks.end();
  return is_there ? spellings[static_cast<size_t>(attribute)] : AttributeSpelling::kNone;
}

const OperandSpelling& DialectInfo::Spelling(OpKind op, OperandRole role) const {
  for (const auto& [other, spelling] : Op(op).operands) {
    if (other == role) return spelling;
  }
  return operands[static_cast<size_t>(role)];
}

absl::Span<const DialectInfo> AllDialects() {
  static const auto& all = *[] {
    auto* infos = new std::vector<DialectInfo>();
    for (size_t i = 0; i < std::size(kVersions); ++i) infos->push_back(Describe(static_cast<Dialect>(i)));
    return infos;
  }();
  return all;
}

const DialectInfo& Info(Dialect dialect) { return AllDialects()[static_cast<size_t>(dialect)]; }

std::vector<Dialect> FromCanonical(Dialect dialect) {
  std::vector<Dialect> way;
  const int to = static_cast<int>(dialect);
  for (int at = static_cast<int>(kCanonicalDialect); at != to;) {
    at += at < to ? 1 : -1;
    way.push_back(static_cast<Dialect>(at));
  }
  return way;
}

Dialect NearestDialect(int mlir_version) {
  const DialectInfo* nearest = &AllDialects()[0];
  for (const DialectInfo& info : AllDialects()) {
    if (std::abs(info.version - mlir_version) < std::abs(nearest->version - mlir_version)) nearest = &info;
  }
  return nearest->dialect;
}

}  // namespace tosaic
