// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AdapterClient: talks to an adapter; each process starts its own. If the adapter does not answer a request correctly,
// the client sends the request alone to a fresh adapter. So the answer about a program does not depend on the programs
// before it.
#ifndef TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_CLIENT_H_
#define TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_CLIENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "toolchain/adapter/protocol.h"
#include "workers/service_process.h"
#include "workers/worker_pool.h"

namespace tosaic {

class AdapterClient {
 public:
  // `command` is a shell command; `limits` apply to one program.
  AdapterClient(std::string command, const WorkerLimits& limits) : command_(std::move(command)), limits_(limits) {}

  // Starts the adapter. Error: it does not start, or its greeting is wrong.
  absl::StatusOr<AdapterGreeting> Greet();

  // The result for a program: an answer, or how a fresh adapter ended on it.
  struct Done {
    AdapterAnswer answer;
    std::optional<Observation> end;
  };
  std::vector<Done> Ask(absl::Span<const AdapterProgram> programs);

 private:
  Done AskAlone(const AdapterProgram& program);
  // Errors: kDeadlineExceeded; kUnavailable if it ended ("signal 11"); others say what is wrong with the answer. On an
  // error it ends the adapter.
  absl::StatusOr<std::vector<AdapterAnswer>> TryToAsk(absl::Span<const AdapterProgram> programs, int wall_seconds);
  absl::StatusOr<AdapterReply> ReadReply(int wall_seconds);
  absl::Status EndReply(int wall_seconds);
  bool IsThere() const { return service_ != nullptr && service_->is_own(); }
  absl::Status WithLastWords(const absl::Status& status) const;

  const std::string command_;
  const WorkerLimits limits_;
  std::unique_ptr<ServiceProcess> service_;
  uint64_t last_id_ = 0;
  Stage stage_ = Stage::kLower;  // that the adapter said it is at
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ADAPTER_ADAPTER_CLIENT_H_
