// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed addresses: if MLIR reads memory that it never wrote, the result depends on addresses. Without address space
// randomisation a case replays the same, both in `tosaic` and in the fuzz targets.
#ifndef TOSAIC_WORKERS_FIXED_ADDRESSES_H_
#define TOSAIC_WORKERS_FIXED_ADDRESSES_H_

namespace tosaic {

// Restarts the program without address space randomisation, unless it has none. If the system forbids that, the program
// continues with it. Call it with main's arguments, before anything is done that must not be done twice.
void FixAddresses(char** argv);

// Whether each process has the same addresses: by FixAddresses, or because this system gives all the same.
bool HasFixedAddresses();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FIXED_ADDRESSES_H_
