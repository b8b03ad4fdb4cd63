// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions: which class has a function that no symbol names. Run-time type information knows the names of
// classes, also of those that are local to an object file, as most rewrite patterns are.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <string>

#include "toolchain/coverage/library_image.h"

namespace tosaic {

// By the functions' addresses, of those without a symbol: "(anonymous namespace)::MyPattern [virtual 2]", where 0 is
// the first entry of the class's table. None where the library was built without this information. REQUIRES: the
// library is loaded, at that distance from the addresses of its file.
std::map<uint64_t, std::string> VirtualFunctions(const LibraryImage& image, uintptr_t bias);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_
