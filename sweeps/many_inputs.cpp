// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/many_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "oracle/compare.h"
#include "oracle/element_filter.h"
#include "oracle/flushing.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// So many elements of a run that show what becomes of subnormals are judged together, whatever the filter says.
constexpr uint64_t kSubnormalsOfARun = 32;
// Of a curve over inputs that are one run.
constexpr uint64_t kPartsOfFewInputs = 128;

// Errors from here on are exact to the last bit, whatever the true value is: it is too small beside the result to
// change their difference.
constexpr double kExactErrors = 0x1p80;

// The least that an element must reach, by what a filter says, to be the first that reaches the largest value. Values
// from `exact_from` on are the exact ones.
class Contest {
 public:
  explicit Contest(const ElementFilter* filter, double exact_from = HUGE_VAL)
      : filter_(filter), exact_from_(exact_from) {}
  void Enter(const std::vector<double>& values, size_t count) {
    const double greatest = *std::max_element(values.begin(), values.begin() + static_cast<int64_t>(count));
    raised_ = greatest > best_;
    best_ = std::max(best_, greatest);
  }
  // Exact values are equal if they are: then the first is enough.
  bool IsCandidate(double value) {
    const double slack = best_ >= exact_from_ ? 0 : filter_->slack(best_);
    if (slack > 0) return value > kLeastError && value >= best_ - 2 * slack;
    return value == best_ && std::exchange(raised_, false);
  }

 private:
  const ElementFilter* filter_ = nullptr;
  double exact_from_;
  double best_ = 0;
  bool raised_ = false;
};

// How an element is wrong that the filter decides: each is a finding of its own.
enum class Wrong : uint8_t { kNot, kNumber, kInfinity, kPoison };
Wrong HowWrong(uint8_t flags, const ResultObservation& result, size_t element) {
  if ((flags & kIsDecided) == 0) return Wrong::kNot;
  if ((flags & kIsWrong) != 0) {
    const Tensor& tensor = result.tensor;
    const bool is_infinity = std::isinf(ElementToDouble(tensor.element_type(), tensor.Bits(element)));
    return is_infinity ? Wrong::kInfinity : Wrong::kNumber;
  }
  const bool is_poisoned = (flags & kIsUnpredictable) == 0 && !result.poisoned.empty() &&
                           absl::c_binary_search(result.poisoned, uint64_t{element});
  return is_poisoned ? Wrong::kPoison : Wrong::kNot;
}

class ManyInputs {
 public:
  ManyInputs(const ValueSweep& sweep, const Case& test_case, Observation observation, uint64_t first,
             const JudgeOptions& options)
      : sweep_(sweep), case_(test_case), runs_(std::move(observation.runs)), first_(first), options_(options) {
    observation.runs.clear();
    rest_ = std::move(observation);
    ScalarInput in = InputOf(case_.program, case_.program.ops[0], options_.policies);
    const size_t variable = BroadcastOperandCount(in.op);
    for (size_t k = variable; k < in.op.operands.size(); ++k)
      in.bits[k] = case_.program.constants[k - variable].Bits(0);
    if (!sweep.inputs.exhaustive()) return;
    filter_ = ElementFilter::For(in);
    if (!filter_) return;
    error_contest_ = Contest(&*filter_, kExactErrors);
    bound_contest_ = Contest(&*filter_);
  }

  ValueChunk Judge();

 private:
  bool IsProgramRight() const;
  bool IsPlain(const RunObservation& run) const;
  void JudgeRun(RunObservation run, uint64_t first);
  void JudgeWhole(size_t number);
  void Count(uint64_t first, const ResultObservation& actual);
  ValueChunk JudgeSome(const std::vector<uint64_t>& inputs, const RunObservation& run, uint64_t first,
                       absl::Span<const uint64_t> also_wrong = {}) const;
  struct OfWrong;
  void AddWrong(const RunObservation& run, uint64_t first, OfWrong* of);
  void Merge(ValueChunk next);
  double AllowedAt(uint64_t input) const;
  void AddParts();
  uint64_t OfARun() const { return case_.runs[0][0].element_count(); }

  const ValueSweep& sweep_;
  const Case& case_;
  std::vector<RunObservation> runs_;
  Observation rest_;  // without runs
  const uint64_t first_;
  const JudgeOptions& options_;
  std::optional<ElementFilter> filter_;
  FilteredElements elements_;
  Contest error_contest_{nullptr}, bound_contest_{nullptr};
  std::vector<uint64_t> picked_, wrong_;  // inputs: those that are judged, and wrong ones that are not
  uint64_t subnormals_ = 0;               // picked because of what became of them
  // By Wrong.
  struct OfWrong {
    size_t picked = 0;             // in all runs
    uint64_t count = 0, last = 0;  // of a run, those of wrong_, and the last of them
    std::optional<FindingSignature> signature;
  };
  std::array<OfWrong, 4> of_wrong_;
  ValueChunk chunk_;
};

// Whether the judge agrees with everything but the runs.
bool ManyInputs::IsProgramRight() const {
  Case without_runs = case_;
  without_runs.runs.clear();
  return rest_.outcome == Outcome::kCompleted && !IsDivergence(tosaic::Judge(without_runs, rest_, options_).verdict);
}

// Whether only the values of a run remain to be judged.
bool ManyInputs::IsPlain(const RunObservation& run) const {
  if (!run.stopped.empty() || run.leaked_buffers != 0 || !run.uneven_stores.empty() || run.results.size() != 1) {
    return false;
  }
  const ResultObservation& result = run.results[0];
  return TensorType{Shape::OfSizes(result.tensor.sizes()), result.tensor.element_type()} ==
             case_.program.ops[0].result &&
         result.unwritten.empty() && result.not_stored_once.empty() && !result.overwritten && result.not_owned.empty();
}

// Keeps the order of inputs.
void ManyInputs::Merge(ValueChunk next) {
  chunk_.profile.Add(next.profile);
  chunk_.wrong.Add(next.wrong);
  if (chunk_.note.empty()) chunk_.note = next.note;
  if (chunk_.harness_fault.empty()) chunk_.harness_fault = next.harness_fault;
  AddFindings(std::move(next.findings), &chunk_);
  // kUndefined does not replace kAgree: some inputs of a chunk may be undefined, and the others were compared.
  const bool is_next_worse = chunk_.verdict == Verdict::kAgree && next.verdict != Verdict::kUndefined;
  if (is_next_worse) chunk_.verdict = next.verdict;
}

// Judges a run as a case of its own; one that there is not, by how the program ended.
void ManyInputs::JudgeWhole(size_t number) {
  Case test_case = case_;
  test_case.runs = {case_.runs[number]};
  Observation observation = rest_;
  observation.run = 0;
  const bool is_there = number < runs_.size();
  if (is_there) {
    observation.outcome = Outcome::kCompleted;
    observation.fault.reset();
    observation.signal = 0;
    observation.diagnostics.clear();
    observation.runs.push_back(std::move(runs_[number]));
  }
  ValueChunk chunk = JudgeChunk(test_case, observation, first_ + number * OfARun(), options_);
  if (!is_there) {  // nothing is known of the runs behind it either
    for (ValueChunk::Finding& finding : chunk.findings) finding.count *= case_.runs.size() - number;
    if (number == 0) chunk_.verdict = chunk.verdict;
  }
  Merge(std::move(chunk));
}

// Counts elements that the filter decided, of which there are `by_flags` with each combination of flags.
static void AddDecided(const std::array<uint64_t, 256>& by_flags, AccuracyProfile* profile) {
  const auto counted = [&](uint8_t mask, uint8_t wanted) {
    uint64_t sum = 0;
    for (size_t flags = 0; flags < by_flags.size(); ++flags) sum += (flags & mask) == wanted ? by_flags[flags] : 0;
    return sum;
  };
  profile->unpredictable += counted(kIsUnpredictable, kIsUnpredictable);
  profile->open += counted(kIsOpen, kIsOpen);
  profile->compared += counted(kIsOpen | kIsUnpredictable, 0);
  profile->measured += counted(kIsMeasured, kIsMeasured);
  profile->flushed += counted(kIsFlushed, kIsFlushed);
  profile->implausible += counted(kIsImplausible, kIsImplausible);
  profile->exact_kept += counted(kIsKept, kIsKept);
}

// Counts the elements of a run that the filter decided, and picks the others.
void ManyInputs::Count(uint64_t first, const ResultObservation& actual) {
  const size_t count = actual.tensor.element_count();
  filter_->Apply(static_cast<uint32_t>(first), count, actual.tensor.bytes().data(), &elements_);
  error_contest_.Enter(elements_.error, count);
  bound_contest_.Enter(elements_.bound_used, count);
  std::array<uint64_t, 256> by_flags = {};
  double error_sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t flags = elements_.flags[i];
    const bool shows = (flags & (kIsFlushed | kIsKept)) != 0 && subnormals_ < kSubnormalsOfARun;
    const Wrong how = HowWrong(flags, actual, i);
    OfWrong& of = of_wrong_[static_cast<size_t>(how)];
    const bool is_listed = how != Wrong::kNot && of.picked < kListedDisagreements;
    const bool is_picked = (flags & kIsDecided) == 0 || shows || is_listed ||
                           error_contest_.IsCandidate(elements_.error[i]) ||
                           bound_contest_.IsCandidate(elements_.bound_used[i]);
    if (is_picked) {
      subnormals_ += shows ? 1 : 0;
      of.picked += is_listed ? 1 : 0;
      picked_.push_back(first + i);
    } else {
      ++by_flags[flags];
      error_sum += elements_.error[i];
      if (how == Wrong::kNot) continue;
      wrong_.push_back(first + i);
      ++of.count;
      of.last = first + i;
    }
  }
  AddDecided(by_flags, &chunk_.profile);
  chunk_.profile.error_sum += error_sum;
}

// Judges some elements of a run, whose first input is `first`, as a case of their own.
ValueChunk ManyInputs::JudgeSome(const std::vector<uint64_t>& inputs, const RunObservation& run, uint64_t first,
                                 absl::Span<const uint64_t> also_wrong) const {
  const Case test_case = CaseOfInputs(sweep_, inputs, case_.route);
  const ResultObservation& all = run.results[0];
  const size_t width = static_cast<size_t>(StorageBytes(all.tensor.element_type()));
  ResultObservation some = {.tensor =
                                Tensor(all.tensor.element_type(), StaticSizes(test_case.program.ops[0].result.shape))};
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t element = inputs[i] - first;
    std::memcpy(&some.tensor.mutable_bytes()[i * width], &all.tensor.bytes()[element * width], width);
    const auto poisoned = absl::c_lower_bound(all.poisoned, element);
    if (poisoned == all.poisoned.end() || *poisoned != element) continue;
    some.poisoned.push_back(i);
    const auto number = static_cast<size_t>(poisoned - all.poisoned.begin());
    if (number < all.poisoned_otherwise.size()) some.poisoned_otherwise.push_back(all.poisoned_otherwise[number]);
  }
  Observation observation = rest_;
  observation.inferred.clear();  // of the whole run's shape
  observation.runs.push_back({.results = {std::move(some)}, .poison = run.poison});
  return JudgeChunk(test_case, observation, InputNumbers(inputs), options_, also_wrong);
}

// Counts a run's elements that the filter alone calls wrong in a way to the finding that the exact way has of one.
void ManyInputs::AddWrong(const RunObservation& run, uint64_t first, OfWrong* of) {
  if (of->count == 0) return;
  if (!of->signature) {
    const ValueChunk judged = JudgeSome({of->last}, run, first);
    if (judged.findings.size() != 1 || judged.profile.disagreements != 1) {
      chunk_.harness_fault = "the filter calls an element wrong that is not";
      chunk_.verdict = Verdict::kHarnessFault;
    }
    of->signature = judged.findings.empty() ? FindingSignature() : judged.findings.front().signature;
  }
  FindingOf(&chunk_, *of->signature).count += std::exchange(of->count, 0);
}

void ManyInputs::JudgeRun(RunObservation run, uint64_t first) {
  picked_.clear();
  wrong_.clear();
  subnormals_ = 0;
  Count(first, run.results[0]);
  if (!picked_.empty()) {
    Merge(JudgeSome(picked_, run, first, wrong_));
  } else {
    for (const uint64_t input : wrong_) chunk_.wrong.Add(input);
  }
  if (wrong_.empty()) return;
  if (chunk_.verdict == Verdict::kAgree) chunk_.verdict = Verdict::kWrongValue;
  chunk_.profile.disagreements += wrong_.size();
  for (OfWrong& of : of_wrong_) AddWrong(run, first, &of);
}

double ManyInputs::AllowedAt(uint64_t input) const {
  ScalarInput in = InputOf(case_.program, case_.program.ops[0], options_.policies);
  std::ranges::copy(sweep_.inputs.At(input), in.bits.begin());
  const double allowed = AllowedUlps(in.result_type, EvaluateScalar(in));
  return std::isfinite(allowed) ? allowed : 0;
}

// Few inputs are judged together, and once more in parts, of which only errors are kept.
void ManyInputs::AddParts() {
  const uint64_t step = OfARun() / kPartsOfFewInputs;
  if (runs_.size() != 1 || OfARun() % kPartsOfFewInputs != 0 || !IsPlain(runs_[0])) return;
  for (uint64_t begin = first_; begin < first_ + OfARun(); begin += step) {
    std::vector<uint64_t> inputs(step);
    std::iota(inputs.begin(), inputs.end(), begin);
    const ValueChunk part = JudgeSome(inputs, runs_[0], first_);
    chunk_.parts.push_back({part.profile.error.value, AllowedAt(begin + step / 2), part.wrong.count > 0});
  }
}

ValueChunk ManyInputs::Judge() {
  if (case_.runs.size() == 1) AddParts();
  const bool filters = filter_ && !rest_.calls_library && IsProgramRight();
  for (size_t number = 0; number < case_.runs.size(); ++number) {
    const bool is_there = number < runs_.size();
    if (filters && is_there && IsPlain(runs_[number])) {
      JudgeRun(std::move(runs_[number]), first_ + number * OfARun());
    } else {
      JudgeWhole(number);
    }
    if (!is_there) break;
  }
  if (chunk_.parts.empty()) {
    const uint64_t middle = first_ + case_.runs.size() * OfARun() / 2;
    chunk_.parts.push_back({chunk_.profile.error.value, AllowedAt(middle), chunk_.wrong.count > 0});
  }
  return std::move(chunk_);
}

}  // namespace

ValueChunk JudgeManyInputs(const ValueSweep& sweep, const Case& test_case, Observation observation, uint64_t first,
                           const JudgeOptions& options) {
  return ManyInputs(sweep, test_case, std::move(observation), first, options).Judge();
}

}  // namespace tosaic
