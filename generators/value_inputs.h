// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueInputs: the operand elements that a value sweep runs an op on. All of them if they are few enough; otherwise
// boundaries first, then an equal share of every exponent, evenly spaced and random. Input `index` is a pure function
// of the element types, the number wanted and `index`, so it is the same on every machine and in every order.
#ifndef TOSAIC_GENERATORS_VALUE_INPUTS_H_
#define TOSAIC_GENERATORS_VALUE_INPUTS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/element_type.h"

namespace tosaic {

class ValueInputs {
 public:
  // If all operands together have at most this many bits, every combination is an input: one operand of 16, two of 8,
  // or select's 1 + 8 + 8.
  static constexpr int kExhaustiveBits = 17;

  // `operands`: one to three element types, in the op's order. `wanted`: the number of inputs if not all fit; all
  // boundaries are included even if they are more. REQUIRES: a single operand of more than kExhaustiveBits has 32.
  // `exhaustive_bits`: another limit than kExhaustiveBits.
  ValueInputs(std::vector<ElementType> operands, uint64_t wanted, int exhaustive_bits = kExhaustiveBits);

  uint64_t size() const { return size_; }
  bool exhaustive() const { return exhaustive_; }
  // How many of the inputs are boundaries, the first ones; 0 if exhaustive.
  uint64_t boundaries() const { return boundaries_; }

  // Bits by operand position. REQUIRES: index < size().
  std::array<uint64_t, 3> At(uint64_t index) const;

 private:
  std::array<uint64_t, 3> Sample(uint64_t index) const;

  std::vector<ElementType> operands_;
  bool exhaustive_;
  uint64_t size_ = 0;
  uint64_t boundaries_ = 0;
  // For each operand, the values whose combinations are the boundaries. They are shared, because there are many copies
  // and the lists are long.
  std::vector<std::shared_ptr<const std::vector<uint64_t>>> lists_;
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_VALUE_INPUTS_H_
