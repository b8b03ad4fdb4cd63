// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tolerance that a test of another suite states of its result, as a second judge beside the oracle. What is true is
// the oracle's word; how far from it a result may be is the test's.
#ifndef TOSAIC_ORACLE_STATED_TOLERANCE_H_
#define TOSAIC_ORACLE_STATED_TOLERANCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "model/element_type.h"
#include "model/observation.h"
#include "model/program.h"
#include "oracle/policy.h"

namespace tosaic {

struct StatedTolerance {
  enum class Mode : uint8_t {
    kUnits,          // `outward` and `inward`
    kAbsoluteError,  // the specification's calcAbsErrorBound of `absolute`
    kOfTheOp,        // the test states nothing: the bound is the one that the op's rule gives
  };
  // With the op's own part (OpShare), the arguments of the specification's calcAbsErrorBound.
  struct AbsoluteError {
    double base_bound = 0;
    double lower_bound = 0;
    double normal_divisor = 1;
    bool bound_as_magnitude =
        false;         // the op gives the magnitude; else it is the true value, and the op adds to the bound
    double least = 0;  // the error allowed is at least this

    friend bool operator==(const AbsoluteError& a, const AbsoluteError& b) = default;
  };

  Mode mode = Mode::kUnits;
  // In units of the last place at the true value: away from zero, and toward it. Both 0: only the true value itself.
  double outward = 0;
  double inward = 0;
  AbsoluteError absolute;

  friend bool operator==(const StatedTolerance& a, const StatedTolerance& b) = default;
};

// What the tolerance of an element takes from the op and its operands, which a test leaves to the reference model.
struct OpShare {
  double magnitude = 0;  // AbsoluteError::bound_as_magnitude: 1 + |x| of cos
  double bound = 0;      // without it: 2 |x| of exp, beside the base. Mode::kOfTheOp: the whole error allowed
};

// Whether a float element keeps it. A NaN stands for every NaN, and a zero for both; where a subnormal number may be, a
// zero may be, for it is flushed (not of fp8); where a number beyond the greatest may be, infinity may be, or NaN if
// the type has no infinity. An allowed error that is not finite allows everything.
bool Keeps(const StatedTolerance& tolerance, ElementType type, double true_value, const OpShare& share, uint64_t bits);

struct ToleranceCheck {
  uint64_t judged = 0;              // elements; what the documents leave open is left out
  std::optional<std::string> miss;  // the first element that does not keep it: "element 3: 1.5, the true value is 1"
};

// Checks what the runs of a program of one op returned. nullopt: the program has several ops, the op has no values by
// the documents, or a result has not the shape that the oracle expects.
std::optional<ToleranceCheck> CheckTolerance(const StatedTolerance& tolerance, const Case& test_case,
                                             const Observation& observation, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_STATED_TOLERANCE_H_
