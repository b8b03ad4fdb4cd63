// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/cpu_client.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "toolchain/progress.h"
#include "workers/command.h"
#include "workers/tool_process.h"

namespace tosaic {
namespace {

constexpr int kStartSeconds = 30;  // at most

std::string FindInPath(absl::string_view program) {
  for (const std::string& directory : SearchedDirectories()) {
    std::string path = absl::StrCat(directory, "/", program);
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

// "qemu-aarch64 version 7.2.22" of its first line, the package's part left out.
std::string VersionOf(const std::string& emulator) {
  const std::string version_text = RunTool({emulator, "--version"}, "", {}).out;
  return version_text.substr(
      0, version_text.find_first_of("(\n") - (version_text.find(" (") != version_text.npos ? 1 : 0));
}

Tensor AnswerOfLibrary(absl::string_view text, const Case& test_case, const LibraryFunction& function) {
  const absl::StatusOr<LibraryQuestion> question = FromText<LibraryQuestion>(text);
  const Program& program = test_case.program;
  if (!question.ok() || !function || static_cast<size_t>(question->op) >= program.ops.size()) return Tensor();
  std::vector<const Tensor*> operands;
  for (const Tensor& operand : question->operands) operands.push_back(&operand);
  return function(program, program.ops[static_cast<size_t>(question->op)], operands, question->result_sizes);
}

void KeepExecution(Observation executed, Observation* observation) {
  observation->outcome = executed.outcome;
  observation->signal = executed.signal;
  observation->run = executed.run;
  observation->runs = std::move(executed.runs);
  observation->fault = std::move(executed.fault);
  std::move(executed.diagnostics.begin(), executed.diagnostics.end(), std::back_inserter(observation->diagnostics));
}

}  // namespace

absl::StatusOr<CpuSettings> FindCpuServer(absl::string_view name, const WorkerLimits& limits,
                                          const std::filesystem::path& directory) {
  const Cpu* cpu = FindCpu(name);
  if (cpu == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cpu: there is no '", name, "' (", absl::StrJoin(CpuNames(), ", "), ")"));
  }
  CpuSettings settings{.cpu = cpu, .emulator = FindInPath(cpu->emulator), .server = "", .limits = limits};
  const std::filesystem::path place = directory.empty() ? OwnProgram().parent_path() : directory;
  settings.server = (place / absl::StrCat("tosaic-server-", name)).string();
  std::error_code ignored;
  const bool is_built = std::filesystem::exists(settings.server, ignored);
  if (is_built && !settings.emulator.empty()) {
    settings.emulator_version = VersionOf(settings.emulator);
    return settings;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--cpu=", name, ": there is no ", is_built ? std::string(cpu->emulator) : settings.server,
                   "; install Debian's ", cpu->packages, is_built ? "" : ", and configure and build Tosaic again"));
}

std::vector<const Route*> RoutesOn(const CpuSettings& cpu, std::vector<const Route*> routes) {
  if (cpu.cpu == nullptr) return routes;
  std::erase_if(routes, [](const Route* route) { return absl::StrContains(route->pipeline, "-apfloat"); });
  return routes;
}

absl::StatusOr<CpuGreeting> CpuClient::Greet() {
  TOSAIC_ASSIGN_OR_RETURN(
      std::unique_ptr<ServiceProcess> service,
      ServiceProcess::Start({settings_.emulator, "-cpu", std::string(settings_.cpu->emulated), settings_.server},
                            /*is_foreign=*/true));
  const absl::StatusOr<std::string> text = service->Answer(kStartSeconds);
  const absl::StatusOr<CpuGreeting> greeting =
      text.ok() ? FromText<CpuGreeting>(*text) : absl::StatusOr<CpuGreeting>(text.status());
  if (!greeting.ok()) {
    return absl::UnavailableError(absl::StrCat("--cpu=", settings_.cpu->name, ": ", settings_.server,
                                               " does not start: ", greeting.status().message(), " ",
                                               service->LastWords()));
  }
  service_ = std::move(service);
  return greeting;
}

absl::StatusOr<Observation> CpuClient::Converse(absl::string_view question, const Case& test_case,
                                                const Executor::Options& options) {
  bool asked = service_->Ask(question);
  while (true) {
    absl::StatusOr<std::string> answer = service_->Answer(settings_.limits.wall_seconds);
    if (!answer.ok()) return answer.status();
    if (!asked || answer->empty()) return absl::InternalError("it does not keep to the protocol");
    const absl::string_view rest = absl::string_view(*answer).substr(1);
    uint32_t run = 0;
    switch (answer->front()) {
      case kRunEntered:
        if (absl::SimpleAtoi(rest, &run)) EnterRun(run);
        break;
      case kLibraryCalled:
        asked = service_->Ask(ToLine(AnswerOfLibrary(rest, test_case, options.library_function)));
        break;
      case kExecuted:
        return FromText<Observation>(rest);
      default:
        asked = false;
    }
  }
}

void CpuClient::Execute(CpuTask task, absl::string_view code, const Case& test_case, const Executor::Options& options,
                        Observation* observation) {
  if (service_ != nullptr && !service_->is_own()) service_.reset();
  if (service_ == nullptr) {
    if (absl::Status status = Greet().status(); !status.ok()) {
      observation->outcome = Outcome::kToolFailure;
      observation->diagnostics.push_back(std::string(status.message()));
      return;
    }
  }
  task.cpu_seconds = settings_.limits.cpu_seconds;
  task.options = options;
  task.test_case = test_case;
  absl::StatusOr<Observation> executed = Converse(absl::StrCat(ToLine(task), "\n", code), test_case, options);
  if (executed.ok()) {
    if (executed->outcome != Outcome::kCompleted) service_.reset();  // the code has left it anywhere
    return KeepExecution(*std::move(executed), observation);
  }
  const bool is_slow =
      absl::IsDeadlineExceeded(executed.status()) || executed.status().message() == absl::StrCat("signal ", SIGXCPU);
  observation->outcome = is_slow ? Outcome::kDeadline : Outcome::kToolFailure;
  observation->run = ReadProgress(CurrentProgress()).step;
  if (!is_slow) {
    observation->diagnostics.push_back(
        absl::StrCat("the emulator has ended: ", executed.status().message(), " ", service_->LastWords()));
  }
  service_.reset();
}

}  // namespace tosaic
