// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much machine code LLVM makes of a module, without running it.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "toolchain/execution/compiled_program.h"

namespace tosaic {

// Bytes of code in the object file that the LLVM of this process makes of LLVM IR in text form, whoever wrote it: sizes
// of two MLIRs tell their IR apart, not their LLVMs. Errors: this LLVM does not read the text, or makes nothing of it.
absl::StatusOr<uint64_t> CodeBytesOf(const std::string& llvm_ir, const CodeGeneration& generation);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_
