// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes that continue after an interruption and after a partial transfer, and files in memory.
#ifndef TOSAIC_WORKERS_TRANSFER_H_
#define TOSAIC_WORKERS_TRANSFER_H_

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"

namespace tosaic {

// Calls `move_from`, which moves bytes from that position on as read and write do, until `size` are moved or no more
// are. Returns how many were.
inline size_t Transfer(size_t size, absl::FunctionRef<ssize_t(size_t at)> move_from) {
  size_t at = 0;
  while (at < size) {
    const ssize_t moved = move_from(at);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) break;
    at += static_cast<size_t>(moved);
  }
  return at;
}

// Up to `size` bytes: fewer at the end, or where no more are there yet and the descriptor does not wait.
inline size_t ReadUpTo(int fd, char* data, size_t size) {
  return Transfer(size, [&](size_t at) { return read(fd, data + at, size - at); });
}

// Whether all went out.
inline bool WriteAll(int fd, const void* data, size_t size) {
  return Transfer(size, [&](size_t at) { return write(fd, static_cast<const char*>(data) + at, size - at); }) == size;
}

// The end of a file, which has at most so many bytes; "" if it cannot be read.
inline std::string TailOf(int fd, size_t most) {
  const auto size = static_cast<size_t>(std::max<off_t>(lseek(fd, 0, SEEK_END), 0));
  std::string tail(std::min(size, most), '\0');
  const size_t begin = size - tail.size();
  tail.resize(Transfer(tail.size(), [&](size_t at) {
    return pread(fd, tail.data() + at, tail.size() - at, static_cast<off_t>(begin + at));
  }));
  return tail;
}

// A file in memory, closed in programs that are executed.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  int fd() const { return fd_; }  // below 0: there is none
  std::string Content() const { return TailOf(fd_, SIZE_MAX); }

 private:
  const int fd_;
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_TRANSFER_H_
