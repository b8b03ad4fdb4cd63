// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack trace in the output of an LLVM tool that died, ready to be published.
#ifndef TOSAIC_REPORTS_REPRODUCER_STACK_TRACE_H_
#define TOSAIC_REPORTS_REPRODUCER_STACK_TRACE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// A failed assertion and the frames, a line each: without addresses, without folders of this machine, and without the
// frames of the program around MLIR. Empty if there are none.
std::string StackTraceIn(absl::string_view printed);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_STACK_TRACE_H_
