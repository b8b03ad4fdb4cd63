// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/frames.h"

#include <unistd.h>

#include <cstdint>

#include "workers/transfer.h"
#include "workers/wait_hook.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

constexpr uint64_t kLargestFrame = uint64_t{1} << 30;

bool ReadInTime(int fd, char* to, size_t size, uint64_t deadline_ms) {
  return Transfer(size, [&](size_t at) -> ssize_t {
           return deadline_ms == 0 || WaitToRead(fd, deadline_ms) ? read(fd, to + at, size - at) : 0;
         }) == size;
}

}  // namespace

std::string ToFrame(absl::string_view message) {
  const uint64_t size = message.size();
  std::string frame(reinterpret_cast<const char*>(&size), sizeof(size));
  return frame.append(message.data(), message.size());
}

bool WriteFrame(int fd, absl::string_view message) {
  const std::string frame = ToFrame(message);
  return WriteAll(fd, frame.data(), frame.size());
}

std::optional<std::string> ReadFrame(int fd, int wall_seconds) {
  const uint64_t deadline_ms = wall_seconds == 0 ? 0 : NowMs() + static_cast<uint64_t>(wall_seconds) * 1000;
  uint64_t size = 0;
  if (!ReadInTime(fd, reinterpret_cast<char*>(&size), sizeof(size), deadline_ms) || size > kLargestFrame) {
    return std::nullopt;
  }
  std::string message(size, '\0');
  if (!ReadInTime(fd, message.data(), message.size(), deadline_ms)) return std::nullopt;
  return message;
}

}  // namespace tosaic
