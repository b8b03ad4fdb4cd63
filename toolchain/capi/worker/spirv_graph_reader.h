// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the graph of SPIR-V's TOSA instructions that tosa-to-spirv-tosa leaves (model/spirv_graph.h), through MLIR's C
// API.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_SPIRV_GRAPH_READER_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_SPIRV_GRAPH_READER_H_

#include "model/spirv_graph.h"
#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

// Whether the library has the functions that read elements.
bool CanReadSpirvGraph(const CLibrary& c);

// The first spirv.ARM.Graph within the module; empty if there is none. REQUIRES: the IR verifies; CanReadSpirvGraph.
SpirvGraph ReadSpirvGraph(const CLibrary& c, MlirContext context, MlirOperation module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_SPIRV_GRAPH_READER_H_
