// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a library's functions for people: as in the source where a symbol or run-time type information tells, else
// by the function before it.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "toolchain/coverage/library_image.h"

namespace tosaic {

// "mlir::tosa::AddOp::fold" of a mangled name: without parameters and what it returns.
std::string PlainName(const std::string& symbol);

// The names of the image's functions, in their order. Compilers put a local function behind the one that first mentions
// it, so it is called after that: "mlir::tosa::AddOp::fold [local 2]". Instances of templates and inline functions may
// stand in any object file, and lend no name. REQUIRES: as VirtualFunctions.
std::vector<std::string> FunctionNames(const LibraryImage& image, uintptr_t bias);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_NAMES_H_
