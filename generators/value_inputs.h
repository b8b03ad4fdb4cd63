// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueInputs: the operand elements that a value sweep runs an op on. All of them where they are few enough; otherwise
// boundaries first, then an even share of every exponent, dense and random. Input `index` is a pure function of the
// element types, the number asked for and `index`: the same on every machine, whatever is run beside it.
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
  // Up to as many bits over all operands, every combination is an input: one of 16, a pair of 8, select's 1 + 8 + 8.
  static constexpr int kExhaustiveBits = 17;

  // `operands`: one to three element types, in the op's order. `wanted`: how many inputs where not all fit; the
  // boundaries are there even if they are more. REQUIRES: a single operand of more than kExhaustiveBits has 32.
  ValueInputs(std::vector<ElementType> operands, uint64_t wanted);

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
  // By operand: the values that boundaries combine, each with each. Shared, for copies are many and the lists long.
  std::vector<std::shared_ptr<const std::vector<uint64_t>>> lists_;
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_VALUE_INPUTS_H_
