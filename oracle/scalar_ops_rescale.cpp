// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE: an integer less its zero point, scaled, with another zero point, limited to the result's type.
#include "oracle/scalar_ops.h"
#include "oracle/scaling.h"

namespace tosaic {
namespace {

// The attributes as values; an absent one is false.
struct Settings {
  bool scale32, input_unsigned, output_unsigned;
  RoundingMode rounding;

  explicit Settings(const Attributes& attributes)
      : scale32(HasScale32(attributes)),
        input_unsigned(attributes.input_unsigned.value_or(false)),
        output_unsigned(attributes.output_unsigned.value_or(false)),
        rounding(attributes.rounding_mode.value_or(RoundingMode::kSingleRound)) {}
};

Wide Extended(const ScalarInput& in, size_t read, bool is_unsigned) {
  return is_unsigned ? static_cast<Wide>(in.bits[read]) : in.Integer(read);
}

}  // namespace

bool SuitRescale(const Attributes& attributes, ElementType input, ElementType result) {
  const Settings settings(attributes);
  const bool is_input_wide = BitWidth(input) >= 32, is_result_wide = BitWidth(result) >= 32;
  if (settings.scale32 ? input == ElementType::kI48 : settings.rounding == RoundingMode::kDoubleRound) return false;
  if (settings.input_unsigned) return !settings.output_unsigned && !is_input_wide && !is_result_wide;
  return !settings.output_unsigned || (!is_input_wide && !is_result_wide);
}

bool MayBeZeroPoint(ElementType type, bool is_unsigned, uint64_t bits) {
  if (bits == 0 || type == ElementType::kI8) return true;
  return type == ElementType::kI16 && is_unsigned && bits == 0x8000;
}

// bits: the input, multiplier and shift of its channel, the input's zero point and the result's.
Expected EvalRescale(const ScalarInput& in) {
  const Settings settings(in.attributes);
  if (!SuitRescale(in.attributes, in.input_type, in.result_type) ||
      !MayBeZeroPoint(in.input_type, settings.input_unsigned, in.bits[3]) ||
      !MayBeZeroPoint(in.result_type, settings.output_unsigned, in.bits[4])) {
    return Undefined(ValueCase::kIllegal);
  }
  const Wide value = Extended(in, 0, settings.input_unsigned) - Extended(in, 3, settings.input_unsigned);
  const Wide multiplier = in.Integer(1), shift = in.Integer(2);
  const bool rounds_twice = settings.rounding == RoundingMode::kDoubleRound;
  const std::optional<Wide> scaled =
      settings.scale32 ? ApplyScale32(value, multiplier, shift, rounds_twice) : ApplyScale16(value, multiplier, shift);
  if (!scaled) return Undefined(ValueCase::kScale);
  const Wide zero_point = Extended(in, 4, settings.output_unsigned);
  const std::optional<Wide> sum = ApplyAddI32(*scaled, zero_point);
  if (!sum) return Undefined(ValueCase::kOverflow);
  const auto clip = settings.output_unsigned ? &ApplyClipUnsigned : &ApplyClipSigned;
  if (settings.rounding != RoundingMode::kInexactRound) return ExactInteger(in, clip(*sum, in.result_type));
  const Wide least = settings.output_unsigned ? 0 : LeastInteger(in.result_type);
  const IntegerRange range = InexactlyScaled(value, multiplier, shift, zero_point,
                                             {least, least + static_cast<Wide>(BitMask(in.result_type))});
  Expected expected = ExactInteger(in, range.least);
  expected.kind = Expected::Kind::kIntegers;
  expected.last_bits = ExactInteger(in, range.greatest).bits;
  return expected;
}

}  // namespace tosaic
