// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `tosaic-call-library` through the C API, and the functions that are called then.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_CALL_LIBRARY_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_CALL_LIBRARY_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "toolchain/capi/worker/c_library.h"
#include "toolchain/capi/worker/protocol.h"

namespace tosaic {

inline constexpr absl::string_view kCallLibrary = "tosaic-call-library";

// The ops of a program by where they stand in the text, as MLIR prints it; what is lowered from an op keeps its place.
using OpsByPlace = std::map<std::string, int>;
OpsByPlace PlacesOf(const CLibrary& c, absl::Span<const MlirOperation> ops);

// Gives each linalg.generic a library_call, and says what the functions are, by their numbers.
std::vector<LibrarySignature> CallLibrary(const CLibrary& c, MlirContext context, MlirOperation module,
                                          const OpsByPlace& places);

// Gives each of these functions, where it is declared in LLVM's dialect, a body that passes its number and its
// descriptors on to the executor. False: the library does not read the body.
bool DefineLibrary(const CLibrary& c, MlirModule module, absl::Span<const LibrarySignature> functions);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_CALL_LIBRARY_H_
