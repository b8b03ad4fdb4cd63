// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/diagnostic_category.h"

#include <cstddef>

namespace tosaic {
namespace {

struct Row {
  absl::string_view pattern;  // pieces in this order, with anything in place of `*`
  Category category;
};

// The first row that fits counts. A text that names the type it got (ODS constraints) serves element types and sizes of
// 0 alike: the type decides.
constexpr Row kTable[] = {
    // ODS constraints and traits of the op verifier.
    {"op expected * operands, but found", Category::kOperandCount},
    {"op requires a single operand", Category::kOperandCount},
    {"op requires one result", Category::kOperandCount},
    {"tosa-conformant scalar tensor of", Category::kSpecialOperand},
    {"must be tosa-conformant*but got 'tensor<0x", Category::kDimensionSize},
    {"must be tosa-conformant*but got 'tensor<*x0x", Category::kDimensionSize},
    {"must be tosa-conformant", Category::kElementType},
    // The same of MLIR 16 and 19, whose tensors may have dimensions of 0.
    {"must be tensor of", Category::kElementType},
    {"op input/output element types are incompatible", Category::kElementType},
    {"inferred type(s) '*are incompatible with return type(s)", Category::kResultIncompatible},
    {"requires the same element type for all operands", Category::kElementType},
    {"requires the same shape for all operands and results", Category::kResultIncompatible},
    {"requires attribute '", Category::kAttribute},
    {"attribute '*failed to satisfy constraint", Category::kAttribute},
    {"operands don't have matching ranks", Category::kRank},
    {"result type has different rank than", Category::kRank},
    {"operands don't have broadcast-compatible shapes", Category::kNotBroadcastable},
    {"result type '*not broadcast compatible with broadcasted operands", Category::kResultIncompatible},
    {"expected output shape * to be compatible with inferred shape", Category::kResultIncompatible},
    {"cannot broadcast vector with tensor", Category::kContainer},
    // Verifiers of single ops.
    {"input and output to have same element type", Category::kElementType},
    {"invalid data type size for operands or result", Category::kElementType},
    {"requires non-block-scaled element type to be floating-point", Category::kElementType},
    {"requires exactly one of input or output to have block scaled", Category::kElementType},
    {"requires the same shape for input1 and output", Category::kResultIncompatible},
    {"input1 and output to have the same ranks", Category::kRank},
    {"zero point are the same element type", Category::kSpecialOperand},
    {"zero point must be zero", Category::kZeroPoint},
    {"min/max attributes", Category::kAttribute},
    {"expected min_val <= max_val", Category::kAttribute},
    {"require shift to be 0 for float type", Category::kShift},
    {"requires shift = 0 for all input data types that are not int32_t", Category::kShift},
    {"requires 0 <= shift", Category::kShift},
    {"cannot reshape", Category::kResultIncompatible},
    {"new shape", Category::kResultIncompatible},
    {"inferable dimension (-1)", Category::kResultIncompatible},
    {"expected at most one target dimension to be -1", Category::kResultIncompatible},
    {"result*doesn't match*input", Category::kResultIncompatible},
    {"input tensor rank to equal result tensor rank", Category::kResultIncompatible},
    {"input rank (*does not match result rank (", Category::kResultIncompatible},
    {"must be 1D tensor of", Category::kSpecialOperand},
    {"must be 1-d tosa-conformant tensor, but got 'tensor<0x", Category::kDimensionSize},
    {"must be 1-d tosa-conformant tensor", Category::kSpecialOperand},
    {"must be 1D tosa-conformant tensor of", Category::kSpecialOperand},
    {"expect i16 element type for multiplier", Category::kSpecialOperand},
    {"expect i32 element type for multiplier", Category::kSpecialOperand},
    {"expect shape of {", Category::kSpecialOperand},
    {"at least rank 1 when per_channel", Category::kSpecialOperand},
    {"_zp to both be integer of the same bitwidth", Category::kSpecialOperand},
    {"to have integer element type, got", Category::kElementType},
    {"expect input_zp of 0", Category::kZeroPoint},
    {"expect output_zp of 0", Category::kZeroPoint},
    // The same with strict alignment.
    {"cannot be both unsigned", Category::kAttribute},
    {"type is not allowed with unsigned", Category::kAttribute},
    {"type cannot be unsigned", Category::kAttribute},
    {"scale32 is not allowed with 48-bit input", Category::kAttribute},
    {"DOUBLE_ROUND is only allowed with scale32=true", Category::kAttribute},
    {"requires table size of", Category::kSpecialOperand},
    {"failed attribute check:*requires extension", Category::kProfile},
    // tosa-validate.
    {"use of extension '*requires any of profiles", Category::kProfile},
    {"failed level check: unranked tensor", Category::kUnranked},
    {"failed level check:*cannot be dynamic", Category::kDynamic},
    {"failed level check:", Category::kLevel},
    {"expected compile time resolvable constant", Category::kConstantOperand},
    {"did not align with any profile or extension", Category::kElementType},
    {"is not profile-aligned: element type", Category::kElementType},
    {"illegal: requires specification version", Category::kSpecificationVersion},
    {"illegal: requires", Category::kProfile},
    {"illegal: the target specification version", Category::kSpecificationVersion},
};

bool Fits(absl::string_view text, absl::string_view pattern) {
  size_t at = 0;
  while (!pattern.empty()) {
    const size_t star = pattern.find('*');
    const absl::string_view piece = pattern.substr(0, star);
    const size_t found = text.find(piece, at);
    if (found == absl::string_view::npos) return false;
    at = found + piece.size();
    pattern.remove_prefix(star == absl::string_view::npos ? pattern.size() : star + 1);
  }
  return true;
}

}  // namespace

Category CategoryOf(absl::string_view diagnostic) {
  for (const Row& row : kTable) {
    if (Fits(diagnostic, row.pattern)) return row.category;
  }
  return Category::kUnknown;
}

}  // namespace tosaic
