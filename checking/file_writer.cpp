// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/file_writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "workers/transfer.h"

namespace tosaic {
namespace {

// In the target's folder, or a rename might not be one.
std::string TemporaryBeside(const std::string& path) {
  const size_t slash = path.rfind('/');
  return absl::StrCat(slash == path.npos ? "" : path.substr(0, slash + 1), ".tosaic-XXXXXX");
}

// The umask decides, as for any file that is created.
void MakeReadable(int fd) {
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, 0666 & ~mask);
}

// Opens a file that is written in place: a pipe or a device. Waits a moment for a pipe's reader, and no longer.
int OpenInPlace(const std::string& path) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  for (int i = 0; i < 100 && fd < 0 && errno == ENXIO; ++i) {
    usleep(10'000);
    fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  }
  if (fd >= 0) (void)fcntl(fd, F_SETFL, O_WRONLY);
  return fd;
}

}  // namespace

absl::Status WriteError(const std::string& path, int why, absl::string_view more) {
  const absl::string_view reason = why == ENXIO ? "nobody reads this pipe" : std::strerror(why);
  const bool lacks_room = why == ENOSPC || why == EFBIG || why == EDQUOT || why == EIO;
  return absl::Status(lacks_room ? absl::StatusCode::kResourceExhausted : absl::StatusCode::kUnavailable,
                      absl::StrCat(path, ": cannot write: ", reason, more));
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      fd_(std::exchange(other.fd_, -1)),
      buffer_(std::move(other.buffer_)) {}

FileWriter::~FileWriter() {
  if (fd_ < 0) return;
  close(fd_);
  if (target_ != path_) std::remove(target_.c_str());
}

absl::StatusOr<FileWriter> FileWriter::Create(const std::string& path) {
  FileWriter writer;
  // A device or a pipe (/dev/stdout) is written to, never replaced.
  std::error_code ignored;
  const bool in_place = std::filesystem::is_other(path, ignored);
  writer.path_ = path;
  writer.target_ = in_place ? path : TemporaryBeside(path);
  // A name that nobody can guess, and a new file: a link that lies in wait is not followed.
  writer.fd_ = in_place ? OpenInPlace(path) : mkostemp(writer.target_.data(), O_CLOEXEC);
  if (writer.fd_ < 0) return WriteError(path, errno);
  if (!in_place) MakeReadable(writer.fd_);
  return writer;
}

absl::Status FileWriter::Flush() {
  errno = EIO;  // for a device that takes no more and says nothing
  if (!WriteAll(fd_, buffer_.data(), buffer_.size())) return WriteError(path_, errno);
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status FileWriter::Append(absl::string_view content) {
  constexpr size_t kMostBuffered = size_t{1} << 20;
  absl::StrAppend(&buffer_, content);
  return buffer_.size() < kMostBuffered ? absl::OkStatus() : Flush();
}

absl::Status FileWriter::Commit() {
  TOSAIC_RETURN_IF_ERROR(Flush());
  const bool closed = close(std::exchange(fd_, -1)) == 0;
  if (closed && (target_ == path_ || std::rename(target_.c_str(), path_.c_str()) == 0)) return absl::OkStatus();
  const int why = errno;
  if (target_ != path_) std::remove(target_.c_str());
  return WriteError(path_, why);
}

}  // namespace tosaic
