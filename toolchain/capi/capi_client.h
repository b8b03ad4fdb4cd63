// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CapiClient: sends jobs to the MLIR in a shared library by way of a worker program. Each process starts its own
// worker.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_CLIENT_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_CLIENT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "toolchain/capi/worker/protocol.h"
#include "workers/service_process.h"
#include "workers/worker_pool.h"

namespace tosaic {

class CapiClient {
 public:
  struct Settings {
    std::string library;
    std::string program;  // tosaic-capi-worker
    WorkerLimits limits;  // of one request
  };
  explicit CapiClient(Settings settings) : settings_(std::move(settings)) {}

  // The result of a job.
  struct Done {
    CapiAnswer answer;
    std::shared_ptr<const std::string> object;  // set if it asked for one and did not end; shared by several jobs
    std::string last_words;                     // the last lines that MLIR printed, if it died of the job
  };
  // Does all jobs at once or, if that fails, by halves, down to the job at fault. REQUIRES: as for CapiSession::Do.
  std::vector<Done> Ask(absl::Span<const CapiJob> jobs);

  // The library's version, from a worker that has loaded it. Error: no worker can load it.
  absl::StatusOr<std::string> Greet();

 private:
  Done AskAlone(const CapiJob& job);
  // No answers: *death says why, if the work ended in a process's death.
  absl::StatusOr<std::vector<Done>> AskTogether(absl::Span<const CapiJob> jobs, CapiReply* death);

  Settings settings_;
  std::unique_ptr<ServiceProcess> service_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_CLIENT_H_
