// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DirectoryLock: one process at a time writes a directory. Released with the object, or by the death of the process.
#ifndef TOSAIC_CHECKING_DIRECTORY_LOCK_H_
#define TOSAIC_CHECKING_DIRECTORY_LOCK_H_

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"

namespace tosaic {

class DirectoryLock {
 public:
  // The directory must exist. While the lock is held, a file `lock` in it says who holds it, and since when. Error:
  // another process holds it; the message names that process. If the file system has no locks, this locks nothing.
  static absl::StatusOr<DirectoryLock> Take(const std::string& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  DirectoryLock(std::string file, int fd);
  std::string file_;
  int fd_;       // -1: moved away
  pid_t owner_;  // a process forked since leaves the file alone
};

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_DIRECTORY_LOCK_H_
