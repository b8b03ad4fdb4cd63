// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/reading.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

absl::StatusOr<std::string> RefusalOf(Toolchain& toolchain, absl::string_view mlir, absl::string_view pipeline) {
  if (toolchain.reader() != nullptr) return toolchain.reader()->RefusalOf(mlir);
  if (toolchain.lowering() == nullptr) {
    return absl::UnimplementedError(absl::StrCat(toolchain.description().name, " reads no text"));
  }
  const absl::Status status = toolchain.lowering()->LowerTextHere(mlir, pipeline, /*to_llvm_ir=*/false).status();
  if (status.ok()) return "";
  if (!absl::IsInvalidArgument(status)) return status;
  return std::string(status.message());
}

}  // namespace tosaic
