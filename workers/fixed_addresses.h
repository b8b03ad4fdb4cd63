// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed addresses: if MLIR reads memory that it never wrote, the result depends on addresses. Without address space
// randomisation a case replays the same, both in `tosaic` and in the fuzz targets. And addresses of functions: workers
// are forks, each of which would look up those of MLIR's 26,000 that it is the first to call.
#ifndef TOSAIC_WORKERS_FIXED_ADDRESSES_H_
#define TOSAIC_WORKERS_FIXED_ADDRESSES_H_

namespace tosaic {

// Restarts the program without address space randomisation, and with the functions of all libraries looked up
// (LD_BIND_NOW), unless both is so already. If the system forbids either, the program continues without it. Call it
// with main's arguments, before anything is done that must not be done twice.
void FixAddresses(char** argv);

// Whether each process has the same addresses: by FixAddresses, or because this system gives all the same.
bool HasFixedAddresses();

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_FIXED_ADDRESSES_H_
