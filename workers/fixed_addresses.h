// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed addresses: if MLIR reads memory that it never wrote, the result depends on addresses. Without address space
// randomisation a case replays the same, both in `tosaic` and in the fuzz targets.
#ifndef TOSAIC_WORKERS_FIXED_ADDRESSES_H_
#define TOSAIC_WORKERS_FIXED_ADDRESSES_H_

namespace tosaic {

// Restarts the program without address space randomisation, unless it is off already. If the system forbids this, it
// returns, and the program continues with it. Call it first in main, with main's arguments.
void FixAddresses(char** argv);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FIXED_ADDRESSES_H_
