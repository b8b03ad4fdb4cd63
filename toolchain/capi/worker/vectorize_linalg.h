// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass tosaic-vectorize-linalg of the route linalg-vectorized (toolchain/mlir/own_passes.cpp) through MLIR's C API:
// a transform script calls what the pass calls, linalg::vectorize, on the ops that the pass would take.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_VECTORIZE_LINALG_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_VECTORIZE_LINALG_H_

#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

inline constexpr char kVectorizeLinalg[] = "tosaic-vectorize-linalg";

// Whether the library has the functions for it.
bool CanVectorizeLinalg(const CLibrary& c);

// Makes one vector of each linalg.generic of few elements in the module. False: MLIR refuses, and has said why.
// REQUIRES: CanVectorizeLinalg.
bool VectorizeLinalg(const CLibrary& c, MlirContext context, MlirOperation module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_VECTORIZE_LINALG_H_
