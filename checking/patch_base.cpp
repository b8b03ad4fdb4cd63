// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/patch_base.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "model/routes.h"
#include "oracle/float_format.h"
#include "toolchain/observe_isolated.h"

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

bool PatchBase::HasRight(Toolchain& with_patch, const Case& test_case, absl::FunctionRef<Judgement()> patched,
                         const WorkerLimits& limits, const JudgeOptions& options, const Judgement* judged) const {
  if (MayBeRightByChance(test_case.program)) return false;
  const Judgement own = judged != nullptr ? *judged : Judge(test_case, limits, options);
  if (IsRightWhere(patched, own)) return true;
  return own.verdict == Verdict::kWrongValue &&
         IsAnyElementRight(test_case, ObserveIsolated(with_patch, test_case, limits),
                           ObserveIsolated(*toolchain_, Without(test_case), limits), options);
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

namespace {

// The result of an observation in which an element is wrong; null if the program does not return it.
template <typename AnyObservation>
auto* ResultWith(const ElementMismatch& wrong, const Program& program, AnyObservation& observation) {
  const auto returned = absl::c_find(program.results, ValueRef{ValueRef::Kind::kOp, wrong.op});
  const auto result = static_cast<size_t>(returned - program.results.begin());
  const auto run = static_cast<size_t>(wrong.run);
  const bool is_there = run < observation.runs.size() && result < observation.runs[run].results.size() &&
                        wrong.index < observation.runs[run].results[result].tensor.element_count();
  return is_there ? &observation.runs[run].results[result].tensor : nullptr;
}

// An element that the judge has no objection to; none if it does not name one.
std::optional<uint64_t> RightBits(const ElementMismatch& wrong, ElementType type) {
  uint64_t bits = 0;
  if (absl::SimpleHexAtoi(wrong.expected_bits, &bits)) return bits;
  if (!IsFloat(type) || wrong.expected != "NaN") return std::nullopt;
  return NearestBits(type, std::numeric_limits<double>::quiet_NaN());
}

// Whether a judgement has no objection to an element, nor to those before it.
bool Passes(const Judgement& judgement, const ElementMismatch& wrong) {
  if (judgement.verdict == Verdict::kAgree) return true;
  if (judgement.verdict != Verdict::kWrongValue || !judgement.mismatch) return false;
  const ElementMismatch& later = *judgement.mismatch;
  return std::tie(later.run, later.op, later.index) > std::tie(wrong.run, wrong.op, wrong.index);
}

}  // namespace

bool IsAnyElementRight(const Case& test_case, Observation patched, const Observation& base,
                       const JudgeOptions& options) {
  constexpr int kMostElements = 64;
  Judgement judgement = tosaic::Judge(test_case, patched, options);
  for (int i = 0; i < kMostElements; ++i) {
    if (judgement.verdict != Verdict::kWrongValue || !judgement.mismatch) return false;
    const ElementMismatch wrong = *judgement.mismatch;
    Tensor* result = ResultWith(wrong, test_case.program, patched);
    const Tensor* of_base = ResultWith(wrong, test_case.program, base);
    if (result == nullptr || of_base == nullptr) return false;
    // With this element as somebody else has it, and all others as they are.
    const auto judge_with = [&](uint64_t bits) {
      result->SetBits(wrong.index, bits);
      return tosaic::Judge(test_case, patched, options);
    };
    const uint64_t before = result->Bits(wrong.index), other = of_base->Bits(wrong.index);
    if (before != other && Passes(judge_with(other), wrong)) return true;
    const std::optional<uint64_t> right = RightBits(wrong, result->element_type());
    if (!right) return false;
    judgement = judge_with(*right);
    if (!Passes(judgement, wrong)) return false;
  }
  return false;
}

}  // namespace tosaic
