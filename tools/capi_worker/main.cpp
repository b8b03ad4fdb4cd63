// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic-capi-worker LIBRARY CPU-SECONDS WALL-SECONDS: started by `tosaic`, which talks to it over pipes.
#include <cstdio>

#include "absl/strings/numbers.h"
#include "toolchain/capi/worker/serve.h"

int main(int argc, char** argv) {
  tosaic::WorkerLimits limits;
  if (argc != 4 || !absl::SimpleAtoi(argv[2], &limits.cpu_seconds) ||
      !absl::SimpleAtoi(argv[3], &limits.wall_seconds)) {
    std::fprintf(stderr, "usage: tosaic-capi-worker LIBRARY CPU-SECONDS WALL-SECONDS (tosaic starts it)\n");
    return 2;
  }
  return tosaic::Serve(argv[1], limits);
}
