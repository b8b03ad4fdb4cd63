// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected: what the documents allow for one element of a result (tosa-semantics.md, Frame and "Check functions").
// scalar_ops makes it; compare judges by it and describes it. It has only numbers: texts are made when a mismatch is
// explained, never on the hot path.
#ifndef TOSAIC_ORACLE_EXPECTED_H_
#define TOSAIC_ORACLE_EXPECTED_H_

#include <cstdint>

#include "model/op_catalogue.h"
#include "model/rules.h"

namespace tosaic {

struct Expected {
  enum class Kind : uint8_t {
    kUndefined,  // anything: the specification says unpredictable, or has no rule
    kBits,   // this bit pattern; a subnormal of f16, bf16, f32 may be flushed to the zero of its sign, but for copies
    kNan,    // a NaN of any payload
    kRange,  // a float from lo to hi, both inclusive
    kIntegers,  // an integer from `bits` up to `last_bits`, both inclusive, counted modulo the type's width
  };
  Kind kind = Kind::kUndefined;
  ValueCase value_case = ValueCase::kPlain;  // with the op, the rule
  bool zero_sign_free = false;               // kBits, kRange: a zero may have either sign
  bool zero_passes = false;                  // kRange: a zero passes (decided exactly; flushing included)
  bool is_copy = false;                      // kBits: of an operand, so that nothing is flushed
  bool nan_passes = false;                   // kRange: f8E4M3FN overflowed, and has NaN instead of infinity
  uint64_t bits = 0;                         // kBits, kIntegers
  uint64_t last_bits = 0;                    // kIntegers

  // kRange. lo is rounded up and hi down to a double, so comparing them with an element's value is exact.
  double lo = 0;
  double hi = 0;
  double reference = 0;  // the true value rounded to double, for people; its sign is that of a signed zero
  double bound = 0;      // the error allowed, rounded to double, for people

  const Accuracy* accuracy = nullptr;  // null if no accuracy rule was used
};

inline Expected Undefined(ValueCase why) { return {.kind = Expected::Kind::kUndefined, .value_case = why}; }
inline Expected ExactBits(uint64_t bits) { return {.kind = Expected::Kind::kBits, .bits = bits}; }
inline Expected CopiedBits(uint64_t bits) { return {.kind = Expected::Kind::kBits, .is_copy = true, .bits = bits}; }
inline Expected AnyNan() { return {.kind = Expected::Kind::kNan}; }
// A range without a member.
inline Expected NoMatch() { return {.kind = Expected::Kind::kRange, .lo = 1, .hi = 0}; }
inline Expected InCase(ValueCase value_case, Expected expected) {
  expected.value_case = value_case;
  return expected;
}

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_EXPECTED_H_
