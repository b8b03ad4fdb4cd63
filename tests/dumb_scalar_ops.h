// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second implementation of every op's scalar function, as dumb as can be: written from tosa-semantics.md ("Check
// functions", "Ops", "cast, the values") and docs/policies.md alone (rescale and table: from the specification's
// pseudocode and text), on __int128 and long double, with the C library's functions. It shares nothing with oracle/ and
// exists to contradict it (dumb_scalar_ops_test.cpp). For tests only.
#ifndef TOSAIC_TESTS_DUMB_SCALAR_OPS_H_
#define TOSAIC_TESTS_DUMB_SCALAR_OPS_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "absl/strings/string_view.h"
#include "model/element_type.h"
#include "model/program.h"

namespace tosaic::dumb {

// The release of the specification that accuracy is taken from.
enum class Release : uint8_t { k1_0_0, k1_0_2, k1_1 };

// The operands' elements that one result element is computed from.
struct Input {
  ElementType input;  // of the operands that broadcast, select's condition (i1) and shifts (i8) apart
  ElementType result;
  const Attributes& attributes;
  Release release;
  // By operand position; of table: the value, the entry at its index, and the next entry.
  std::array<uint64_t, 5> bits;
};

// The results that the documents allow.
struct Answer {
  enum class Kind : uint8_t {
    kUndefined,  // anything
    kListed,     // one of the bit patterns, or a NaN if `any_nan`
    kWithin,     // within(T, test, reference, bound)
    kIntegers,   // an integer from `first` up to `last`, both inclusive, modulo the type's width
  };
  Kind kind = Kind::kUndefined;
  std::array<uint64_t, 4> listed = {};
  int listed_count = 0;
  bool any_nan = false;
  long double reference = 0;
  long double bound = 0;
  long double slack = 0;  // how far reference and bound together may be off, as computed here
  bool fp64 = false;      // within's own sums are of doubles, too
  uint64_t first = 0;
  uint64_t last = 0;

  static Answer Undefined() { return {}; }
  static Answer Nan() { return {.kind = Kind::kListed, .any_nan = true}; }
  static Answer Listed(std::initializer_list<uint64_t> bits);
};

enum class Fit : uint8_t { kRefused, kUnsure, kAllowed };
// Whether an element of the type, stored as `bits`, is allowed; unsure where `slack` leaves it so.
Fit Judge(const Answer& answer, ElementType type, uint64_t bits);

using Function = Answer (*)(const Input&);
// The function of the op with this name in MLIR 22, or null.
Function FindFunction(absl::string_view op_name);

// An element's value: an integer's as two's complement (i1: 0 or 1; ui8 and kin: no sign), a float's decoded field by
// field.
long double Decode(ElementType type, uint64_t bits);
// The float of the type that is nearest, ties to even; beyond the range an infinity (f8E4M3FN: NaN).
uint64_t Nearest(ElementType type, long double value);

// A float format as the second reference knows it ("Check functions"; f64 and, but for casts, fp8 are beyond them).
struct Format {
  int exponent_bits;
  int fraction_bits;
  long double normal_min;
  long double normal_max;
  uint64_t greatest;  // the bits of normal_max
  bool has_infinity;  // f8E4M3FN: no, and its greatest magnitude is NaN
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int least_exponent() const { return 1 - bias(); }  // of normal_min
  uint64_t sign() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
};
const Format& FormatOf(ElementType type);

}  // namespace tosaic::dumb

#endif  // TOSAIC_TESTS_DUMB_SCALAR_OPS_H_
