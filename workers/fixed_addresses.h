// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed addresses: where MLIR reads memory it never wrote, what it finds depends on where things lie. Without address
// space randomisation a case replays the same, in `tosaic` as in the fuzz targets.
#ifndef TOSAIC_WORKERS_FIXED_ADDRESSES_H_
#define TOSAIC_WORKERS_FIXED_ADDRESSES_H_

namespace tosaic {

// Starts the program again with address space randomisation off, unless it is off already; where the system forbids
// that, returns and the program goes on with it. To be called first in main, with its arguments.
void FixAddresses(char** argv);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FIXED_ADDRESSES_H_
