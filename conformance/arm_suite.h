// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of Arm's conformance suite, as its generator writes them: a folder each with a description, the program as JSON
// and the inputs as .npy. They are read as they are (docs/conformance.md).
#ifndef TOSAIC_CONFORMANCE_ARM_SUITE_H_
#define TOSAIC_CONFORMANCE_ARM_SUITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/mlir_text.h"
#include "model/program.h"
#include "oracle/stated_tolerance.h"

namespace tosaic {

struct ArmTest {
  std::string folder;                   // where the test is read again; empty: it is whole
  uint64_t digest = 0;                  // of the description, the program and the inputs
  std::string name;                     // the folder, from the suite's: "tosa-pro-int/add/add_1_i32"
  std::string op;                       // under test, in small letters: "rescale"
  std::vector<std::string> tags;        // as the test has them
  std::vector<std::string> profiles;    // that have to pass it
  std::vector<std::string> extensions;  // that it needs
  bool must_fail = false;               // the program has to be refused
  std::string error;                    // the way in which it is illegal, by the suite's word: "WrongRank"
  // The program on route `loops` with one run; without a run if it must be refused. None: it is no case of Tosaic's.
  // A test of a suite has an empty run in its place: WholeCase() reads the inputs.
  std::optional<Case> test_case;
  std::string not_representable;  // why there is none
  // The reason for it, if the program must be refused and Tosaic can write it down: an op with another number of
  // operands or results than it takes.
  std::optional<LooseOp> miscounted;
  // The tolerance that the test states. None if it names a way to judge that Tosaic does not know, or has several
  // results.
  std::optional<StatedTolerance> tolerance;
};

// The test in a folder. Errors: a file is missing or broken; they name it.
absl::StatusOr<ArmTest> ReadArmTest(const std::string& folder);

// All tests below a folder, or those of these ops alone, of which the program and the inputs are read. Ordered and
// called by their paths from there, without their inputs: a suite is too much to hold at once. Errors: there is no such
// folder, there is no test in it, or those of a test.
absl::StatusOr<std::vector<ArmTest>> ReadArmSuite(const std::string& folder, absl::Span<const OpKind> ops = {});

// The case of a test with its inputs. REQUIRES: the test has one. Errors: those of ReadArmTest().
absl::StatusOr<Case> WholeCase(const ArmTest& test);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_SUITE_H_
