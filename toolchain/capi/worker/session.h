// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CapiSession: one context of an MLIR behind its C API, and its pass managers, reused from job to job. Jobs go through
// the stages as in a toolchain, in this process; the parent process handles its death.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_SESSION_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_SESSION_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "toolchain/capi/worker/c_library.h"
#include "toolchain/capi/worker/call_library.h"
#include "toolchain/capi/worker/protocol.h"

namespace tosaic {

class CapiSession {
 public:
  explicit CapiSession(const CLibrary& library);
  CapiSession(const CapiSession&) = delete;

  // *object becomes the object file of all jobs that ask for one and did not end. REQUIRES: those ask for the same
  // optimization and CPU.
  CapiReply Do(const CapiRequest& request, std::string* object);

 private:
  class Module;
  struct Tensors;
  struct Step {
    std::string pass;
    MlirPassManager passes;  // null: the pass is Tosaic's own
  };
  // Pass managers are kept from job to job, because building them costs more than running them.
  struct Pipelines {
    std::map<std::string, MlirPassManager> parsed;
    std::map<std::string, std::vector<Step>> steps;
  };

  void Walk(const CapiJob& job, Module* module, CapiAnswer* answer);
  // False if the pipeline ends the job.
  bool Lower(const CapiJob& job, MlirOperation module, CapiAnswer* answer);
  bool LowerAfresh(const CapiJob& job, MlirOperation module, CapiAnswer* answer);
  bool RunPasses(const std::vector<Step>& steps, MlirOperation module, bool extracts, CapiAnswer* answer);
  void Translate(MlirModule module, CapiAnswer* answer);
  void Compile(const CapiRequest& request, const std::vector<Module>& modules, CapiReply* reply, std::string* object);

  std::optional<TensorType> InferredType(MlirOperation op) const;
  std::optional<TensorType> ResultType(MlirOperation op) const;
  Tensors TensorsIn(MlirOperation module) const;

  bool RunStep(const Step& step, MlirOperation module, const OpsByPlace& places, CapiAnswer* answer);
  // The passes of a pipeline one by one. Errors: one does not parse, or is Tosaic's own and not available here.
  absl::StatusOr<const std::vector<Step>*> StepsOf(const std::string& pipeline);
  absl::StatusOr<MlirPassManager> Parse(const std::string& pipeline);

  // Ends the job at its current stage, with the errors emitted since it began.
  void End(Outcome outcome, CapiAnswer* answer);
  void Fail(std::string why, CapiAnswer* answer);  // ends as a tool failure

  const CLibrary& c_;
  MlirContext context_;
  std::vector<std::string> errors_;
  Pipelines pipelines_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_SESSION_H_
