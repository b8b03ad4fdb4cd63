// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mends what the program inherits from whoever starts it and could not work with: standard streams that are closed,
// signals that are ignored or blocked, a limit of memory.
#ifndef TOSAIC_TOOLS_INHERITED_H_
#define TOSAIC_TOOLS_INHERITED_H_

namespace tosaic {

// Opens /dev/null in place of each stream that is closed, so that no file or pipe that is opened later takes its
// number. Reading from what was a closed input fails, and so does writing to what was a closed output.
void KeepStandardStreams();

// Whether standard input was closed when KeepStandardStreams was called, or cannot be read.
bool IsInputClosed();

// Takes the signals that tell how a child ended, that a trap asks for, and that end the program. With SIGCHLD ignored
// nobody learns how a process ended; a fault that is blocked ends it without asking its trap.
void TakeSignals();

// Where there is no memory, this process says so and ends with kExitHarness. A worker tells its parent instead.
void EndWithoutMemory();

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_INHERITED_H_
