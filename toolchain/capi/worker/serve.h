// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program tosaic-capi-worker: answers requests (protocol.h) about the MLIR in a shared library.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_

#include <string>

#include "workers/worker_pool.h"

namespace tosaic {

// Loads the library, greets and answers the frames on standard input with frames on standard output, until that is
// closed. Forked processes do the work, within limits, and a death is an answer, too. Discards what the library prints.
// Returns the exit status.
int Serve(const std::string& file, const WorkerLimits& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_SERVE_H_
