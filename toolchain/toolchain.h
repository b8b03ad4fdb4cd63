// Toolchain: something that takes a case through verify, infer, lower, compile and run, and says what happened.
#ifndef TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_TOOLCHAIN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/routes.h"
#include "model/validation_target.h"
#include "toolchain/decider.h"

namespace tosaic {

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  virtual std::string name() const = 0;                 // "mlir-22"
  virtual std::string version() const = 0;              // "LLVM 22.1.8"
  virtual std::string directory() const { return ""; }  // where its tools are; empty: it is in this process
  // The MLIR's major version, and the dialect that it is spoken to in.
  virtual int mlir_version() const { return Info(dialect()).version; }
  virtual Dialect dialect() const { return kCanonicalDialect; }
  // The routes that it has; others it refuses to build.
  virtual std::vector<const Route*> Routes() const;
  // The pass pipeline behind a route; empty if there is no such route.
  virtual std::string PipelineOf(absl::string_view route) const = 0;
  // What has been loaded into it, for result files: a line each.
  virtual std::vector<std::string> plugins() const { return {}; }
  // Walks the stages until one ends the case. Does not return if MLIR kills the process: see worker_pool.h.
  // Whatever the case is, the answer is an Observation.
  virtual Observation Observe(const Case& test_case) = 0;
  // The same with another pass pipeline (builtin.module(...)) in the place of the route's. kToolFailure if it does not
  // parse, or the toolchain has only its own.
  virtual Observation ObserveThrough(const Case& test_case, absl::string_view pipeline);
  // How many cases are worth preparing at once; 1: preparing changes nothing.
  virtual size_t batch_size() const { return 1; }
  // Does for many cases at once what their Observe, in any process that is or will be a copy of this one, would do for
  // each. What Observe answers does not depend on it. What is prepared serves one Observe.
  virtual void Prepare(absl::Span<const Case>) {}
  // The first two stages alone: whether the verifier accepts, and what shape inference says.
  virtual Observation ObserveDecision(const Program& program) = 0;
  // The second verifier: stages build and verify, and then tosa-validate, whose refusals also stand at Stage::kVerify,
  // with `pass` "tosa-validate". kToolFailure if the toolchain has no such verifier.
  virtual Observation ObserveValidation(const Program& program, const ValidationTarget& target);
  // Stages build and verify, and then tosa-infer-shapes; `inferred` are the types it leaves, Stage::kInfer what it
  // says. kToolFailure if the toolchain has no such pass.
  virtual Observation ObserveRefinement(const Program& program);
  // The same for the op that has the Broadcastable trait alone (model/op_signature.h: kProbeOp).
  virtual Observation ObserveProbe(const OpSignature& probe) = 0;
  // Decides on one op with many types. `prototype` has one op, whose operands are arguments, to be replaced by values
  // of `types`, or constants, which stay; null: the probe, with any number of operands. Not to be used once the
  // toolchain is gone. Null if the toolchain has none.
  virtual std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) = 0;
  // What a pass pipeline (builtin.module(...)) makes of a module in MLIR's text: MLIR, or LLVM IR if that is asked for.
  // Does not return if MLIR kills the process. Errors: it is no module, a pass refuses, there is no such pass.
  virtual absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir);
  // From now on calls `on_pattern` with the name of each rewrite pattern that changes the IR; null: no more, and at no
  // cost. A toolchain without eyes calls nothing.
  virtual void WatchPatterns(std::function<void(absl::string_view)> on_pattern);
  // Those names that its TOSA passes and canonicalizers have for the ops of the catalogue, sorted, as far as they can
  // be enumerated.
  virtual std::vector<std::string> Patterns() { return {}; }
};

// What is said of a pass that left a constant of a type without static shape: such IR cannot be read back.
inline constexpr absl::string_view kLooseConstant = "a constant of a type without static shape";

// Computes an op of the program on operands of these elements (shift and zero points included), which broadcast to
// `result_sizes`: what the external library does on a route that calls one. May answer anything where the documents
// allow anything.
using LibraryFunction =
    std::function<Tensor(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                         const std::vector<int64_t>& result_sizes)>;

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
