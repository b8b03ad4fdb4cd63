// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/stated_tolerance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/expected.h"
#include "oracle/float_format.h"
#include "oracle/reference.h"
#include "oracle/run_values.h"

namespace tosaic {
namespace {

bool KeepsElement(const StatedTolerance& tolerance, ElementType type, const Expected& expected, uint64_t raw_bits) {
  if (IsFloat(type)) return Keeps(tolerance, type, ReferenceOf(type, expected), raw_bits);
  return expected.bits == (raw_bits & BitMask(type));
}

void CheckResult(const StatedTolerance& tolerance, const std::vector<Expected>& expected, const Tensor& actual,
                 ToleranceCheck* check) {
  const ElementType type = actual.element_type();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].kind == Expected::Kind::kUndefined) continue;
    ++check->judged;
    if (check->miss || KeepsElement(tolerance, type, expected[i], actual.RawBits(i))) continue;
    const std::string truth =
        IsFloat(type) ? absl::StrCat(ReferenceOf(type, expected[i])) : ElementToString(type, expected[i].bits);
    check->miss =
        absl::StrCat("element ", i, ": ", ElementToString(type, actual.Bits(i)), ", the true value is ", truth);
  }
}

}  // namespace

bool Keeps(const StatedTolerance& tolerance, ElementType type, double true_value, uint64_t bits) {
  const double actual = ElementToDouble(type, bits);
  if (std::isnan(true_value) || std::isnan(actual)) return std::isnan(true_value) && std::isnan(actual);
  if (true_value == 0 || std::isinf(true_value)) return actual == true_value;
  const FloatFormat& format = Format(type);
  const double magnitude = std::abs(true_value);
  const double along = std::signbit(true_value) ? -actual : actual;
  const double unit = std::ldexp(1, std::max(std::ilogb(magnitude), format.min_exponent) - format.frac);
  const double least = magnitude - tolerance.inward * unit;
  const double greatest = magnitude + tolerance.outward * unit;
  if (actual == 0 && least < format.normal_min) return true;
  if (std::isinf(actual)) return along > 0 && greatest > format.normal_max;
  return least <= along && along <= greatest;
}

std::optional<ToleranceCheck> CheckTolerance(const StatedTolerance& tolerance, const Case& test_case,
                                             const Observation& observation, const Policies& policies) {
  const Program& program = test_case.program;
  if (program.ops.size() != 1 || program.results.size() != 1 || !HasValues(program, program.ops.front())) {
    return std::nullopt;
  }
  const OpApplication& op = program.ops.front();
  ToleranceCheck check;
  for (size_t run = 0; run < observation.runs.size(); ++run) {
    if (observation.runs[run].results.size() != 1) return std::nullopt;
    const Tensor& actual = observation.runs[run].results.front().tensor;
    const std::vector<const Tensor*> operands = OperandsIn(test_case, run, {nullptr}, op);
    const RuntimeShape shape = SizesFor(op, operands);
    if (!shape.defined || shape.sizes != actual.sizes()) return std::nullopt;
    CheckResult(tolerance, Evaluate(program, op, operands, actual.sizes(), policies), actual, &check);
  }
  return check;
}

}  // namespace tosaic
