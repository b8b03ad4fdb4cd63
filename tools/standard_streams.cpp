// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace tosaic {

void KeepStandardStreams() {
  // In ascending order: what is opened gets the least number that is free.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) _exit(127);
  }
}

bool IsInputClosed() {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  return flags == -1 || (flags & O_ACCMODE) == O_WRONLY;
}

}  // namespace tosaic
