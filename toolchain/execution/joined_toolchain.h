// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first passes of one MLIR and the later passes of another, as a toolchain of its own. It tells whether what a case
// shows needs the later passes of the first MLIR.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_JOINED_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_JOINED_TOOLCHAIN_H_

#include <memory>
#include <string>

#include "toolchain/toolchain.h"

namespace tosaic {

// An MLIR and the pass pipeline that it runs.
struct Part {
  Toolchain* toolchain = nullptr;  // not owned
  std::string pipeline;
};

// A program that they do not bring to LLVM IR is refused at `execute`: nobody knows whose fault that is. REQUIRES: both
// lower by pipelines, and the LLVM of this process reads the LLVM IR of the second.
std::unique_ptr<Toolchain> CreateJoinedToolchain(Part first, Part second);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_JOINED_TOOLCHAIN_H_
