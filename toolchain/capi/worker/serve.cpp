// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "toolchain/capi/worker/c_library.h"
#include "toolchain/capi/worker/protocol.h"
#include "toolchain/capi/worker/session.h"
#include "toolchain/progress.h"
#include "toolchain/symbolizer.h"
#include "workers/frames.h"
#include "workers/transfer.h"

namespace tosaic {
namespace {

bool IsClosed(int fd) {
  pollfd poll_fd = {fd, 0, 0};
  return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR)) != 0;
}

std::string Do(CapiSession& session, absl::string_view text) {
  const absl::StatusOr<CapiRequest> request = FromText<CapiRequest>(text);
  if (!request.ok()) return "";  // nobody of ours: the answer is none
  SymbolizeDeaths(absl::c_any_of(request->jobs, [](const CapiJob& job) { return job.symbolizes; }));
  std::string object;
  const CapiReply reply = session.Do(*request, &object);
  return absl::StrCat(ToLine(reply), "\n", object);
}

// Until `in` is closed.
absl::Status AnswerAll(CapiSession& session, const WorkerLimits& limits, int in, int out) {
  // The request at work, which this process and the forked one that does it share.
  const MemoryFile desk("tosaic-capi-request");
  std::atomic<bool> stop{false};
  uint64_t requests = 0;
  bool at_work = false;
  auto next = [&]() -> std::optional<uint64_t> {
    if (at_work) {
      stop = stop || IsClosed(in);
      return std::nullopt;
    }
    const std::optional<std::string> request = ReadFrame(in);
    lseek(desk.fd(), 0, SEEK_SET);
    at_work = request && ftruncate(desk.fd(), 0) == 0 && WriteAll(desk.fd(), request->data(), request->size());
    return at_work ? std::optional(requests++) : std::nullopt;
  };
  auto answer = [&](TaskResult result) {
    at_work = false;
    if (result.death) {
      const CapiReply reply{.answers = {}, .death = ObservationOf(*result.death), .last_words = result.death->output};
      result.payload = ToLine(reply) + "\n";
    }
    WriteFrame(out, result.payload);
  };
  return RunTasks(
      {.jobs = 1, .limits = limits}, &stop, next, [&](uint64_t) { return Do(session, desk.Content()); }, answer);
}

}  // namespace

int Serve(const std::string& file, const WorkerLimits& limits) {
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
  signal(SIGINT, SIG_IGN);  // who started this process decides when to end
  CapiGreeting greeting = OwnGreeting();
  const absl::StatusOr<CLibrary> library = CLibrary::Load(file);
  if (!library.ok()) {
    greeting.error = std::string(library.status().message());
    WriteFrame(out, ToLine(greeting));
    return 0;
  }
  greeting.version = library->version();
  CapiSession session(*library);
  WriteFrame(out, ToLine(greeting));

  return AnswerAll(session, limits, in, out).ok() ? 0 : 1;
}

}  // namespace tosaic
