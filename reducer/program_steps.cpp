// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that drop whole parts of a case: passes, runs, ops, results, values.
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "model/pass_sequence.h"
#include "model/value_edits.h"
#include "reducer/reduction_steps.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

bool IsUsed(const Program& program, ValueRef ref) {
  if (std::find(program.results.begin(), program.results.end(), ref) != program.results.end()) return true;
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const OpApplication& op) {
    return std::find(op.operands.begin(), op.operands.end(), ref) != op.operands.end();
  });
}

// The case without the parts that no result depends on. At least one op stays.
Case WithoutUnused(Case test_case) {
  const std::vector<ValueRef> values = AllValues(test_case.program);
  // From the last op to the first argument: an op that goes may free its operands.
  for (auto ref = values.rbegin(); ref != values.rend(); ++ref) {
    const bool last_op = ref->kind == Kind::kOp && test_case.program.ops.size() == 1;
    if (!last_op && !IsUsed(test_case.program, *ref)) Remove(test_case, *ref);
  }
  return test_case;
}

// The value that replaces the result of a removed op.
enum class Filling : uint8_t { kOtherData, kOnes };

// A tensor that the type admits (an empty one if that is too large); its elements repeat those of a tensor of the run
// with the same element type.
Tensor StandIn(const Case& test_case, const Run& run, ValueRef ref, Filling filling) {
  const TensorType type = TypeOf(test_case.program, ref);
  std::vector<int64_t> sizes = SizesInRun(test_case, &run, ref).value_or(std::vector<int64_t>());
  if (type.shape.IsRanked()) {
    sizes.resize(type.shape.rank(), 1);
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (type.shape[i].IsStatic()) sizes[i] = type.shape[i].size();
    }
  }
  if (ElementCount(sizes) > (int64_t{1} << 20)) return {};
  Tensor tensor(type.element_type, sizes);
  auto source = std::find_if(run.begin(), run.end(), [&](const Tensor& t) {
    return t.element_type() == type.element_type && t.element_count() > 0;
  });
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const bool copy = filling == Filling::kOtherData && source != run.end();
    tensor.SetBits(i, copy ? source->Bits(i % source->element_count()) : OneBits(type.element_type));
  }
  return tensor;
}

// The program of one op alone: what other ops computed for it becomes arguments.
Case SingleOp(const Case& test_case, size_t index, Filling filling) {
  Case single = test_case;
  OpApplication op = test_case.program.ops[index];
  std::map<int, int> argument_of_op;
  for (ValueRef& operand : op.operands) {
    if (operand.kind != Kind::kOp) continue;
    auto [entry, is_new] = argument_of_op.try_emplace(operand.index, single.program.arguments.size());
    if (is_new) {
      single.program.arguments.push_back(TypeOf(test_case.program, operand));
      for (size_t run = 0; run < single.runs.size(); ++run) {
        single.runs[run].push_back(StandIn(test_case, test_case.runs[run], operand, filling));
      }
    }
    operand = {Kind::kArgument, entry->second};
  }
  single.program.ops = {op};
  single.program.results = {{Kind::kOp, 0}};
  return WithoutUnused(std::move(single));
}

// The argument or constant moved to the end of the other kind. REQUIRES: an argument has a static type, and one run.
Case Moved(Case moved, ValueRef ref) {
  if (ref.kind == Kind::kConstant) {
    MakeArgument(moved, ref);
  } else {
    MakeConstant(moved, ref, Tensor(moved.runs[0][ref.index]));
  }
  return moved;
}

// Proposes the case with another value instead of an op's result, and without what is then unused. The program still
// returns only results of ops.
bool TryReplaced(Proposals& proposals, Case test_case, ValueRef op, ValueRef by) {
  std::vector<ValueRef>& results = test_case.program.results;
  for (OpApplication& user : test_case.program.ops) std::replace(user.operands.begin(), user.operands.end(), op, by);
  if (by.kind == Kind::kOp) {
    std::replace(results.begin(), results.end(), op, by);
  } else {
    results.erase(std::remove(results.begin(), results.end(), op), results.end());
  }
  const bool returns_an_op =
      std::any_of(results.begin(), results.end(), [](ValueRef result) { return result.kind == Kind::kOp; });
  return returns_an_op && proposals.Try(WithoutUnused(std::move(test_case)));
}

}  // namespace

void ProposeFewerPasses(Proposals& proposals) {
  const auto passes = [&] { return ParseSequence(proposals.current().route).value_or(PassSequence()); };
  for (size_t length = passes().size(); length > 0; length /= 2) {
    for (size_t begin = 0; begin < passes().size();) {
      PassSequence fewer = passes();
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first, fewer.size() - begin <= length ? fewer.end() : first + static_cast<std::ptrdiff_t>(length));
      Case candidate = proposals.current();
      candidate.route = SequenceText(fewer);
      if (!proposals.Try(std::move(candidate))) begin += length;
    }
  }
}

void ProposeFewerRuns(Proposals& proposals) {
  const size_t count = proposals.current().runs.size();
  auto keep = [&](auto keeps) {
    Case fewer = proposals.current();
    fewer.runs.clear();
    for (size_t i = 0; i < count; ++i) {
      if (keeps(i)) fewer.runs.push_back(proposals.current().runs[i]);
    }
    return proposals.Try(std::move(fewer));
  };
  if (keep([](size_t) { return false; })) return;
  for (size_t kept = 0; kept < count; ++kept) {
    if (keep([&](size_t i) { return i == kept; })) return;
  }
  if (keep([&](size_t i) { return i < count / 2; }) || keep([&](size_t i) { return i >= count / 2; })) return;
  for (size_t left_out = 0; left_out < count; ++left_out) {
    if (keep([&](size_t i) { return i != left_out; })) return;
  }
}

void ProposeSingleOp(Proposals& proposals) {
  const size_t count = proposals.current().program.ops.size();
  for (size_t i = 0; i < count && count > 1; ++i) {
    for (Filling filling : {Filling::kOtherData, Filling::kOnes}) {
      if (proposals.Try(SingleOp(proposals.current(), i, filling))) return;
    }
  }
}

void ProposeOpsAsArguments(Proposals& proposals) {
  const Case current = proposals.current();
  const size_t count = current.program.ops.size();
  for (size_t i = 0; i < count && count > 1; ++i) {
    const ValueRef op = {Kind::kOp, static_cast<int>(i)};
    for (Filling filling : {Filling::kOtherData, Filling::kOnes}) {
      Case cut = current;
      const ValueRef argument = {Kind::kArgument, static_cast<int>(cut.program.arguments.size())};
      cut.program.arguments.push_back(TypeOf(current.program, op));
      for (Run& run : cut.runs) run.push_back(StandIn(current, run, op, filling));
      if (TryReplaced(proposals, std::move(cut), op, argument)) return;
    }
  }
}

void ProposeBypassedOps(Proposals& proposals) {
  const Case current = proposals.current();
  const std::vector<OpApplication>& ops = current.program.ops;
  for (size_t i = 0; i < ops.size() && ops.size() > 1; ++i) {
    for (size_t operand = 0; operand < BroadcastOperandCount(Info(ops[i].op)); ++operand) {
      const ValueRef op = {Kind::kOp, static_cast<int>(i)};
      if (TryReplaced(proposals, current, op, ops[i].operands[operand])) return;
    }
  }
}

void ProposeFewerResults(Proposals& proposals) {
  const Program& program = proposals.current().program;
  // Each value that is returned alone, then each op's, then all but one.
  std::vector<std::vector<ValueRef>> choices;
  for (ValueRef result : program.results) choices.push_back({result});
  for (size_t i = 0; i < program.ops.size(); ++i) choices.push_back({{Kind::kOp, static_cast<int>(i)}});
  for (size_t i = 0; i < program.results.size() && program.results.size() > 1; ++i) {
    choices.push_back(program.results);
    choices.back().erase(choices.back().begin() + i);
  }
  for (std::vector<ValueRef>& choice : choices) {
    Case fewer = proposals.current();
    fewer.program.results = std::move(choice);
    if (proposals.Try(WithoutUnused(std::move(fewer)))) return;
  }
}

void ProposeNothingUnused(Proposals& proposals) {
  if (proposals.Try(WithoutUnused(proposals.current()))) return;
  for (ValueRef ref : AllValues(proposals.current().program)) {
    if (IsUsed(proposals.current().program, ref)) continue;
    Case fewer = proposals.current();
    Remove(fewer, ref);
    if (proposals.Try(std::move(fewer))) return;
  }
}

void ProposeRolesInPlace(Proposals& proposals) {
  for (ValueRef ref : AllValues(proposals.current().program)) {
    const Case& current = proposals.current();
    const bool movable = ref.kind == Kind::kConstant || (ref.kind == Kind::kArgument && current.runs.size() == 1 &&
                                                         current.program.arguments[ref.index].shape.IsStatic());
    if (movable && proposals.Try(Moved(current, ref))) return;
  }
}

}  // namespace tosaic
