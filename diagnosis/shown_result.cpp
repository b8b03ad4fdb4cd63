// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/shown_result.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "oracle/compare.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/run_sets.h"
#include "oracle/run_values.h"
#include "oracle/set_comparison.h"
#include "oracle/twins.h"

namespace tosaic {
namespace {

// The ranges without one bit pattern, which is not allowed. RangesOf gives ranges of a large set without its gaps, so
// that they may contain it.
std::vector<BitRange> Without(uint64_t bits, const std::vector<BitRange>& ranges) {
  std::vector<BitRange> others;
  for (const BitRange range : ranges) {
    const bool has = range.first <= bits && bits <= range.last;
    if (!has) others.push_back(range);
    if (has && range.first < bits) others.push_back({range.first, bits - 1});
    if (has && bits < range.last) others.push_back({bits + 1, range.last});
  }
  return others;
}

// The allowed elements of a result that depends on values which the program does not return, from their sets of
// possible values. `actual`: the result of the run, null if it has none. A reshape keeps a NaN's payload, which sets
// leave out: its elements come from the operand if that has one possible value.
ShownResult ShownBySets(const Program& program, size_t run, size_t result, RunSets& sets, const Tensor* actual) {
  const size_t op = program.results[result].index;
  ShownResult shown{.run = run, .result = result, .sizes = sets.sizes(op)};
  const auto count = static_cast<size_t>(ElementCount(sets.sizes(op)));
  for (size_t i = 0; i < count; ++i) {
    const AllowedSet allowed = sets.Allowed(op, i);
    shown.elements.push_back(RangesOf(allowed));
    const bool is_wrong = actual != nullptr && actual->sizes() == shown.sizes && !allowed.Contains(actual->RawBits(i));
    if (is_wrong) shown.elements.back() = Without(actual->Bits(i), shown.elements.back());
    if (!MovesElements(Info(program.ops[op].op))) continue;
    if (const std::optional<ElementBits> copied = sets.OnlyOperandsOf(op, i)) {
      shown.elements.back() = {{(*copied)[0], (*copied)[0]}};
    }
  }
  return shown;
}

bool IsWrongBySets(const Program& program, const ShownResult& shown, const RunObservation& observed,
                   const Policies& policies, RunSets& sets) {
  const Tensor& actual = observed.results[shown.result].tensor;
  const size_t op = program.results[shown.result].index;
  return actual.sizes() != shown.sizes || CompareWithSets(program, op, actual, policies, &sets).first.has_value();
}

// Allows any value of elements that depend on an unpredictable one. Returns which elements do.
std::vector<bool> AllowAnyOfUndefined(size_t op, uint64_t mask, RunSets& sets, ShownResult& shown) {
  if (sets.sizes(op) != shown.sizes) return {};
  std::vector<bool> left_out = sets.DependingOnUndefined(op);
  for (size_t i = 0; i < left_out.size(); ++i) {
    if (left_out[i]) shown.elements[i] = {{0, mask}};
  }
  return left_out;
}

// The result is an argument or a constant, whose bits are the only ones allowed. Nothing if it came back unchanged.
std::optional<ShownResult> ShownPassedOn(const Case& test_case, size_t run, size_t result,
                                         const RunObservation& observed) {
  const Tensor& given = *ValueIn(test_case, run, {}, test_case.program.results[result]);
  const Tensor& actual = observed.results[result].tensor;
  ShownResult shown{.run = run, .result = result, .sizes = given.sizes()};
  bool differs = actual.sizes() != given.sizes();
  for (size_t i = 0; i < given.element_count(); ++i) {
    shown.elements.push_back({{given.Bits(i), given.Bits(i)}});
    differs = differs || actual.Bits(i) != given.Bits(i);
  }
  return differs ? std::optional(std::move(shown)) : std::nullopt;
}

// The allowed elements of a result whose operands are known.
ShownResult ShownByOperands(size_t run, size_t result, const Program& program,
                            const std::vector<const Tensor*>& operands, const std::vector<int64_t>& sizes,
                            const Policies& policies) {
  ShownResult shown{.run = run, .result = result, .sizes = sizes};
  const OpApplication& op = program.ops[program.results[result].index];
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (size_t element = 0; element < expected.size(); ++element) {
    shown.elements.push_back(AllowedRanges(op.result.element_type, expected[element], of_flushed[element]));
  }
  return shown;
}

// Whether the judgement says that this result depends on poison, so that all its values are wrong.
bool IsPoisoned(const Judgement& judgement, const Program& program, size_t run, size_t result) {
  const ValueRef ref = program.results[result];
  return judgement.rule == RuleId::kRunUndefinedBehaviour && judgement.mismatch &&
         judgement.mismatch->run == static_cast<int>(run) && ref.kind == ValueRef::Kind::kOp &&
         judgement.mismatch->op == ref.index;
}

// The first wrong result of a run, with the values that it may have. If none is wrong, nothing; `first` is then the
// first result whose values are known, unless an earlier run has set it. `observed`: null if the run did not end.
std::optional<ShownResult> ShownInRun(const Case& test_case, size_t run, const RunObservation* observed,
                                      const Judgement& judgement, const Policies& policies,
                                      std::optional<ShownResult>& first) {
  const Program& program = test_case.program;
  std::vector<const Tensor*> known(program.ops.size(), nullptr);
  if (observed != nullptr) known = KnownOpResults(program, *observed);
  std::optional<RunSets> sets = RunSets::Of(test_case, run, known, policies);
  for (size_t i = 0; i < program.results.size(); ++i) {
    if (program.results[i].kind != ValueRef::Kind::kOp) {
      std::optional<ShownResult> shown;
      if (observed != nullptr) shown = ShownPassedOn(test_case, run, i, *observed);
      if (shown) return shown;
      continue;
    }
    const OpApplication& op = program.ops[program.results[i].index];
    const std::vector<const Tensor*> operands = OperandsIn(test_case, run, known, op);
    if (operands.empty()) {
      if (!sets) continue;
      const Tensor* actual = observed == nullptr ? nullptr : &observed->results[i].tensor;
      ShownResult shown = ShownBySets(program, run, i, *sets, actual);
      if (IsPoisoned(judgement, program, run, i)) return shown;
      if (observed != nullptr && IsWrongBySets(program, shown, *observed, policies, *sets)) return shown;
      if (!first) first = std::move(shown);
      continue;
    }
    const RuntimeShape sizes = SizesFor(op, operands);
    if (!sizes.defined) continue;
    ShownResult shown = ShownByOperands(run, i, program, operands, sizes.sizes, policies);
    std::vector<bool> left_out;
    if (sets) left_out = AllowAnyOfUndefined(program.results[i].index, BitMask(op.result.element_type), *sets, shown);
    if (observed != nullptr) {
      const ResultObservation& actual = observed->results[i];
      if (actual.tensor.sizes() != sizes.sizes) return shown;
      const bool unwritten = judgement.verdict == Verdict::kUninitializedResult && !actual.unwritten.empty();
      if (unwritten || IsPoisoned(judgement, program, run, i)) return shown;
      if (CompareValues(program, op, operands, actual.tensor, policies, left_out).first) return shown;
    }
    if (!first) first = std::move(shown);
  }
  return std::nullopt;
}

// The result that the judgement is about, or, if it names none, the first whose values are known.
ShownResult WrongResult(const Case& test_case, const CheckedCase& checked, const Policies& policies) {
  const Observation& observation = checked.observation;
  std::optional<ShownResult> first;
  for (size_t run = 0; run < test_case.runs.size(); ++run) {
    const bool has_results = run < observation.runs.size() && !observation.runs[run].results.empty();
    // A case that ended early is about the run in which it ended.
    if (!has_results && observation.outcome != Outcome::kCompleted && run != observation.run) continue;
    const RunObservation* observed = has_results ? &observation.runs[run] : nullptr;
    std::optional<ShownResult> shown = ShownInRun(test_case, run, observed, checked.judgement, policies, first);
    if (shown) return *std::move(shown);
  }
  return first.value_or(ShownResult{.run = observation.outcome == Outcome::kCompleted ? 0 : observation.run});
}

// Whether the judgement is about an element that by itself is allowed.
bool NamesAnAllowedElement(const Judgement& judgement) {
  const bool by_rule = FamilyOf(judgement.rule) == RuleFamily::kMetamorphic ||
                       judgement.rule == RuleId::kValueImplausible || judgement.rule == RuleId::kRunReturnedTwice ||
                       judgement.rule == RuleId::kValueOneContent;
  return by_rule && judgement.mismatch;
}

// The result with that element alone restricted: to the value that its twin, the other copy, plausibility or the other
// results of the same hidden value ask for.
ShownResult ShownOfElement(const Case& test_case, const CheckedCase& checked) {
  const ElementMismatch& mismatch = *checked.judgement.mismatch;
  const Program& program = test_case.program;
  ShownResult shown{.run = static_cast<size_t>(mismatch.run)};
  const ValueRef blamed = {ValueRef::Kind::kOp, mismatch.op};
  const bool is_copy = checked.judgement.rule == RuleId::kRunReturnedTwice;
  for (size_t i = program.results.size(); i-- > 0;) {
    if (program.results[i] == blamed && (shown.result == 0 || !is_copy)) shown.result = i;
  }
  const Tensor& actual = checked.observation.runs[shown.run].results[shown.result].tensor;
  const ElementType type = actual.element_type();
  shown.sizes = actual.sizes();
  shown.elements.assign(actual.element_count(), {{0, BitMask(type)}});
  uint64_t bits = 0;
  const bool read = absl::SimpleHexAtoi(mismatch.expected_bits, &bits);
  const bool is_nan = read && IsFloat(type) && ElementToDouble(type, bits) != ElementToDouble(type, bits);
  if (read && is_copy) {
    shown.elements[mismatch.index] = {{bits, bits}};
    return shown;
  }
  if (read) shown.elements[mismatch.index] = AllowedRanges(type, is_nan ? AnyNan() : ExactBits(bits));
  return shown;
}

}  // namespace

ShownResult ResultToShow(const Case& test_case, const CheckedCase& checked, const Policies& policies) {
  return NamesAnAllowedElement(checked.judgement) ? ShownOfElement(test_case, checked)
                                                  : WrongResult(test_case, checked, policies);
}

}  // namespace tosaic
