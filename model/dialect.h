// Dialect: the versions of the TOSA dialect that Tosaic writes, one row each in dialect.cpp, and what differs between
// them beside the ops' names and element types (op_catalogue.h). What one cannot say is in support_table.h.
#ifndef TOSAIC_MODEL_DIALECT_H_
#define TOSAIC_MODEL_DIALECT_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/element_type.h"

namespace tosaic {

// By the MLIR that it is described from.
enum class Dialect : uint8_t { k16, k19, k22 };

// The dialect of case files and of the op catalogue: its names are the names. Others say how they differ.
inline constexpr Dialect kCanonicalDialect = Dialect::k22;

struct DialectInfo {
  Dialect dialect;
  int version;                           // major version of that MLIR
  absl::string_view constant_values;     // the attribute of tosa.const that holds the elements
  bool special_operands = true;          // mul's shift and negate's zero points are operands, else attributes
  ElementType shift = ElementType::kI8;  // of mul's shift
  bool typed_bounds = true;  // clamp: min_val and max_val of the input's type, else min_int, max_int, min_fp and max_fp
  bool nan_mode = true;      // clamp, maximum and minimum have a nan_mode, else they propagate
  bool equal_rank = true;    // the op verifier asks for one rank, else ranks are the Broadcastable trait's alone
};

absl::Span<const DialectInfo> AllDialects();
const DialectInfo& Info(Dialect dialect);

// The dialects on the way from the canonical one, which is left out, to `dialect`.
std::vector<Dialect> FromCanonical(Dialect dialect);

// The described dialect that an MLIR of another version is nearest to.
Dialect NearestDialect(int mlir_version);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_DIALECT_H_
