// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests of Arm's suite (arm_suite.h) as a conformance suite. The oracle judges them like all cases, and so does the
// tolerance that a test states. If the two disagree, one of them is wrong, and this is a finding, judges-disagree. A
// program that must be refused goes to the op verifier and, if that accepts it, to tosa-validate.
#ifndef TOSAIC_CONFORMANCE_ARM_CONFORMANCE_H_
#define TOSAIC_CONFORMANCE_ARM_CONFORMANCE_H_

#include <atomic>
#include <vector>

#include "absl/status/statusor.h"
#include "conformance/arm_suite.h"
#include "conformance/conformance.h"
#include "model/validation_target.h"
#include "results/conformance.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The target of tosa-validate for a test's program: the profiles and extensions that the test names, at level 8K,
// strictly by the specification (otherwise F32 passes for an integer profile: docs/findings.md, V1).
ValidationTarget TargetOf(const ArmTest& test);

// Runs the tests that are cases; `options` has everything except the cases. The report lists the other tests as
// unwritable.
absl::StatusOr<ConformanceReport> RunArmSuite(Toolchain& toolchain, ConformanceOptions options,
                                              const std::vector<ArmTest>& tests, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_CONFORMANCE_H_
