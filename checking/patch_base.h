// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PatchBase: the MLIR without the patch under review. A case that it has right is the patch's mistake, whatever known
// cause it resembles.
#ifndef TOSAIC_CHECKING_PATCH_BASE_H_
#define TOSAIC_CHECKING_PATCH_BASE_H_

#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

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
  // The judgement of the case without the patch, isolated as CheckCase does.
  Judgement Judge(const Case& test_case, const WorkerLimits& limits, const JudgeOptions& options) const;
  // Whether the base has right what the toolchain with the patch has wrong: the case, what `patched`, its judgement,
  // blames (IsRightWhere), or any other element (IsAnyElementRight). `judged`: by the base, for who has asked it.
  bool HasRight(Toolchain& with_patch, const Case& test_case, absl::FunctionRef<Judgement()> patched,
                const WorkerLimits& limits, const JudgeOptions& options, const Judgement* judged = nullptr) const;
  // In one line: "mlir-22 (LLVM 22.1.8)", "the route loops as it is".
  std::string Name() const;

 private:
  PatchBase(Toolchain& toolchain, std::string route) : toolchain_(&toolchain), route_(std::move(route)) {}

  Toolchain* toolchain_;
  std::string route_;  // that the patch edits; empty: it is another build
};

// Whether MLIR lowers the program by reading memory that it should not (findings F2 and F20), so that it may be right
// by chance.
bool MayBeRightByChance(const Program& program);

// Whether the base is right where the patched side is wrong: it agrees, or its first wrong element comes later.
bool IsRightWhere(absl::FunctionRef<Judgement()> patched, const Judgement& base);

// Whether any of the first elements that are wrong with the patch is right without it, whatever is wrong in both.
bool IsAnyElementRight(const Case& test_case, Observation patched, const Observation& base,
                       const JudgeOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_PATCH_BASE_H_
