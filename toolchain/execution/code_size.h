// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how much machine code LLVM makes of a module, without running it.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "toolchain/execution/compiled_program.h"

namespace tosaic {

// The bytes of code in the object file that the LLVM of this process makes of LLVM IR in text form, whoever wrote it.
// So different sizes for two MLIRs come from their IR, not from their LLVMs. Errors: this LLVM cannot read the text, or
// cannot compile it.
absl::StatusOr<uint64_t> CodeBytesOf(const std::string& llvm_ir, const CodeGeneration& generation);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CODE_SIZE_H_
