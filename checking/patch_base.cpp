// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/patch_base.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "model/routes.h"

namespace tosaic {

absl::StatusOr<PatchBase> PatchBase::OfEdit(Toolchain& toolchain) {
  const ToolchainDescription& description = toolchain.description();
  if (FindRoute(description.routes, description.custom_like) == nullptr) {
    return absl::InvalidArgumentError("no route is edited: --insert-before, --insert-after or --replace does that");
  }
  return PatchBase(toolchain, description.custom_like);
}

Case PatchBase::Without(Case test_case) const {
  if (!route_.empty() && test_case.route == kCustomRoute) test_case.route = route_;
  return test_case;
}

Judgement PatchBase::Judge(const Case& test_case, const WorkerLimits& limits, const JudgeOptions& options) const {
  return CheckCase(*toolchain_, Without(test_case), limits, options).judgement;
}

bool PatchBase::HasRight(const Case& test_case, absl::FunctionRef<Judgement()> patched, const WorkerLimits& limits,
                         const JudgeOptions& options) const {
  return !MayBeRightByChance(test_case.program) && IsRightWhere(patched, Judge(test_case, limits, options));
}

std::string PatchBase::Name() const {
  if (!route_.empty()) return absl::StrCat("the route ", route_, " as it is");
  return absl::StrCat(toolchain_->description().name, " (", toolchain_->description().version, ")");
}

bool MayBeRightByChance(const Program& program) {
  return absl::c_any_of(program.ops, [&](const OpApplication& op) {
    return HasSpecialOperandAtRunTime(program, op) || TakesUnrankedForRanked(program, op);
  });
}

bool IsRightWhere(absl::FunctionRef<Judgement()> patched, const Judgement& base) {
  if (base.verdict == Verdict::kAgree) return true;
  // A run that ends by what is undefined says nothing of the elements before it, which are right.
  if (base.verdict == Verdict::kUndefined) return base.compared > 0;
  if (base.verdict != Verdict::kWrongValue || !base.mismatch) return false;
  const Judgement patch = patched();
  if (patch.verdict != Verdict::kWrongValue || !patch.mismatch) return false;
  const ElementMismatch &wrong = *patch.mismatch, &later = *base.mismatch;
  if (wrong.run != later.run) return wrong.run < later.run;
  return wrong.op == later.op && wrong.index < later.index;
}

}  // namespace tosaic
