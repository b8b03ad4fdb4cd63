// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/special_values.h"

#include <algorithm>
#include <cmath>

#include "generators/element_bits.h"

namespace tosaic {
namespace {

void Add(std::vector<uint64_t>& values, uint64_t bits) {
  if (std::find(values.begin(), values.end(), bits) == values.end()) values.push_back(bits);
}

void AddBothSigns(ElementType type, std::vector<uint64_t>& values, uint64_t bits) {
  Add(values, bits);
  Add(values, bits | SignMask(type));
}

std::vector<uint64_t> FloatCore(ElementType type) {
  std::vector<uint64_t> values;
  const uint64_t smallest_normal = uint64_t{1} << Info(type).mantissa_bits;
  AddBothSigns(type, values, 0);
  AddBothSigns(type, values, EncodeFloat(type, 1));
  AddBothSigns(type, values, HighestBits(type));
  Add(values, QuietNanBits(type) | 1);
  AddBothSigns(type, values, 1);                    // smallest subnormal
  AddBothSigns(type, values, smallest_normal - 1);  // largest subnormal
  AddBothSigns(type, values, smallest_normal);
  AddBothSigns(type, values, LargestFiniteBits(type));
  AddBothSigns(type, values, EncodeFloat(type, 0.5));
  Add(values, EncodeFloat(type, 1.5));
  Add(values, EncodeFloat(type, 2.5));
  return values;
}

std::vector<uint64_t> FloatMore(ElementType type) {
  std::vector<uint64_t> values;
  const int mantissa_bits = Info(type).mantissa_bits;
  for (double value : {2.0, 3.0, 10.0, 1.5, 2.5, 3.5, 4.5, 0.1, M_PI, M_PI_2, M_E, M_LN2}) {
    AddBothSigns(type, values, EncodeFloat(type, value));
  }
  for (double value : {0.5, 1.0, 2.0}) {
    AddBothSigns(type, values, EncodeFloat(type, value) - 1);
    AddBothSigns(type, values, EncodeFloat(type, value) + 1);
  }
  // Where a half, and then an odd integer, is the last mantissa bit.
  for (int exponent : {mantissa_bits - 1, mantissa_bits, mantissa_bits + 1}) {
    const double power = std::ldexp(1, exponent);
    for (double value : {power - 1, power - 0.5, power, power + 0.5, power + 1, power + 2}) {
      AddBothSigns(type, values, EncodeFloat(type, value));
    }
  }
  for (int bits : {7, 8, 15, 16, 31, 32, 63}) {
    const uint64_t power = EncodeFloat(type, std::ldexp(1, bits));
    AddBothSigns(type, values, power);
    AddBothSigns(type, values, power - 1);
  }
  // Near exp's overflow and underflow for f32 and f16, near tanh's and erf's saturation.
  for (double value : {88.7, 88.8, 103.9, 104.0, 11.08, 11.1, 17.3, 9.0, 4.0}) {
    AddBothSigns(type, values, EncodeFloat(type, value));
  }
  AddBothSigns(type, values, QuietNanBits(type));
  if (HasInfinity(type)) Add(values, InfinityBits(type) | 1);  // signalling
  return values;
}

std::vector<uint64_t> IntegerCore(ElementType type) {
  std::vector<uint64_t> values;
  for (int64_t value : {0, 1, -1, 2, -2}) Add(values, EncodeInteger(type, value));
  const int64_t lowest = IntegerValue(type, LowestBits(type));
  const int64_t highest = IntegerValue(type, HighestBits(type));
  // Cut to the width, so that neighbours of narrow types wrap harmlessly.
  for (uint64_t value : {static_cast<uint64_t>(lowest), static_cast<uint64_t>(lowest) + 1,
                         static_cast<uint64_t>(highest), static_cast<uint64_t>(highest) - 1}) {
    Add(values, value & BitMask(type));
  }
  return values;
}

std::vector<uint64_t> IntegerMore(ElementType type) {
  std::vector<uint64_t> values;
  for (int bit = 0; bit < BitWidth(type); ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    for (uint64_t value : {power, power - 1, power + 1, ~power, ~power + 1, ~power + 2}) {
      Add(values, value & BitMask(type));
    }
  }
  constexpr uint64_t kPatterns[] = {0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0xff00ff00ff00ff00, 0x0123456789abcdef};
  for (uint64_t value : kPatterns) {
    Add(values, value & BitMask(type));
  }
  return values;
}

}  // namespace

const SpecialValues& Specials(ElementType type) {
  static const auto& table = *[] {
    auto* all = new std::vector<SpecialValues>;
    for (const ElementTypeInfo& info : AllElementTypes()) {
      if (IsFloat(info.type)) {
        all->push_back({FloatCore(info.type), FloatMore(info.type)});
      } else {
        all->push_back({IntegerCore(info.type), IntegerMore(info.type)});
      }
    }
    return all;
  }();
  return table[static_cast<size_t>(type)];
}

}  // namespace tosaic
