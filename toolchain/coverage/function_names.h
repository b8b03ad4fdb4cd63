// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readable names of a library's functions: as in the source if a symbol or run-time type information has the name,
// otherwise derived from the function before it.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/coverage/library_image.h"

namespace tosaic {

// "mlir::tosa::AddOp::fold" for a mangled name, without parameters and result type.
std::string PlainName(const std::string& symbol);

// The names of the image's functions, in their order. Compilers put a local function after the one that first mentions
// it, so it gets a name like "mlir::tosa::AddOp::fold [local 2]". Instances of templates and inline functions may be in
// any object file, so no function is named after them. REQUIRES: the library is loaded, at that distance from the
// addresses of its file.
std::vector<std::string> FunctionNames(const LibraryImage& image, uintptr_t bias);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_
