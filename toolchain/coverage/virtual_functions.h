// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions: finds the class of a function that has no symbol. Run-time type information has the names of
// classes, including classes that are local to an object file, as most rewrite patterns are.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <string>

#include "toolchain/coverage/library_image.h"

namespace tosaic {

// By the functions' addresses, of those without a symbol: "(anonymous namespace)::MyPattern [virtual 2]", where 0 is
// the first entry of the class's table. Empty if the library was built without this information. REQUIRES: the library
// is loaded, at that distance from the addresses of its file.
std::map<uint64_t, std::string> VirtualFunctions(const LibraryImage& image, uintptr_t bias);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_VIRTUAL_FUNCTIONS_H_
