// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that made poison, as code that shows its poison (toolchain/execution/poison.h) reports them. Knows
// no LLVM.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_POISON_MAKER_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_POISON_MAKER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/element_type.h"

namespace tosaic {

inline constexpr size_t kOperandsTold = 2;

// An instruction that can make poison.
struct PoisonMaker {
  struct Operand {
    std::string name;  // "%2"
    ElementType type = ElementType::kI32;
  };
  std::string instruction;        // "%3 = shl i32 1, %2"
  std::vector<Operand> operands;  // of which the code tells the bits: the first that are no constants
};

// An instruction that made poison, and what its operands were when it first did so in a run.
struct MadePoison {
  size_t maker = 0;
  std::array<uint64_t, kOperandsTold> bits = {};
};

// "%3 = shl i32 1, %2 where %2 = 40", the first few in their order, then how many there are more.
std::vector<std::string> InWords(absl::Span<const PoisonMaker> makers, absl::Span<const MadePoison> poisons);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_POISON_MAKER_H_
