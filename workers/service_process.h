// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ServiceProcess: a program that keeps running, and answers each frame on its standard input with one on its standard
// output, or each line with lines. It ends with this object, and with the process that started it.
#ifndef TOSAIC_WORKERS_SERVICE_PROCESS_H_
#define TOSAIC_WORKERS_SERVICE_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

class ServiceProcess {
 public:
  // `arguments` begin with the program's path. A foreign program does not have the limits of this process, and its
  // standard error is kept. Error: the process cannot be created. If the program cannot be executed, the first answer
  // says so.
  static absl::StatusOr<std::unique_ptr<ServiceProcess>> Start(const std::vector<std::string>& arguments,
                                                               bool is_foreign = false);
  ServiceProcess(const ServiceProcess&) = delete;
  ~ServiceProcess();

  // Whether this process started it: a process that was forked since must start its own.
  bool is_own() const;

  // Sends a frame, unless the program has ended or does not read it.
  bool Ask(absl::string_view question);
  // The next frame. Error: how the program ended ("signal 11"), or that it did not answer in time; then it is ended.
  absl::StatusOr<std::string> Answer(int wall_seconds);

  // Sends a line, given without its newline. It is an error if that takes longer.
  bool AskLine(absl::string_view question, int wall_seconds);
  // The next line, without its newline. Errors: as for Answer.
  absl::StatusOr<std::string> AnswerLine(int wall_seconds);
  // Whether there is something to read, or the program has closed its output.
  bool HasMore() const;
  // The last lines that it printed on standard error, if it is a foreign program.
  std::string LastWords() const;

 private:
  ServiceProcess(pid_t pid, pid_t owner, int in, int out, int err)
      : pid_(pid), owner_(owner), in_(in), out_(out), err_(err) {}
  bool Send(absl::string_view bytes, int wall_seconds);
  absl::Status HowItEnded();
  int End();  // returns its wait status

  pid_t pid_;  // 0: it has been ended
  pid_t owner_;
  int in_;            // that of the program; written to
  int out_;           // read from
  int err_;           // a file that takes its standard error; -1: it has that of this process
  std::string read_;  // of a line that has not ended yet
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_SERVICE_PROCESS_H_
