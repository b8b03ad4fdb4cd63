// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three standard streams, each of which may be closed when the program starts.
#ifndef TOSAIC_TOOLS_STANDARD_STREAMS_H_
#define TOSAIC_TOOLS_STANDARD_STREAMS_H_

namespace tosaic {

// Opens /dev/null in place of each stream that is closed, so that no file or pipe that is opened later takes its
// number. Reading from what was a closed input fails, and so does writing to what was a closed output.
void KeepStandardStreams();

// Whether standard input was closed when KeepStandardStreams was called, or cannot be read.
bool IsInputClosed();

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_STANDARD_STREAMS_H_
