// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

constexpr time_t kSecondsToLock = 60;  // a folder is made first and locked then

int OpenFolder(const std::string& path) { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

// Whether nobody holds its lock, so that the process that made it is dead.
bool IsStale(const std::string& path) {
  const int fd = OpenFolder(path);
  if (fd < 0) return false;
  struct stat status = {};
  const bool is_old =
      fstat(fd, &status) == 0 && status.st_uid == geteuid() && status.st_mtime + kSecondsToLock < time(nullptr);
  const bool stale = is_old && flock(fd, LOCK_EX | LOCK_NB) == 0;
  close(fd);
  return stale;
}

void RemoveStale(const std::string& directory, const std::string& prefix) {
  std::error_code error, ignored;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    if (!absl::StartsWith(it->path().filename().string(), prefix) || !IsStale(it->path().string())) continue;
    std::filesystem::remove_all(it->path(), ignored);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock), owner_(getpid()) {}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)), owner_(other.owner_) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty() && owner_ == getpid()) std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

absl::StatusOr<TemporaryFolder> TemporaryFolder::Create(absl::string_view name) {
  const char* asked_for = getenv("TMPDIR");
  const std::string directory = asked_for == nullptr || *asked_for == '\0' ? "/tmp" : asked_for;
  const std::string prefix = absl::StrCat("tosaic-", name, "-");
  RemoveStale(directory, prefix);
  std::string path = absl::StrCat(directory, "/", prefix, "XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("TMPDIR: cannot create a temporary folder in ", directory, ": ", std::strerror(errno)));
  }
  const int lock = OpenFolder(path);
  if (lock >= 0) (void)flock(lock, LOCK_EX | LOCK_NB);
  return TemporaryFolder(std::move(path), lock);
}

}  // namespace tosaic
