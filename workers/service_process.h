// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ServiceProcess: a program that stays, and answers each frame on its standard input with one on its standard output.
// It ends with this object, and with the process that started it.
#ifndef TOSAIC_WORKERS_SERVICE_PROCESS_H_
#define TOSAIC_WORKERS_SERVICE_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

class ServiceProcess {
 public:
  // `arguments` begin with the program's path. Error: there can be no process; that the program cannot be executed, the
  // first answer tells.
  static absl::StatusOr<std::unique_ptr<ServiceProcess>> Start(const std::vector<std::string>& arguments);
  ServiceProcess(const ServiceProcess&) = delete;
  ~ServiceProcess();

  // Whether this process started it: one that was forked since has to start its own.
  bool is_own() const;

  // Sends a frame.
  bool Ask(absl::string_view question);
  // The next frame. Error: how it ended ("signal 11"), or that it says nothing in time; then it is ended.
  absl::StatusOr<std::string> Answer(int wall_seconds);

 private:
  ServiceProcess(pid_t pid, pid_t owner, int in, int out) : pid_(pid), owner_(owner), in_(in), out_(out) {}
  int End();  // returns its wait status

  pid_t pid_;  // 0: it has been ended
  pid_t owner_;
  int in_;   // that of the program; written to
  int out_;  // read from
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_SERVICE_PROCESS_H_
