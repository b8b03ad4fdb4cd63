// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tolerance that a test of another suite states for its result, as a second judge beside the oracle. The oracle
// gives the true value; the test says how far a result may be from it.
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
  // In units of the last place at the true value, away from zero and toward zero. If both are 0, only the true value is
  // allowed.
  double outward = 0;
  double inward = 0;
  AbsoluteError absolute;

  friend bool operator==(const StatedTolerance& a, const StatedTolerance& b) = default;
};

// The part of an element's tolerance that depends on the op and its operands, which a test leaves to the reference
// model.
struct OpShare {
  double magnitude = 0;  // AbsoluteError::bound_as_magnitude: 1 + |x| of cos
  double bound = 0;      // without it: 2 |x| of exp, beside the base. Mode::kOfTheOp: the whole error allowed
};

// Whether a float element is within the tolerance. Any NaN matches any other, and any zero the other. If a subnormal
// number is allowed, so is zero, because it may be flushed (not for fp8). If a number beyond the greatest is allowed,
// so is infinity, or NaN if the type has no infinity. An error bound that is not finite allows everything.
bool Keeps(const StatedTolerance& tolerance, ElementType type, double true_value, const OpShare& share, uint64_t bits);

struct ToleranceCheck {
  uint64_t judged = 0;              // elements, without those that the documents leave open
  std::optional<std::string> miss;  // the first element outside it: "element 3: 1.5, the true value is 1"
};

// Checks the results of the runs of a program with one op. nullopt: the program has several ops, the documents define
// no values for the op, or a result does not have the shape that the oracle expects.
std::optional<ToleranceCheck> CheckTolerance(const StatedTolerance& tolerance, const Case& test_case,
                                             const Observation& observation, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_STATED_TOLERANCE_H_
