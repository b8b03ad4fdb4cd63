// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/files.h"
#include "codec/status.h"

namespace tosaic {
namespace {

// "process 4711 on host, since 2026-11-22 03:10:00 UTC".
std::string Self() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return absl::StrCat("process ", getpid(), " on ", host, ", since ",
                      absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::Now(), absl::UTCTimeZone()));
}

}  // namespace

DirectoryLock::DirectoryLock(std::string file, int fd) : file_(std::move(file)), fd_(fd), owner_(getpid()) {}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::move(other.file_)), fd_(std::exchange(other.fd_, -1)), owner_(other.owner_) {}

DirectoryLock::~DirectoryLock() {
  if (fd_ < 0) return;
  // Still locked: nobody else's file goes.
  if (owner_ == getpid()) std::remove(file_.c_str());
  close(fd_);
}

absl::StatusOr<DirectoryLock> DirectoryLock::Take(const std::string& directory) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return absl::UnavailableError(absl::StrCat(directory, ": cannot open: ", std::strerror(errno)));
  DirectoryLock lock(absl::StrCat(directory, "/lock"), fd);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const absl::StatusOr<std::string> who = ReadFile(lock.file_);
    lock.owner_ = 0;
    return absl::FailedPreconditionError(
        absl::StrCat(directory, ": another tosaic is at work there",
                     who.ok() ? absl::StrCat(" (", absl::StripAsciiWhitespace(*who), ")") : ""));
  }
  TOSAIC_RETURN_IF_ERROR(WriteFile(lock.file_, Self() + "\n"));
  return lock;
}

}  // namespace tosaic
