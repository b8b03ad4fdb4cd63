#include "model/dialect.h"

#include <cstddef>
#include <cstdlib>

namespace tosaic {
namespace {

// From TosaOps.td and TosaTypesBase.td of each version; mlir-opt-16 (16.0.6), mlir-opt-19 (19.1.7) and mlir-opt-22
// (22.1.8) were asked as well.
constexpr DialectInfo kDialects[] = {
    {.dialect = Dialect::k16,
     .version = 16,
     .constant_values = "value",
     .special_operands = false,
     .shift = ElementType::kI32,
     .typed_bounds = false,
     .nan_mode = false,
     .equal_rank = false},
    {.dialect = Dialect::k19,
     .version = 19,
     .constant_values = "value",
     .special_operands = false,
     .typed_bounds = false,
     .nan_mode = false,
     .equal_rank = false},
    {.dialect = Dialect::k22, .version = 22, .constant_values = "values"},
};

}  // namespace

absl::Span<const DialectInfo> AllDialects() { return kDialects; }

const DialectInfo& Info(Dialect dialect) { return kDialects[static_cast<size_t>(dialect)]; }

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
  const DialectInfo* nearest = &kDialects[0];
  for (const DialectInfo& info : kDialects) {
    if (std::abs(info.version - mlir_version) < std::abs(nearest->version - mlir_version)) nearest = &info;
  }
  return nearest->dialect;
}

}  // namespace tosaic
