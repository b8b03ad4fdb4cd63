// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/scaling.h"

#include <algorithm>
#include <cmath>

namespace tosaic {
namespace {

std::optional<Wide> IfFitsI32(Wide value) {
  return Fits(ElementType::kI32, value) ? std::optional(value) : std::nullopt;
}

bool MayScale(Wide multiplier, Wide shift) { return multiplier >= 0 && 2 <= shift && shift <= 62; }

Wide GreatestUnsigned(ElementType type) { return static_cast<Wide>(BitMask(type)); }

}  // namespace

std::optional<Wide> ApplyScale32(Wide value, Wide multiplier, Wide shift, bool double_round) {
  if (!MayScale(multiplier, shift)) return std::nullopt;
  const Wide limit = Wide{1} << (shift - 1);
  if (value < -limit || value >= limit) return std::nullopt;
  Wide round = limit;
  if (double_round && shift > 31) round += value >= 0 ? Wide{1} << 30 : -(Wide{1} << 30);
  return (value * multiplier + round) >> shift;
}

std::optional<Wide> ApplyScale16(Wide value, Wide multiplier, Wide shift) {
  if (!MayScale(multiplier, shift)) return std::nullopt;
  return IfFitsI32((value * multiplier + (Wide{1} << (shift - 1))) >> shift);
}

std::optional<Wide> ApplyAddI32(Wide a, Wide b) { return IfFitsI32(a + b); }

Wide ApplyClipSigned(Wide value, ElementType type) {
  const Wide least = -(Wide{1} << (BitWidth(type) - 1));
  return std::clamp(value, least, least + GreatestUnsigned(type));
}

Wide ApplyClipUnsigned(Wide value, ElementType type) { return std::clamp(value, Wide{0}, GreatestUnsigned(type)); }

IntegerRange InexactlyScaled(Wide value, Wide multiplier, Wide shift, Wide output_zero_point, IntegerRange limits) {
  constexpr int kFractionBitsOfF32 = 23;
  const auto zero_point = static_cast<double>(output_zero_point);
  const double scaled =
      std::ldexp(static_cast<double>(value) * static_cast<double>(multiplier), -static_cast<int>(shift));
  const double bound = 0.5 + std::ldexp(3 * std::abs(scaled) + std::abs(scaled + zero_point), -kFractionBitsOfF32 - 1);
  const auto clipped = [&](double integer) {
    const auto least = static_cast<double>(limits.least), greatest = static_cast<double>(limits.greatest);
    return static_cast<Wide>(std::clamp(integer, least, greatest));
  };
  return {clipped(std::ceil(scaled - bound + zero_point)), clipped(std::floor(scaled + bound + zero_point))};
}

std::optional<Wide> Interpolated(Wide value, Wide base, Wide next) {
  const Wide slope = next - base, fraction = value & 0x7f;
  if (!Fits(ElementType::kI16, slope)) return std::nullopt;
  return base * 128 + slope * fraction;
}

}  // namespace tosaic
