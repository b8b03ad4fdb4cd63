// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/dialect_names.h"

#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "model/mlir_text.h"
#include "toolchain/mlir/attribute_import.h"

namespace tosaic {
namespace {

// The attributes that an op has in a dialect.
std::vector<std::string> AttributeNames(const OpInfo& op, const DialectInfo& dialect) {
  std::vector<std::string> names;
  for (const Attribute attribute : op.attributes) {
    const AttributeInfo& info = Info(attribute);
    switch (dialect.Spelling(op.kind, attribute)) {
      case AttributeSpelling::kAttribute:
      case AttributeSpelling::kQuoted:
        names.emplace_back(info.name);
        break;
      case AttributeSpelling::kUntyped:
        for (const char* kind : {"_int", "_fp"}) names.push_back(absl::StrCat(info.untyped_name, kind));
        break;
      case AttributeSpelling::kFlag:
        names.emplace_back(info.flag_name);
        break;
      case AttributeSpelling::kOperand:
      case AttributeSpelling::kNone:
        break;
    }
  }
  for (const OperandRole role : op.operands.subspan(WrittenOperandCount(op, dialect))) {
    names.emplace_back(dialect.Spelling(op.kind, role).attribute);
  }
  return names;
}

// Whether the text could as well have no such attribute: versions without the attribute do the same.
bool SaysNothing(const OpInfo& op, const mlir::NamedAttribute& attribute) {
  bool says_nothing = false;
  const auto compare = [&](const AttributeInfo& info, const std::string& absent) {
    const bool may_lack = PresenceIn(op, info.attribute) == AttributePresence::kOptional &&
                          attribute.getName() == absl::StrCat(info.name);
    says_nothing |= may_lack && TextOf(attribute.getValue()) == absent;
  };
  const Attributes any;
  ForEachAttribute(any, ByKind{[&](const AttributeInfo& info, const std::optional<bool>&) { compare(info, "false"); },
                               [&]<NamedEnum E>(const AttributeInfo& info, const std::optional<E>&) {
                                 compare(info, EnumText(info, E()));
                               },
                               [](const AttributeInfo&, const auto&) {}});
  return says_nothing;
}

}  // namespace

std::optional<OpKind> FindOpOf(const DialectInfo& dialect, absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "tosa.")) return std::nullopt;
  for (const OpInfo& op : AllOps()) {
    if (dialect.Op(op.kind).name == name) return op.kind;
  }
  return std::nullopt;
}

std::vector<const DialectInfo*> FromNearest(const DialectInfo& version) {
  std::vector<const DialectInfo*> versions;
  for (const DialectInfo& dialect : AllDialects()) versions.push_back(&dialect);
  absl::c_sort(versions, [&](const DialectInfo* a, const DialectInfo* b) {
    const auto place = [&](int number) { return std::pair(std::abs(number - version.version), number); };
    return place(a->version) < place(b->version);
  });
  return versions;
}

std::optional<OpKind> FindOpOfAny(absl::string_view name) {
  for (const DialectInfo& version : AllDialects()) {
    if (const std::optional<OpKind> kind = FindOpOf(version, name)) return kind;
  }
  return std::nullopt;
}

std::string WhyOtherAttributes(mlir::Operation& op, const OpInfo& row, const DialectInfo& dialect) {
  std::vector<std::string> there;
  const auto properties = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(op.getPropertiesAsAttribute());
  for (const mlir::DictionaryAttr attributes : {op.getAttrDictionary(), properties}) {
    if (!attributes) continue;
    for (const mlir::NamedAttribute& attribute : attributes) {
      if (!SaysNothing(row, attribute)) there.push_back(attribute.getName().str());
    }
  }
  const std::vector<std::string> own = AttributeNames(row, dialect);
  for (const std::string& name : there) {
    if (absl::StrContains(name, '.') || absl::c_linear_search(own, name)) continue;
    const std::string has = absl::StrCat(op.getName().getStringRef().str(), " has '", name, "', ");
    for (const DialectInfo* other : FromNearest(dialect)) {
      if (!absl::c_linear_search(AttributeNames(row, *other), name)) continue;
      return absl::StrCat(has, "as MLIR ", other->version, " spells it, and MLIR ", dialect.version, " does not");
    }
    return absl::StrCat(has, "which is no attribute that it has in MLIR ", dialect.version);
  }
  return "";
}

std::string WhyUnknown(const DialectInfo& dialect, absl::string_view name) {
  for (const DialectInfo& other : AllDialects()) {
    const std::optional<OpKind> op = FindOpOf(other, name);
    if (!op) continue;
    const absl::string_view own = dialect.Op(*op).name;
    return absl::StrCat("uses ", name, ", as MLIR ", other.version, " spells it; MLIR ", dialect.version,
                        own.empty() ? " has no such op" : absl::StrCat(" has tosa.", own));
  }
  return absl::StrCat("uses ", name);
}

}  // namespace tosaic
