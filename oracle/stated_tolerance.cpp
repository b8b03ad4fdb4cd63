// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/stated_tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/accuracy.h"
#include "oracle/compare.h"
#include "oracle/expected.h"
#include "oracle/float_format.h"
#include "oracle/operand_reads.h"
#include "oracle/reference.h"
#include "oracle/run_values.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// How far a result may be from the true value, toward zero and away from zero.
struct Margin {
  double inward = 0;
  double outward = 0;
};

// The specification's calcAbsErrorBound, but at least the error that the test allows.
double AllowedError(const StatedTolerance::AbsoluteError& stated, const FloatFormat& format, double true_value,
                    const OpShare& share) {
  const double magnitude = std::abs(stated.bound_as_magnitude ? share.magnitude : true_value);
  const double bound = stated.base_bound + (stated.bound_as_magnitude ? 0 : share.bound);
  double error = 0;
  if (std::isfinite(bound) || magnitude != 0) {
    double value = std::max(magnitude, format.normal_min);
    if (stated.lower_bound > 0) value = std::max(stated.lower_bound / bound, value);
    error = std::exp2(-format.frac / stated.normal_divisor) * value * bound;
  }
  return std::max(error, stated.least);
}

Margin MarginAt(const StatedTolerance& tolerance, const FloatFormat& format, double true_value, const OpShare& share) {
  switch (tolerance.mode) {
    case StatedTolerance::Mode::kUnits:
      break;
    case StatedTolerance::Mode::kAbsoluteError: {
      const double error = AllowedError(tolerance.absolute, format, true_value, share);
      return {error, error};
    }
    case StatedTolerance::Mode::kOfTheOp:
      return {share.bound, share.bound};
  }
  if (true_value == 0 || std::isinf(true_value)) return {};
  const double unit = std::ldexp(1, std::max(std::ilogb(true_value), format.min_exponent) - format.frac);
  return {tolerance.inward * unit, tolerance.outward * unit};
}

double MagnitudeOf(Accuracy::Magnitude magnitude, double true_value, double x) {
  switch (magnitude) {
    case Accuracy::Magnitude::kReference:
      return true_value;
    case Accuracy::Magnitude::kInput:
      return x;
    case Accuracy::Magnitude::kOnePlusAbsInput:
      break;
  }
  return 1 + std::abs(x);
}

OpShare ShareOf(const StatedTolerance& tolerance, const ScalarInput& in, const Expected& expected, double true_value) {
  if (tolerance.mode == StatedTolerance::Mode::kOfTheOp) {
    // Literally, the bound for an infinity is infinite. The oracle requires the infinity (docs/policies.md,
    // "overflow").
    return {.bound = std::isinf(true_value) ? std::abs(true_value) : expected.bound};
  }
  const Accuracy& rule = AccuracyOf(in.op, in.result_type, in.policies);
  const double x = in.Value(0);
  return {MagnitudeOf(rule.m, true_value, x), rule.b_const + rule.b_abs_x * std::abs(x)};
}

// Checks the elements of an op's result one by one.
class ResultCheck {
 public:
  ResultCheck(const StatedTolerance& tolerance, const Case& test_case, const Policies& policies)
      : tolerance_(tolerance), in_(InputOf(test_case.program, test_case.program.ops.front(), policies)) {}

  void Check(const std::vector<const Tensor*>& operands, const Tensor& actual, ToleranceCheck* check) {
    const ElementType type = actual.element_type();
    const OperandReader reader(in_.op, operands, actual.sizes());
    for (size_t i = 0; i < actual.element_count(); ++i) {
      reader.Read(i, &in_.bits);
      const Expected enclosed = In(Mode::kEnclose);
      if (enclosed.kind == Expected::Kind::kUndefined) continue;
      ++check->judged;
      if (check->miss || SurelyKeepsElement(type, enclosed, actual.RawBits(i))) continue;
      const Expected expected = In(Mode::kDecide);
      if (KeepsElement(type, expected, actual.RawBits(i))) continue;
      const std::string truth =
          IsFloat(type) ? absl::StrCat(ReferenceOf(type, expected)) : ElementToString(type, expected.bits);
      check->miss =
          absl::StrCat("element ", i, ": ", ElementToString(type, actual.Bits(i)), ", the true value is ", truth);
    }
  }

 private:
  Expected In(Mode mode) {
    in_.mode = mode;
    return EvaluateScalar(in_);
  }

  // This is several times as fast. An enclosure gives the true value far more precisely than needed, but not the bound
  // of pow.
  bool SurelyKeepsElement(ElementType type, const Expected& enclosed, uint64_t raw_bits) const {
    constexpr double kMuchMore = 1e-12;
    const bool is_enclosed = enclosed.kind == Expected::Kind::kRange && enclosed.lo <= enclosed.hi;
    if (!is_enclosed || tolerance_.mode == StatedTolerance::Mode::kOfTheOp) return false;
    return absl::c_all_of(std::array{1 - kMuchMore, 1 + kMuchMore}, [&](double factor) {
      const double true_value = enclosed.reference * factor;
      return Keeps(tolerance_, type, true_value, ShareOf(tolerance_, in_, enclosed, true_value), raw_bits);
    });
  }

  bool KeepsElement(ElementType type, const Expected& expected, uint64_t raw_bits) const {
    if (!IsFloat(type)) return expected.bits == (raw_bits & StoredMask(type));
    const double true_value = ReferenceOf(type, expected);
    return Keeps(tolerance_, type, true_value, ShareOf(tolerance_, in_, expected, true_value), raw_bits);
  }

  const StatedTolerance& tolerance_;
  ScalarInput in_;  // for the element that is being checked
};

}  // namespace

bool Keeps(const StatedTolerance& tolerance, ElementType type, double true_value, const OpShare& share, uint64_t bits) {
  const double actual = ElementToDouble(type, bits);
  if (std::isnan(true_value)) return std::isnan(actual);
  const FloatFormat& format = Format(type);
  const Margin margin = MarginAt(tolerance, format, true_value, share);
  if (!std::isfinite(margin.outward)) return true;
  const double magnitude = std::abs(true_value);
  const double least = magnitude - margin.inward, greatest = magnitude + margin.outward;
  const bool may_overflow = greatest > format.normal_max;
  if (std::isnan(actual)) return may_overflow && !Info(type).has_infinity;
  if (actual == 0 && !IsFp8(type)) return least < format.normal_min;
  const double along = std::signbit(true_value) ? -actual : actual;
  if (std::isinf(along)) return along > 0 ? may_overflow : least < -format.normal_max;
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
  ResultCheck results(tolerance, test_case, policies);
  for (size_t run = 0; run < observation.runs.size(); ++run) {
    if (observation.runs[run].results.size() != 1) return std::nullopt;
    const Tensor& actual = observation.runs[run].results.front().tensor;
    const std::vector<const Tensor*> operands = OperandsIn(test_case, run, {nullptr}, op);
    const RuntimeShape shape = SizesFor(op, operands);
    if (!shape.defined || shape.sizes != actual.sizes()) return std::nullopt;
    results.Check(operands, actual, &check);
  }
  return check;
}

}  // namespace tosaic
