// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/rewritten_program.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/observation.h"
#include "model/verdict.h"
#include "oracle/block_results.h"
#include "oracle/compare.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_values.h"
#include "reports/reproducer/reproducer.h"

namespace tosaic {
namespace {

// The result of an op; nullopt if the documents allow anything of one of its elements, or of its sizes.
std::optional<Tensor> ResultOf(const Program& program, const OpApplication& op,
                               const std::vector<const Tensor*>& operands, const Policies& policies) {
  const RuntimeShape sizes = SizesFor(op, operands);
  if (sizes.defined && MakesBlocks(program, op)) return BlocksOf(*operands[0], op.result.element_type);
  if (!sizes.defined || !HasValues(program, op)) return std::nullopt;
  Tensor result(op.result.element_type, sizes.sizes);
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes.sizes, policies);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].kind == Expected::Kind::kUndefined) return std::nullopt;
    result.SetBits(i, AllowedBits(op.result.element_type, expected[i]));
  }
  return result;
}

// "for %arg0 of size 1, ": of the arguments whose types leave that open.
std::string ForSizes(const Program& program, const Run& run) {
  std::vector<std::string> sizes;
  for (size_t i = 0; i < run.size(); ++i) {
    if (program.arguments[i].shape.IsStatic()) continue;
    sizes.push_back(absl::StrCat("%arg", i, " of size ", SizesToString(run[i].sizes())));
  }
  return sizes.empty() ? "" : absl::StrCat("for ", absl::StrJoin(sizes, ", "), ", ");
}

}  // namespace

bool HasSameInterface(const Program& program, const Program& rewritten) {
  return program.arguments == rewritten.arguments &&
         absl::c_equal(program.results, rewritten.results, [&](ValueRef before, ValueRef after) {
           return ElementTypeOf(program, before) == ElementTypeOf(rewritten, after);
         });
}

std::optional<RunObservation> ResultsIn(const Case& test_case, size_t run, const Policies& policies) {
  std::vector<Tensor> computed;
  computed.reserve(test_case.program.ops.size());  // `known` points into it
  std::vector<const Tensor*> known(test_case.program.ops.size(), nullptr);
  for (const OpApplication& op : test_case.program.ops) {
    std::optional<Tensor> result = ResultOf(test_case.program, op, OperandsIn(test_case, run, known, op), policies);
    if (!result) return std::nullopt;
    computed.push_back(*std::move(result));
    known[computed.size() - 1] = &computed.back();
  }
  RunObservation observed;
  for (const ValueRef ref : test_case.program.results) {
    observed.results.push_back({.tensor = *ValueIn(test_case, run, known, ref)});
  }
  return observed;
}

Rewritten JudgeRewritten(const Case& test_case, const Program& rewritten, const JudgeOptions& judge) {
  if (test_case.runs.empty() || !HasSameInterface(test_case.program, rewritten)) return {};
  const Case again = {.program = rewritten, .runs = test_case.runs};
  Observation observation;
  for (size_t run = 0; run < again.runs.size(); ++run) {
    UndefinedSizes why;
    if (!SizesOfAllOps(rewritten, again.runs[run], &why)) {
      const OpApplication& op = rewritten.ops[static_cast<size_t>(why.op_index)];
      return {.is_right = false,
              .wrong = absl::StrCat(ForSizes(rewritten, again.runs[run]), "its sizes contradict ",
                                    Signature(rewritten, op))};
    }
    std::optional<RunObservation> results = ResultsIn(again, run, judge.policies);
    if (!results) return {};
    observation.runs.push_back(*std::move(results));
  }
  Case plain = test_case;  // no route asks for more than the results
  plain.route = "loops";
  plain.twin.clear();
  const Judgement judgement = Judge(plain, observation, judge);
  if (judgement.verdict == Verdict::kAgree) return {.is_right = true};
  if (!IsDivergence(judgement.verdict)) return {};
  const char* returns = judgement.verdict == Verdict::kWrongShape ? "it returns the size " : "it returns ";
  return {.is_right = false,
          .wrong = absl::StrCat(returns, WithoutPlace(judgement.actual), " instead of ", judgement.expected)};
}

}  // namespace tosaic
