// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/twins.h"

#include <cstddef>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/routes.h"
#include "model/rules.h"
#include "model/static_program.h"
#include "model/value_edits.h"

namespace tosaic {
namespace {

// Whether op operands of any kind but shift and zero point, which must be constants, name the value.
bool IsInput(const Program& program, ValueRef value) {
  bool used = false;
  for (const OpApplication& op : program.ops) {
    for (size_t k = 0; k < op.operands.size(); ++k) {
      if (op.operands[k] != value) continue;
      if (IsSpecial(Info(op.op).operands[k])) return false;
      used = true;
    }
  }
  return used;
}

// As many as there may be arguments.
bool ConstantsAsArguments(Case& twin) {
  Program& program = twin.program;
  bool any = false;
  for (int i = static_cast<int>(program.constants.size()) - 1; i >= 0; --i) {
    if (program.arguments.size() >= kMostArgumentsOfRuns) break;
    const ValueRef constant = {ValueRef::Kind::kConstant, i};
    if (!IsInput(program, constant)) continue;
    MakeArgument(twin, constant);
    any = true;
  }
  return any;
}

// Constants whose sizes do not fit each other would make the program illegal.
bool LastArgumentAsConstant(Case& twin) {
  if (twin.program.arguments.empty() || !WithShapesOf(twin.runs.front(), twin.program)) return false;
  twin.runs.resize(1);
  const ValueRef last = {ValueRef::Kind::kArgument, static_cast<int>(twin.program.arguments.size()) - 1};
  MakeConstant(twin, last, Tensor(twin.runs.front().back()));
  return true;
}

bool ArgumentsAsConstants(Case& twin) {
  // With one argument it is the twin above.
  if (twin.program.arguments.size() < 2) return false;
  while (LastArgumentAsConstant(twin)) {
  }
  return twin.program.arguments.empty();
}

// Returns every op's result. False if that is so already.
bool ReturnAll(Case& twin) {
  std::vector<ValueRef> all;
  for (int i = 0; i < static_cast<int>(twin.program.ops.size()); ++i) all.push_back({ValueRef::Kind::kOp, i});
  return std::exchange(twin.program.results, all) != all;
}

constexpr absl::string_view kFromRun = "from-run-";

// A twin is an edit of the case, or else the route of its name.
struct Twin {
  RuleId rule;                         // that both compute the same; it has the twin's name
  bool (*edit)(Case& twin) = nullptr;  // false: the case has no such variant

  absl::string_view name() const { return TwinName(rule); }
};

constexpr Twin kTwins[] = {{RuleId::kMetamorphicAllReturned, ReturnAll},
                           {RuleId::kMetamorphicConstantsAsArguments, ConstantsAsArguments},
                           {RuleId::kMetamorphicArgumentsAsConstants, ArgumentsAsConstants},
                           {RuleId::kMetamorphicLastArgumentAsConstant, LastArgumentAsConstant},
                           {RuleId::kMetamorphicCanonicalized},
                           {RuleId::kMetamorphicAfterCanonicalize},
                           {RuleId::kMetamorphicAfterConstantFold},
                           {RuleId::kMetamorphicAfterDecompositions},
                           {RuleId::kMetamorphicAfterMakeBroadcastable},
                           {RuleId::kMetamorphicAfterCse}};

std::optional<Case> Apply(const Twin& twin, const Case& test_case) {
  if (test_case.runs.empty() || (twin.edit == nullptr && test_case.route == twin.name())) return std::nullopt;
  Case edited = test_case;
  edited.twin.clear();
  if (twin.edit == nullptr) {
    edited.route = std::string(twin.name());
  } else if (!twin.edit(edited)) {
    return std::nullopt;
  }
  ReturnAll(edited);
  return edited;
}

}  // namespace

std::vector<absl::string_view> AllTwins() {
  std::vector<absl::string_view> names;
  for (const Twin& twin : kTwins) names.push_back(twin.name());
  return names;
}

std::string FromRun(size_t run) { return absl::StrCat(kFromRun, run); }

std::optional<Case> TwinOf(const Case& test_case) {
  absl::string_view number = test_case.twin;
  size_t run = 0;
  if (absl::ConsumePrefix(&number, kFromRun) && absl::SimpleAtoi(number, &run) && run < test_case.runs.size()) {
    Case rest = test_case;
    rest.twin.clear();
    rest.runs.erase(rest.runs.begin(), rest.runs.begin() + static_cast<ptrdiff_t>(run));
    return rest;
  }
  for (const Twin& twin : kTwins) {
    if (twin.name() == test_case.twin) return Apply(twin, test_case);
  }
  return std::nullopt;
}

std::string DrawTwin(ChoiceSource& choices, const Case& test_case, absl::string_view first_route) {
  std::vector<const Twin*> applicable;
  for (const Twin& twin : kTwins) {
    const bool comparable = twin.edit != nullptr || test_case.route == first_route;
    if (comparable && Apply(twin, test_case)) applicable.push_back(&twin);
  }
  if (applicable.empty()) return "";
  const Twin& drawn = *applicable[choices.Below(applicable.size())];
  return drawn.edit == nullptr && test_case.route == kCustomRoute ? "" : std::string(drawn.name());
}

}  // namespace tosaic
