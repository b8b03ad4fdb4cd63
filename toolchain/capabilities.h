// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Abilities that a toolchain may have beside observing cases, with an interface for each. The toolchain returns the
// interface, or null if it lacks the ability.
#ifndef TOSAIC_TOOLCHAIN_CAPABILITIES_H_
#define TOSAIC_TOOLCHAIN_CAPABILITIES_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "toolchain/rewrite_switch.h"

namespace tosaic {

// Runs the stages before lowering alone, for a program without a route and runs.
class Verifier {
 public:
  virtual ~Verifier() = default;
  // Whether the verifier accepts it, and what shape inference says.
  virtual Observation ObserveDecision(const Program& program) = 0;
  // The same for the op that has the Broadcastable trait alone (model/op_signature.h: kProbeOp).
  virtual Observation ObserveProbe(const OpSignature& probe) = 0;
  // The second verifier: stages build and verify, and then tosa-validate, whose refusals also stand at Stage::kVerify,
  // with `pass` "tosa-validate".
  virtual Observation ObserveValidation(const Program& program, const ValidationTarget& target) = 0;
};

// Decides about one op for many types. It gives the same answers as Verifier::ObserveDecision several times as fast,
// because it builds the op once and changes only its operands and the result's type.
class Decider {
 public:
  struct Answer {
    bool accepted = false;
    std::string diagnostic;            // of a refusal: the first error
    std::optional<Category> category;  // of that error
    // If accepted: what the op's own shape inference says, as in Observation::inferred.
    std::optional<TensorType> inferred;
  };

  virtual ~Decider() = default;
  // Decides on the op with operands and a result of the types with these numbers. The answer is valid until the next
  // call.
  virtual const Answer& Decide(absl::Span<const size_t> operands, size_t result) = 0;
};

// Decides on one op with many types.
class DeciderFactory {
 public:
  virtual ~DeciderFactory() = default;
  // `prototype` has one op. Those of its operands that are arguments get the `types`, constants stay. If it is null,
  // the op is the probe, with any number of operands. The toolchain must outlive the result.
  virtual std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) = 0;
};

// Lowers through pass pipelines (builtin.module(...)) that do not belong to a route. Who has it overrides LowerText or
// LowerTexts.
class Lowering {
 public:
  virtual ~Lowering() = default;
  // Does the same as Toolchain::Observe with another pass pipeline instead of the route's. kToolFailure if it does not
  // parse.
  virtual Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) = 0;
  // The output of a pass pipeline for a module as MLIR text: MLIR, or LLVM IR on request. Does not return if MLIR kills
  // the process, whose standard error then has MLIR's stack trace; a tool's stack trace is the message of an error.
  // Errors: the text is not a module, a pass refuses it, there is no such pass.
  virtual absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) {
    const std::string module(mlir);
    return std::move(LowerTexts({&module, 1}, pipeline, to_llvm_ir).front());
  }
  // The same in a process that goes on to run code, whose signal handlers stay as they are.
  virtual absl::StatusOr<std::string> LowerTextHere(absl::string_view mlir, absl::string_view pipeline,
                                                    bool to_llvm_ir) {
    return LowerText(mlir, pipeline, to_llvm_ir);
  }
  // The same for many independent modules: a toolchain that starts a program for each then starts fewer.
  virtual std::vector<absl::StatusOr<std::string>> LowerTexts(absl::Span<const std::string> modules,
                                                              absl::string_view pipeline, bool to_llvm_ir) {
    std::vector<absl::StatusOr<std::string>> texts;
    for (const std::string& mlir : modules) texts.push_back(LowerTextHere(mlir, pipeline, to_llvm_ir));
    return texts;
  }
};

// Observes the rewrite patterns.
class PatternWatcher {
 public:
  virtual ~PatternWatcher() = default;
  // From now on calls `on_pattern` with the name of each rewrite pattern that changes the IR. Null ends this, and then
  // it costs nothing.
  virtual void Watch(std::function<void(absl::string_view)> on_pattern) = 0;
  // Those names that the TOSA passes and canonicalizers have for the ops of the catalogue, sorted, as far as they can
  // be enumerated.
  virtual std::vector<std::string> Patterns() = 0;
};

// Reads text that is no case, where there are no pipelines to lower it through.
class Reader {
 public:
  virtual ~Reader() = default;
  // Why it refuses a module of MLIR text as it reads and verifies it, in its own words; "" if it takes it. Error: it
  // does not say.
  virtual absl::StatusOr<std::string> RefusalOf(absl::string_view mlir) = 0;
};

// Null: the toolchain lacks it. Not owned.
struct Capabilities {
  Verifier* verifier = nullptr;
  DeciderFactory* deciders = nullptr;
  Lowering* lowering = nullptr;
  Reader* reader = nullptr;
  PatternWatcher* patterns = nullptr;
  RewriteSwitch* rewrites = nullptr;  // those that it can switch off
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPABILITIES_H_
