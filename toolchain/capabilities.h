// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a toolchain may be able to do beside observing cases, with an interface for each. The toolchain gives the
// interface, or null if it lacks the ability.
#ifndef TOSAIC_TOOLCHAIN_CAPABILITIES_H_
#define TOSAIC_TOOLCHAIN_CAPABILITIES_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "toolchain/decider.h"

namespace tosaic {

// The stages before lowering, asked alone, of a program without route and runs.
class Verifier {
 public:
  virtual ~Verifier() = default;
  // Whether the verifier accepts, and what shape inference says.
  virtual Observation ObserveDecision(const Program& program) = 0;
  // The same for the op that has the Broadcastable trait alone (model/op_signature.h: kProbeOp).
  virtual Observation ObserveProbe(const OpSignature& probe) = 0;
  // The second verifier: stages build and verify, and then tosa-validate, whose refusals also stand at Stage::kVerify,
  // with `pass` "tosa-validate".
  virtual Observation ObserveValidation(const Program& program, const ValidationTarget& target) = 0;
  // Stages build and verify, and then tosa-infer-shapes; `inferred` are the types it leaves, Stage::kInfer what it
  // says.
  virtual Observation ObserveRefinement(const Program& program) = 0;
};

// Decides on one op with many types.
class DeciderFactory {
 public:
  virtual ~DeciderFactory() = default;
  // `prototype` has one op, whose operands are arguments, to be replaced by values of `types`, or constants, which
  // stay; null: the probe, with any number of operands. Not to be used once the toolchain is gone.
  virtual std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) = 0;
};

// Lowers through pass pipelines (builtin.module(...)) that are no route's.
class Lowering {
 public:
  virtual ~Lowering() = default;
  // What Toolchain::Observe does, with another pass pipeline in the place of the route's. kToolFailure if it does not
  // parse.
  virtual Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) = 0;
  // What a pass pipeline makes of a module in MLIR's text: MLIR, or LLVM IR if that is asked for. Does not return if
  // MLIR kills the process, whose standard error then has MLIR's stack trace; that of a tool is the message of an
  // error. Errors: it is no module, a pass refuses, there is no such pass.
  virtual absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline,
                                                bool to_llvm_ir) = 0;
  // The same of many modules, each apart from the others: a toolchain that starts a program for each starts fewer.
  virtual std::vector<absl::StatusOr<std::string>> LowerTexts(absl::Span<const std::string> modules,
                                                              absl::string_view pipeline, bool to_llvm_ir) {
    std::vector<absl::StatusOr<std::string>> texts;
    for (const std::string& mlir : modules) texts.push_back(LowerText(mlir, pipeline, to_llvm_ir));
    return texts;
  }
};

// Eyes on the rewrite patterns.
class PatternWatcher {
 public:
  virtual ~PatternWatcher() = default;
  // From now on calls `on_pattern` with the name of each rewrite pattern that changes the IR; null: no more, and at no
  // cost.
  virtual void Watch(std::function<void(absl::string_view)> on_pattern) = 0;
  // Those names that the TOSA passes and canonicalizers have for the ops of the catalogue, sorted, as far as they can
  // be enumerated.
  virtual std::vector<std::string> Patterns() = 0;
};

// Null: the toolchain lacks it. Not owned.
struct Capabilities {
  Verifier* verifier = nullptr;
  DeciderFactory* deciders = nullptr;
  Lowering* lowering = nullptr;
  PatternWatcher* patterns = nullptr;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPABILITIES_H_
