// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/changed_programs.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "checking/new_numbers.h"
#include "checking/patch_base.h"
#include "codec/status.h"
#include "generators/twins.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/sort_unique.h"
#include "model/support_table.h"

namespace tosaic {
namespace {

absl::Status CheckLowersText(const Toolchain& toolchain) {
  if (toolchain.lowering() != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(toolchain.description().name, kLacksText));
}

}  // namespace

std::string WithoutCounts(absl::string_view mlir) {
  constexpr absl::string_view kCounted = "@assert_msg_";
  const std::vector<absl::string_view> parts = absl::StrSplit(mlir, kCounted);
  std::map<absl::string_view, size_t> numbers;  // by the digits that MLIR wrote
  std::string text(parts.front());
  for (const absl::string_view part : absl::MakeSpan(parts).subspan(1)) {
    const absl::string_view digits = part.substr(0, part.find_first_not_of("0123456789"));
    const size_t number = numbers.emplace(digits, numbers.size()).first->second;
    absl::StrAppend(&text, kCounted, number, part.substr(digits.size()));
  }
  return text;
}

void Fields(Visitor& v, ProgramChange& change) {
  v("is_changed", change.is_changed);
  v("numbers", change.numbers);
}

// Of several values that no conversion is left for MLIR names one, and which depends on addresses.
static absl::string_view WithoutValue(absl::string_view refusal) {
  constexpr absl::string_view kUnresolved = "unresolved materialization";
  const size_t at = refusal.find(kUnresolved);
  return at == absl::string_view::npos ? refusal : refusal.substr(0, at + kUnresolved.size());
}

static bool IsTheSame(const absl::StatusOr<std::string>& before, const absl::StatusOr<std::string>& after) {
  if (before.ok() != after.ok()) return false;
  if (before.ok()) return WithoutCounts(*before) == WithoutCounts(*after);
  // The MLIR in this process names the pass that refuses; tools do not.
  const absl::string_view one = WithoutValue(before.status().message()), other = WithoutValue(after.status().message());
  return absl::EndsWith(one, other) || absl::EndsWith(other, one);
}

// A program of a case.
struct ChangedPrograms::Item {
  size_t case_index;
  Program program;
};

absl::StatusOr<ChangedPrograms> ChangedPrograms::ByEdit(Toolchain& toolchain) {
  TOSAIC_RETURN_IF_ERROR(PatchBase::OfEdit(toolchain).status());
  TOSAIC_RETURN_IF_ERROR(CheckLowersText(toolchain));
  const ToolchainDescription& description = toolchain.description();
  const Route* route = FindRoute(description.routes, description.custom_like);
  PipelineChange change = ComparePipelines(route->pipeline, description.custom_pipeline);
  return ChangedPrograms({&toolchain, std::move(change.before_through)}, {&toolchain, std::move(change.after_through)});
}

absl::StatusOr<ChangedPrograms> ChangedPrograms::ByPatch(Toolchain& base, Toolchain& patch) {
  TOSAIC_RETURN_IF_ERROR(CheckLowersText(base));
  TOSAIC_RETURN_IF_ERROR(CheckLowersText(patch));
  return ChangedPrograms({&base, ""}, {&patch, ""});
}

std::vector<std::string> ChangedPrograms::Written(const Side& side, absl::Span<const Item> items) {
  std::vector<std::string> modules;
  for (const Item& item : items) modules.push_back(ToMlir(item.program, side.toolchain->description().dialect));
  return modules;
}

std::vector<absl::StatusOr<std::string>> ChangedPrograms::Lowered(const Side& side, const std::string& route,
                                                                  absl::Span<const std::string> modules) {
  const std::string pipeline = side.pipeline.empty() ? side.toolchain->description().PipelineOf(route) : side.pipeline;
  return side.toolchain->lowering()->LowerTexts(modules, pipeline, /*to_llvm_ir=*/false);
}

void ChangedPrograms::LowerAlone(const Case& test_case, bool with_patch) const {
  std::vector<Item> items = {{0, test_case.program}};
  if (const std::optional<Case> twin = TwinOf(test_case)) items.push_back({0, twin->program});
  const Side& side = with_patch ? after_ : before_;
  Lowered(side, test_case.route, Written(side, items));
}

std::vector<ProgramChange> ChangedPrograms::Among(absl::Span<const Case> cases) const {
  std::vector<ProgramChange> changes(cases.size());
  std::map<std::string, std::vector<Item>> by_route;
  const auto add = [&](size_t index, const Case& test_case) {
    const bool has_texts = !FindUnwritable(test_case.program, before_.toolchain->description().dialect) &&
                           !FindUnwritable(test_case.program, after_.toolchain->description().dialect);
    const bool has_route = IsByEdit() || (!before_.toolchain->description().PipelineOf(test_case.route).empty() &&
                                          !after_.toolchain->description().PipelineOf(test_case.route).empty());
    if (has_texts && has_route) {
      by_route[test_case.route].push_back({index, test_case.program});
    } else {
      changes[index].is_changed = true;
    }
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].runs.empty()) {
      changes[i].is_changed = !IsByEdit();
      continue;
    }
    add(i, cases[i]);
    if (const std::optional<Case> twin = TwinOf(cases[i])) add(i, *twin);
  }
  for (const auto& [route, items] : by_route) {
    const std::vector<std::string> modules = Written(before_, items);
    const std::vector<absl::StatusOr<std::string>> before = Lowered(before_, route, modules);
    const std::vector<absl::StatusOr<std::string>> after =
        Lowered(after_, route, IsByEdit() ? modules : Written(after_, items));
    for (size_t i = 0; i < items.size(); ++i) {
      if (IsTheSame(before[i], after[i])) continue;
      ProgramChange& change = changes[items[i].case_index];
      change.is_changed = true;
      if (!before[i].ok() || !after[i].ok()) continue;
      const std::vector<double> numbers = NumbersOnlyIn(*after[i], *before[i]);
      change.numbers.insert(change.numbers.end(), numbers.begin(), numbers.end());
    }
  }
  for (ProgramChange& change : changes) SortUnique(&change.numbers);
  return changes;
}

}  // namespace tosaic
