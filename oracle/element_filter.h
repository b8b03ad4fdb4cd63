// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ElementFilter: decides most elements of a unary op on f32, or of a binary one on f16 or bf16, as MeasureElement
// would, at a hundredth of the cost. It leaves the others undecided, and is never wrong about one that it decides.
//
// The true value comes from the C library's functions on doubles. The GNU C library manual ("Known Maximum Errors in
// Math Functions", the column x86_64) gives at most 1 unit of a double's last place for exp, log, sin, cos and erf, and
// 2 for tanh; sqrt and division are IEEE 754's. That table is what the library's tests found, and no proof. So
// kFunctionError has a margin: it is 16 units, for formulas of two functions too. element_filter_test checks it against
// MPFR, `bench/filter_bound` at millions of points. A decision has a margin for that error and for the roundings of the
// bound, within which it leaves an element to the exact way: near an edge of the allowed set, a power of two, or
// another change of rule. The code under test may call the same library's functions on f32; nothing depends on how good
// those are.
#ifndef TOSAIC_ORACLE_ELEMENT_FILTER_H_
#define TOSAIC_ORACLE_ELEMENT_FILTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "oracle/scalar_ops.h"

namespace tosaic {

// How far the C library's value may be from the true one, relative to that; where that is no normal double, 2^-1000.
inline constexpr double kFunctionError = 0x1p-48;

// The filter's verdict on an element. Without kIsDecided the other bits are meaningless, and the exact way has to
// decide.
enum FilterFlag : uint8_t {
  kIsDecided = 1,
  kIsOpen = 2,
  kIsMeasured = 4,
  kIsFlushed = 8,
  kIsKept = 16,  // SubnormalFate::kKept
  kIsUnpredictable = 32,
  kIsWrong = 64,  // a normal number or an infinity in place of numbers, by the rule of the op's values; it is measured
  kIsImplausible = 128,
};

// Elements one by one. `error` and `bound_used` are meaningful for those measured, and within the filter's slack of the
// exact ones, or 2^-46 of them, which is more for the errors of wrong elements.
struct FilteredElements {
  std::vector<uint8_t> flags;
  std::vector<double> error;
  std::vector<double> bound_used;

  void Resize(size_t count) { flags.resize(count), error.resize(count), bound_used.resize(count); }
};

class ElementFilter {
 public:
  // Sees inputs first .. first + count - 1 as bit patterns, the first of two operands in the lower half, and the
  // results' elements as they lie in memory. REQUIRES: `elements` has room for `count`.
  using Kernel = std::function<void(uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements)>;

  // For an op, its types, attributes, policies, and the bits of the operands that do not broadcast. nullopt: there is
  // no filter, because the op takes other operands, or is too rare a one.
  static std::optional<ElementFilter> For(const ScalarInput& in);

  void Apply(uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements) const {
    elements->Resize(count);
    kernel_(first, count, results, elements);
  }
  // How far an `error` or a `bound_used` of about this value may be from the exact one; 0: not at all.
  double slack(double value) const { return slack_ * std::max(1.0, value * 0x1p-24); }

 private:
  ElementFilter(Kernel kernel, double slack) : kernel_(std::move(kernel)), slack_(slack) {}
  Kernel kernel_;
  double slack_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ELEMENT_FILTER_H_
