// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds to a module in LLVM's dialect the calls that count stores, as CountStores of
// toolchain/execution/instrumentation.h adds them to LLVM IR: this library's LLVM is another version.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_COUNT_STORES_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_COUNT_STORES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

// Before every store, memcpy, memmove and memset of any function: a call that tells address and size. Other writes are
// an error that names the first: a count that misses some would accuse the innocent. Returns an empty string, or the
// error.
std::string CountStores(const CLibrary& c, MlirModule module);

// How many bytes a store of a value of this type of LLVM's dialect writes: a number, a vector of numbers, a pointer, or
// a struct of pointers and sizes, as memrefs are. Nullopt: another type.
std::optional<int64_t> StoredBytes(absl::string_view type);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_COUNT_STORES_H_
