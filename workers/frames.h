// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames: messages of any bytes between two processes over a pair of pipes. The size of each message precedes it.
#ifndef TOSAIC_WORKERS_FRAMES_H_
#define TOSAIC_WORKERS_FRAMES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The message as WriteFrame writes it.
std::string ToFrame(absl::string_view message);

// Returns whether everything was written. REQUIRES: SIGPIPE is ignored, or the reader exists.
bool WriteFrame(int fd, absl::string_view message);

// The next message. Nullopt if the writer is gone or does not write frames, or if nothing comes for this many seconds
// (0: no limit).
std::optional<std::string> ReadFrame(int fd, int wall_seconds = 0);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FRAMES_H_
