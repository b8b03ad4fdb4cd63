// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/twins.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "model/rules.h"

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

void Rename(Program& program, ValueRef from, ValueRef to) {
  for (OpApplication& op : program.ops) absl::c_replace(op.operands, from, to);
  absl::c_replace(program.results, from, to);
}

// Takes value `index` of a kind out of use, which nothing names any more, and closes the gap.
void Renumber(Program& program, ValueRef::Kind kind, int index) {
  auto close = [&](ValueRef& ref) {
    if (ref.kind == kind && ref.index > index) --ref.index;
  };
  for (OpApplication& op : program.ops) absl::c_for_each(op.operands, close);
  absl::c_for_each(program.results, close);
}

// As many as there may be arguments.
bool ConstantsAsArguments(Case& twin) {
  constexpr size_t kMostArguments = 15;  // that the executor passes
  Program& program = twin.program;
  bool any = false;
  for (int i = static_cast<int>(program.constants.size()) - 1; i >= 0; --i) {
    if (program.arguments.size() >= kMostArguments) break;
    const ValueRef constant = {ValueRef::Kind::kConstant, i};
    if (!IsInput(program, constant)) continue;
    const Tensor tensor = program.constants[i];
    program.arguments.push_back({Shape::OfSizes(tensor.sizes()), tensor.element_type()});
    for (Run& run : twin.runs) run.push_back(tensor);
    Rename(program, constant, {ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size()) - 1});
    program.constants.erase(program.constants.begin() + i);
    Renumber(program, ValueRef::Kind::kConstant, i);
    any = true;
  }
  return any;
}

void AsConstant(Case& twin, int argument) {
  Program& program = twin.program;
  Run& run = twin.runs.front();
  program.constants.push_back(std::move(run[argument]));
  run.erase(run.begin() + argument);
  program.arguments.erase(program.arguments.begin() + argument);
  const ValueRef from = {ValueRef::Kind::kArgument, argument};
  Rename(program, from, {ValueRef::Kind::kConstant, static_cast<int>(program.constants.size()) - 1});
  Renumber(program, ValueRef::Kind::kArgument, argument);
}

bool LastArgumentAsConstant(Case& twin) {
  if (twin.program.arguments.empty()) return false;
  twin.runs.resize(1);
  AsConstant(twin, static_cast<int>(twin.program.arguments.size()) - 1);
  return true;
}

bool ArgumentsAsConstants(Case& twin) {
  // With one argument it is the twin above.
  if (twin.program.arguments.size() < 2) return false;
  while (!twin.program.arguments.empty()) LastArgumentAsConstant(twin);
  return true;
}

// Returns every op's result. False if that is so already.
bool ReturnAll(Case& twin) {
  std::vector<ValueRef> all;
  for (int i = 0; i < static_cast<int>(twin.program.ops.size()); ++i) all.push_back({ValueRef::Kind::kOp, i});
  return std::exchange(twin.program.results, all) != all;
}

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

std::optional<Case> TwinOf(const Case& test_case) {
  for (const Twin& twin : kTwins) {
    if (twin.name() == test_case.twin) return Apply(twin, test_case);
  }
  return std::nullopt;
}

std::string DrawTwin(ChoiceSource& choices, const Case& test_case, absl::string_view first_route) {
  std::vector<absl::string_view> applicable;
  for (const Twin& twin : kTwins) {
    const bool comparable = twin.edit != nullptr || test_case.route == first_route;
    if (comparable && Apply(twin, test_case)) applicable.push_back(twin.name());
  }
  return applicable.empty() ? "" : std::string(applicable[choices.Below(applicable.size())]);
}

}  // namespace tosaic
