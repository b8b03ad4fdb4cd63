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
#include "model/validation_target.h"
#include "toolchain/decider.h"

namespace tosaic {

struct Route;

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  virtual std::string name() const = 0;                 // "mlir-22"
  virtual std::string version() const = 0;              // "LLVM 22.1.8"
  virtual std::string directory() const { return ""; }  // where its tools are; empty: it is in this process
  // The MLIR's major version, and the dialect that it is spoken to in.
  virtual int mlir_version() const { return Info(dialect()).version; }
  virtual Dialect dialect() const { return Dialect::k22; }
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
  // True once generated code has misbehaved in this process: a long-lived worker should be replaced.
  virtual bool tainted() const { return false; }
};

// The name of the route whose pipeline the user gives (MlirToolchainOptions::pipeline); not in the table.
inline constexpr absl::string_view kCustomRoute = "custom";

// A named way from TOSA to running code: a pass pipeline, and how LLVM and the executor take it from there.
struct Route {
  absl::string_view name;
  absl::string_view pipeline;   // text that MLIR's pass pipeline parser takes
  absl::string_view exercises;  // what it is there for
  int weight = 0;               // how often a campaign on mixed routes takes it; 0: only if it is asked for
  bool extracts = false;        // ends at lower with Observation::lowered; nothing is translated or executed
  bool verifies = false;        // generated code stops itself where run-time extents do not fit
  bool deallocates = false;     // generated code frees what it allocates: leaks are counted
  bool calls_library = false;   // each linalg.generic becomes a call of MlirToolchainOptions::library_function
  bool counts_stores = false;   // LLVM IR is instrumented to count the stores to each byte
  bool approximates = false;    // math is approximated: a wrong value is the route's, whatever it looks like
  size_t alignment = 0;         // generated code allocates so many bytes more and aligns in them; 0: exact
  bool optimized = false;       // LLVM at -O2, else -O0
  bool host_cpu = false;        // code for this machine's CPU, else for a plain one of its architecture
  bool in_process = false;      // needs passes of Tosaic's own, or its eyes on the IR
};
// Those of MLIR 22, in which every route has its name.
absl::Span<const Route> AllRoutes();
const Route* FindRoute(absl::string_view name);
// Among `routes`; null if none has that name.
const Route* FindRoute(absl::Span<const Route* const> routes, absl::string_view name);
// Those that the tools of an MLIR with this dialect can take, in the order of AllRoutes.
std::vector<const Route*> RoutesOfTools(Dialect dialect);

// What is said of a pass that left a constant of a type without static shape: such IR cannot be read back.
inline constexpr absl::string_view kLooseConstant = "a constant of a type without static shape";

// A pass pipeline with `pass` put in right behind the first pass named `after`. Error: there is none.
absl::StatusOr<std::string> InsertPass(absl::string_view pipeline, absl::string_view after, absl::string_view pass);

// Computes an op of the program on operands of these elements (shift and zero points included), which broadcast to
// `result_sizes`: what the external library does on a route that calls one. May answer anything where the documents
// allow anything.
using LibraryFunction =
    std::function<Tensor(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                         const std::vector<int64_t>& result_sizes)>;

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
