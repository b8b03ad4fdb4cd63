#include "model/support_table.h"

#include <cstddef>

namespace tosaic {
namespace {

constexpr int kAnyVersion = 1000;

bool IsUnranked(const Program& program, const OpApplication& op) {
  for (const TensorType& type : OperandTypes(program, op)) {
    if (!type.shape.IsRanked()) return true;
  }
  return !op.result.shape.IsRanked();
}

bool IsBeyondSpec(const Program& program, const OpApplication& op) {
  return FindSpecTuple(Info(op.op), InputElementType(program, op), op.result.element_type) == nullptr;
}

bool UsesFp8(const Program& program, const OpApplication& op) {
  return IsFp8(InputElementType(program, op)) || IsFp8(op.result.element_type);
}

constexpr SupportEntry kTable[] = {
    {"support.unranked", 0, kAnyVersion, "unranked tensors are not lowered",
     "RFC, Lowering strategy: any legal form \"with the exception of unranked tensors\"", IsUnranked},
    {"support.special-operand", 20, kAnyVersion,
     "mul's shift and negate's zero points must be compile-time constants; the op verifier lets others pass",
     "tosa-semantics.md, Where the two verifiers stand", HasSpecialOperandAtRunTime},
    {"support.beyond-spec", 0, kAnyVersion, "element types that the specification lacks need not be lowered",
     "DESIGN.md, Inside and beyond the specification", IsBeyondSpec},
    {"support.fp8", 0, kAnyVersion, "f8E4M3FN and f8E5M2 are an extension that a toolchain may decline",
     "tosa-semantics.md, cast: EXT-FP8E4M3 and EXT-FP8E5M2", UsesFp8},
};

}  // namespace

absl::Span<const SupportEntry> SupportTable() { return kTable; }

const SupportEntry* FindSupportEntry(const Program& program, int mlir_version) {
  for (const SupportEntry& entry : kTable) {
    if (mlir_version < entry.first_version || mlir_version > entry.last_version) continue;
    for (const OpApplication& op : program.ops) {
      if (entry.covers(program, op)) return &entry;
    }
  }
  return nullptr;
}

}  // namespace tosaic
