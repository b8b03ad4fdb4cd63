// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PatchBase: the MLIR without the patch under review. A case that it has right is the patch's mistake, whatever known
// cause it resembles.
#ifndef TOSAIC_CHECKING_PATCH_BASE_H_
#define TOSAIC_CHECKING_PATCH_BASE_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "model/program.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class PatchBase {
 public:
  // The route that the toolchain's custom pipeline edits, as it is. Error: it edits none.
  static absl::StatusOr<PatchBase> OfEdit(Toolchain& toolchain);
  // A build without the patch, which must outlive this.
  explicit PatchBase(Toolchain& build) : toolchain_(&build) {}

  Toolchain& toolchain() const { return *toolchain_; }
  // A case of the patched side, as it is here.
  Case Without(Case test_case) const;
  // In one line: "mlir-22 (LLVM 22.1.8)", "the route loops as it is".
  std::string Name() const;

 private:
  PatchBase(Toolchain& toolchain, std::string route) : toolchain_(&toolchain), route_(std::move(route)) {}

  Toolchain* toolchain_;
  std::string route_;  // that the patch edits; empty: it is another build
};

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_PATCH_BASE_H_
