// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the tensor-level IR that a lowering leaves (model/lowered_ir.h) through MLIR's C API, whatever its version:
// names of ops, and attributes as MLIR prints them. toolchain/mlir/ reads the same of the MLIR in process.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_LOWERED_IR_READER_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_LOWERED_IR_READER_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/lowered_ir.h"
#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

// REQUIRES: the module has a function with a body, whose IR verifies.
LoweredIr ReadLoweredIr(const CLibrary& c, MlirModule module);

// Parse printed attributes: "affine_map<(d0, d1) -> (d0, 0)>", "[[0, 1], [2]]", "array<i64: 1, 0>".
IndexingMap ParseIndexingMap(absl::string_view text);
std::vector<IndexingMap> ParseIndexingMaps(absl::string_view text);  // "[affine_map<...>, affine_map<...>]"
std::vector<std::vector<int>> ParseGroups(absl::string_view text);
std::vector<int64_t> ParseNumbers(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_LOWERED_IR_READER_H_
