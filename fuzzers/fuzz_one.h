// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FuzzOne: the common part of the libFuzzer targets. It observes a case, or a probe of the trait, in process, judges
// it, gives libFuzzer the features, and stops at a divergence that is not known. The list of known divergences is the
// build's, or the file that the environment variable TOSAIC_KNOWN names.
#ifndef TOSAIC_FUZZERS_FUZZ_ONE_H_
#define TOSAIC_FUZZERS_FUZZ_ONE_H_

#include <memory>

#include "absl/functional/function_ref.h"
#include "checking/check_case.h"
#include "checking/known_divergences.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/spec_case.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Reads the list for every FuzzOne of the process, as each target begins with. Ends the process with one line on
// standard error and status 2, for wrong usage, if that is not possible.
void ReadKnownAtStart();

class FuzzOne {
 public:
  // A fresh toolchain after so many inputs: an MLIR context never forgets an attribute.
  explicit FuzzOne(int inputs_per_toolchain);

  // Runs a case on the toolchain; a case without runs only as far as the verifier's decision. Ends the process with a
  // report on standard error at a new divergence within the specification that repeats with a fresh toolchain, and at a
  // failure of the harness. Returns whether the input shows a known one.
  bool Try(const Case& test_case);
  bool Try(const OpSignature& probe);

 private:
  void RefreshToolchain();
  Observation Observe(absl::FunctionRef<Observation()> observe);
  bool Confirm(const SpecCase& subject);

  const int inputs_per_toolchain_;
  KnownDivergences known_;  // of the toolchain's version
  int inputs_ = 0;
  std::unique_ptr<Toolchain> toolchain_;
};

}  // namespace tosaic

#endif  // TOSAIC_FUZZERS_FUZZ_ONE_H_
