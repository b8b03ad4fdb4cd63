// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes that continue after an interruption and after a partial transfer.
#ifndef TOSAIC_WORKERS_TRANSFER_H_
#define TOSAIC_WORKERS_TRANSFER_H_

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

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

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_TRANSFER_H_
