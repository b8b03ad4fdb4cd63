// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TemporaryFolder: a folder below TMPDIR (or /tmp) that is removed with this object. If the process was killed, the
// folder stays until the next one is made.
#ifndef TOSAIC_WORKERS_TEMPORARY_FOLDER_H_
#define TOSAIC_WORKERS_TEMPORARY_FOLDER_H_

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

class TemporaryFolder {
 public:
  // Its name is tosaic-NAME-XXXXXX. Error: it cannot be made in TMPDIR.
  static absl::StatusOr<TemporaryFolder> Create(absl::string_view name);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, int lock);
  std::string path_;  // empty: moved away
  int lock_;          // of the folder, as long as a process has it
  pid_t owner_;       // a process forked since leaves it alone
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_TEMPORARY_FOLDER_H_
