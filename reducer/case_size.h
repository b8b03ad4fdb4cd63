// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of a case: what "smaller" means to the reducer. It is a well-order, so every chain of smaller cases ends.
#ifndef TOSAIC_REDUCER_CASE_SIZE_H_
#define TOSAIC_REDUCER_CASE_SIZE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/element_type.h"
#include "model/program.h"

namespace tosaic {

// Compared lexicographically, in this order:
enum class SizeField : uint8_t {
  kPasses,      // of a sequence
  kOps,         // op applications
  kResults,     // values returned
  kValues,      // arguments and constants
  kRuns,        //
  kMisplaced,   // broadcast operands that are constants, shifts and zero points that are not
  kConflicts,   // ranks and sizes, declared or at run time, that contradict the operands' broadcast
  kUnranked,    // unranked types of arguments and ops
  kRank,        // ranks of all types, constants and run tensors
  kDynamic,     // dynamic dimensions of all types
  kSizes,       // SizeCost of all static dimensions of types, constants and run tensors
  kTypes,       // TypeCost of all values, shifts apart
  kAttributes,  // enums other than the default, bools that are true, attributes that the op does not have
  kData,        // of all elements of constants and runs, and of numbers of attributes: ElementCost, or ConstantCost
  kCount,
};

using CaseSize = std::array<uint64_t, static_cast<size_t>(SizeField::kCount)>;

CaseSize SizeOf(const Case& test_case);

// 1 is the simplest size; larger ones cost more, and 0 (which TOSA refuses) costs most.
uint64_t SizeCost(int64_t size);

// What each element of a constant costs that only broadcasts: nothing if it is ordinary (OrdinaryBits), and else more
// than that. A mistake that shows with such a constant has nothing to do with the rules for 0 and 1, in which it would
// be taken for a known one.
uint64_t ConstantCost(ElementType type, uint64_t bits);

// Whether no op takes the constant as a parameter, such as a shift or a table.
bool OnlyBroadcasts(const Program& program, size_t constant);

// How unusual an element type is: i32, f32 and i1 are plain, other types of the specification less so, the rest least.
uint64_t TypeCost(ElementType type);

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_CASE_SIZE_H_
