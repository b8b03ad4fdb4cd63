// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CpuClient: executes linked programs on another CPU, in a server that runs inside an emulator. Each process starts its
// own server, which serves until a program damages it.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CPU_CLIENT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CPU_CLIENT_H_

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/cpus.h"
#include "model/routes.h"
#include "toolchain/execution/cpu_protocol.h"
#include "workers/service_process.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Where programs run. By default it is in this process, on this machine's CPU.
struct CpuSettings {
  const Cpu* cpu = nullptr;
  std::string emulator;  // paths
  std::string server;
  std::string emulator_version;  // "qemu-aarch64 7.2.22"
  WorkerLimits limits;           // of one case
};

// The server for this CPU in the directory (empty: beside this program), and its emulator in PATH. Errors: there is no
// such CPU, or which Debian packages are needed.
absl::StatusOr<CpuSettings> FindCpuServer(absl::string_view name, const WorkerLimits& limits,
                                          const std::filesystem::path& directory = {});

// Those that code for the CPU can take: the library behind `apfloat` is MLIR's, and there for this machine's CPU alone.
std::vector<const Route*> RoutesOn(const CpuSettings& cpu, std::vector<const Route*> routes);

class CpuClient {
 public:
  explicit CpuClient(CpuSettings settings) : settings_(std::move(settings)) {}

  // The greeting of a server of this CPU. Error: it does not start.
  absl::StatusOr<CpuGreeting> Greet();
  // As Executor::Execute. `task` lacks options and case, `code` has the bytes of its segments. A server that ends
  // within the code by a limit is a deadline; ended otherwise, it is kToolFailure.
  void Execute(CpuTask task, absl::string_view code, const Case& test_case, const Executor::Options& options,
               Observation* observation);

 private:
  absl::StatusOr<Observation> Converse(absl::string_view question, const Case& test_case,
                                       const Executor::Options& options);

  CpuSettings settings_;
  std::unique_ptr<ServiceProcess> service_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CPU_CLIENT_H_
