// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic-server-CPU: runs inside qemu-user, where it executes linked programs with the executor that `tosaic` has for
// its own CPU. One process serves many programs; it talks over pipes (toolchain/execution/cpu_protocol.h).
#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "gnu/libc-version.h"
#include "toolchain/execution/cpu_protocol.h"
#include "toolchain/progress.h"
#include "workers/frames.h"
#include "workers/progress.h"
#include "workers/worker_process.h"

// Functions of libgcc that generated code calls.
extern "C" {
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
void __multi3();
void __ashlti3();
void __ashrti3();
void __lshrti3();
}

namespace tosaic {

// Here it is the other process that says how far a case is.
void EnterRun(uint32_t run) { (void)WriteFrame(STDOUT_FILENO, absl::StrCat(std::string(1, kRunEntered), run)); }

namespace {

constexpr size_t kCodeBytes = size_t{16} << 20;
alignas(65536) uint8_t code[kCodeBytes];

template <typename Function>
uint64_t AddressOf(Function* function) {
  return reinterpret_cast<uint64_t>(function);
}

CpuGreeting Greeting() {
  CpuGreeting greeting{.code = AddressOf(code), .code_bytes = kCodeBytes, .symbols = {}, .runtime = ""};
  greeting.runtime = absl::StrCat("glibc ", gnu_get_libc_version());
  for (const Executor::Symbol& symbol : Executor::RuntimeSymbols()) {
    greeting.symbols.push_back({std::string(symbol.name), AddressOf(symbol.address)});
  }
  for (CpuSymbol symbol : {CpuSymbol{"sincosf", AddressOf(::sincosf)},
                           {"sincos", AddressOf(::sincos)},
                           {"ldexpf", AddressOf<float(float, int)>(::ldexpf)},
                           {"ldexp", AddressOf<double(double, int)>(::ldexp)},
                           {"exp10f", AddressOf<float(float)>(::exp10f)},
                           {"exp10", AddressOf<double(double)>(::exp10)},
                           {"__divti3", AddressOf(__divti3)},
                           {"__modti3", AddressOf(__modti3)},
                           {"__udivti3", AddressOf(__udivti3)},
                           {"__umodti3", AddressOf(__umodti3)},
                           {"__multi3", AddressOf(__multi3)},
                           {"__ashlti3", AddressOf(__ashlti3)},
                           {"__ashrti3", AddressOf(__ashrti3)},
                           {"__lshrti3", AddressOf(__lshrti3)}}) {
    greeting.symbols.push_back(std::move(symbol));
  }
  return greeting;
}

// Puts the program where it was linked for. False: it does not lie there.
bool Load(const std::vector<CodeSegment>& segments, absl::string_view bytes) {
  if (mprotect(code, kCodeBytes, PROT_READ | PROT_WRITE) != 0) return false;
  for (const CodeSegment& segment : segments) {
    const uint64_t offset = segment.address - AddressOf(code);
    if (segment.bytes > bytes.size() || offset > kCodeBytes || segment.bytes > kCodeBytes - offset) return false;
    std::memcpy(code + offset, bytes.data(), segment.bytes);
    bytes.remove_prefix(segment.bytes);
    auto* begin = reinterpret_cast<char*>(code + offset);
    __builtin___clear_cache(begin, begin + segment.bytes);
    const int protection = PROT_READ | (segment.is_executable ? PROT_EXEC : 0) | (segment.is_writable ? PROT_WRITE : 0);
    if (segment.bytes > 0 && mprotect(code + offset, segment.bytes, protection) != 0) return false;
  }
  return bytes.empty();
}

// Asks `tosaic` for what the function of the library returns.
Tensor AskLibrary(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                  const std::vector<int64_t>& result_sizes) {
  LibraryQuestion question{
      .op = static_cast<int>(&op - program.ops.data()), .operands = {}, .result_sizes = result_sizes};
  for (const Tensor* operand : operands) question.operands.push_back(*operand);
  (void)WriteFrame(STDOUT_FILENO, absl::StrCat(std::string(1, kLibraryCalled), ToLine(question)));
  const std::optional<std::string> answer = ReadFrame(STDIN_FILENO);
  absl::StatusOr<Tensor> result = FromText<Tensor>(answer ? *answer : "");
  if (!result.ok()) std::_Exit(1);
  return *std::move(result);
}

// A program that never ends costs the emulator's process its life, and is seen by that.
void LimitTime(int seconds) {
  rusage used = {};
  rlimit limit = {};
  if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
  SetSoftLimit(RLIMIT_CPU, static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2 + seconds));
}

Observation Serve(absl::string_view question) {
  Observation observation;
  const size_t end = question.find('\n', 0);
  absl::StatusOr<CpuTask> task = FromText<CpuTask>(question.substr(0, end));
  if (!task.ok() || end == question.npos || !Load(task->segments, question.substr(end + 1))) {
    observation.outcome = Outcome::kToolFailure;
    observation.diagnostics = {task.ok() ? "the program does not fit into the server's memory"
                                         : absl::StrCat("a task is malformed: ", task.status().message())};
    return observation;
  }
  LimitTime(task->cpu_seconds);
  task->options.library_function = AskLibrary;
  static Executor executor;
  executor.Execute(reinterpret_cast<void*>(task->entry), task->test_case, task->options, &observation);
  return observation;
}

}  // namespace
}  // namespace tosaic

// One process serves few programs: it retires once a program may have damaged it, and damage ends with it.
int main() {
  using namespace tosaic;
  if (!WriteFrame(STDOUT_FILENO, ToLine(Greeting()))) return 1;
  while (const std::optional<std::string> question = ReadFrame(STDIN_FILENO)) {
    const std::string answer = absl::StrCat(std::string(1, kExecuted), ToLine(Serve(*question)));
    if (!WriteFrame(STDOUT_FILENO, answer) || TakeRetirement()) break;
  }
  return 0;
}
