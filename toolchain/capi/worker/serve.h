// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program tosaic-capi-worker does: answers what it is asked (protocol.h) about the MLIR in a shared library.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_

#include <string>

#include "workers/worker_pool.h"

namespace tosaic {

// Loads the library, greets and answers the frames on standard input with frames on standard output, until that is
// closed. The work is done in forked processes, within limits: a death is an answer too. What the library prints goes
// nowhere. Returns the exit status.
int Serve(const std::string& file, const WorkerLimits& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_
