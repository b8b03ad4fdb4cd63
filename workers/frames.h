// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames: messages of any bytes between two processes over a pair of pipes, each with its size before it.
#ifndef TOSAIC_WORKERS_FRAMES_H_
#define TOSAIC_WORKERS_FRAMES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// Whether all of it went out. REQUIRES: SIGPIPE is ignored, or the reader is there.
bool WriteFrame(int fd, absl::string_view message);

// The next message. Nullopt: the writer is gone or does not keep to frames, or nothing comes for so many seconds (0: it
// may take for ever).
std::optional<std::string> ReadFrame(int fd, int wall_seconds = 0);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FRAMES_H_
