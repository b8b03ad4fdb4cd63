#include "campaign/sweeps/type_sweep.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "campaign/checking/provenance.h"
#include "campaign/checking/signature.h"
#include "oracle/category.h"
#include "oracle/explain.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"
#include "workers/worker_pool.h"

namespace tosaic {
namespace {

// ---- Spaces ----

std::vector<OpKind> OpsOf(const TypeSweepOptions& options) {
  if (!options.tosa) return {};
  if (!options.ops.empty()) return options.ops;
  std::vector<OpKind> ops;
  for (const OpInfo& info : AllOps()) ops.push_back(info.kind);
  return ops;
}

// All shapes up to a rank over the dimensions, and unranked, which comes first.
std::vector<Shape> Shapes(int max_rank, const std::vector<Dim>& dims) {
  std::vector<Shape> shapes = {Shape::Unranked(), Shape()};
  for (size_t begin = 1, rank = 1; rank <= static_cast<size_t>(max_rank); ++rank) {
    const size_t end = shapes.size();
    for (; begin < end; ++begin) {
      for (const Dim dim : dims) {
        std::vector<Dim> longer = shapes[begin].dims();
        longer.push_back(dim);
        shapes.emplace_back(std::move(longer));
      }
    }
  }
  return shapes;
}

// Every tuple of `count` out of `types`.
std::vector<std::vector<size_t>> AllTuples(size_t types, size_t count) {
  std::vector<std::vector<size_t>> tuples = {{}};
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::vector<size_t>> longer;
    longer.reserve(tuples.size() * types);
    for (const std::vector<size_t>& tuple : tuples) {
      for (size_t type = 0; type < types; ++type) {
        longer.push_back(tuple);
        longer.back().push_back(type);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

// How many operands are swept where element types are: special ones as well if the dialect has them as operands.
size_t TypedOperandCount(const OpInfo& info, const Policies& policies) {
  return Info(policies.dialect).special_operands ? info.operands.size() : BroadcastOperandCount(info);
}

// The op on as many arguments of rank 0; the special operands among the rest are constants of 0.
Program Prototype(const OpInfo& info, ElementType input, ElementType result, size_t operands) {
  auto scalar = [](ElementType type) { return ValueType{Container::kTensor, {Shape(), type}}; };
  OpSignature signature{std::string(info.name), {}, scalar(result)};
  for (const OperandRole role : info.operands.first(operands)) {
    const bool is_condition = role == OperandRole::kCondition;
    signature.operands.push_back(scalar(is_condition ? ElementType::kI1 : input));
  }
  return ProgramOf(signature).value();
}

// Adds every shape of an element type; returns the first one's number.
size_t AddTypes(const std::vector<Shape>& shapes, Container container, ElementType type, SweepSpace* space) {
  for (const Shape& shape : shapes) space->types.push_back({container, {shape, type}});
  return space->types.size() - shapes.size();
}

std::vector<size_t> Numbers(size_t first, size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// Tuples of shapes, `operands[i]` being the type number of operand i's first shape, and a result type per shape.
void AddShapeTuples(const std::vector<size_t>& operands, size_t result, size_t shapes, bool one_order,
                    SweepSpace* space) {
  space->tuples = one_order ? OneOrderEach(shapes, operands.size()) : AllTuples(shapes, operands.size());
  for (std::vector<size_t>& tuple : space->tuples) {
    for (size_t i = 0; i < tuple.size(); ++i) tuple[i] += operands[i];
  }
  space->results = Numbers(result, shapes);
}

SweepSpace ShapesOf(const OpInfo& info, const TypeSweepOptions& options) {
  const std::vector<Shape> shapes = Shapes(options.max_rank, options.dims);
  const TypeTuple& tuple = info.spec_types.front();
  SweepSpace space{.op = std::string(info.name),
                   .prototype = Prototype(info, tuple.input, tuple.result, BroadcastOperandCount(info))};
  std::vector<size_t> operands;
  for (const TensorType& argument : space.prototype->arguments) {
    operands.push_back(AddTypes(shapes, Container::kTensor, argument.element_type, &space));
  }
  const size_t result = AddTypes(shapes, Container::kTensor, tuple.result, &space);
  AddShapeTuples(operands, result, shapes.size(), IsTooMuchForEveryOrder(operands.size(), options.max_rank), &space);
  return space;
}

// All element types on tensor<1x...>, the first input's being `input`: attributes are of its type.
SweepSpace ElementTypesOf(const OpInfo& info, ElementType input, size_t operands) {
  SweepSpace space{.op = std::string(info.name), .prototype = Prototype(info, input, input, operands)};
  for (const ElementTypeInfo& type : AllElementTypes()) {
    AddTypes({Shape({Dim::Static(1)})}, Container::kTensor, type.type, &space);
  }
  const size_t first_input =
      static_cast<size_t>(absl::c_find(info.operands, OperandRole::kInput) - info.operands.begin());
  for (std::vector<size_t>& tuple : AllTuples(space.types.size(), operands)) {
    if (space.types[tuple[first_input]].type.element_type == input) space.tuples.push_back(std::move(tuple));
  }
  space.results = Numbers(0, space.types.size());
  return space;
}

SweepSpace ProbeOverShapes(size_t operands, int max_rank, const TypeSweepOptions& options) {
  constexpr ElementType kElementTypes[] = {ElementType::kI1, ElementType::kI32, ElementType::kF16};
  const std::vector<Shape> shapes = Shapes(max_rank, options.dims);
  SweepSpace space{.op = kProbeOp};
  std::vector<size_t> firsts;
  for (size_t i = 0; i < operands; ++i) {
    firsts.push_back(AddTypes(shapes, Container::kTensor, kElementTypes[i % std::size(kElementTypes)], &space));
  }
  const size_t result = AddTypes(shapes, Container::kTensor, ElementType::kI64, &space);
  AddShapeTuples(firsts, result, shapes.size(), IsTooMuchForEveryOrder(operands, max_rank), &space);
  return space;
}

int ProbeRank(size_t operands, const TypeSweepOptions& options) {
  return operands <= 3 ? options.max_rank : std::min(options.max_rank, 1);
}

constexpr int kContainersRank = 2;

// Vectors have static dimensions of at least 1.
std::vector<Dim> VectorDims(std::vector<Dim> dims) {
  std::erase_if(dims, [](Dim dim) { return dim.IsDynamic() || dim.Is(0); });
  return dims;
}

// Tensors, vectors and scalars in any mixture.
SweepSpace ProbeOverContainers(size_t operands, const TypeSweepOptions& options) {
  const int max_rank = std::min(options.max_rank, kContainersRank);
  std::vector<Shape> vectors = Shapes(max_rank, VectorDims(options.dims));
  vectors.erase(vectors.begin());  // unranked
  SweepSpace space{.op = kProbeOp};
  AddTypes(Shapes(max_rank, options.dims), Container::kTensor, ElementType::kI32, &space);
  AddTypes(vectors, Container::kVector, ElementType::kI32, &space);
  AddTypes({Shape()}, Container::kScalar, ElementType::kI32, &space);
  space.results = Numbers(0, space.types.size());
  space.tuples = AllTuples(space.types.size(), operands);
  return space;
}

// ---- Decisions ----

// The judgement on one op on which the documents and MLIR differ.
Judgement JudgementOf(const Legality& legality, const Decider::Answer& answer) {
  Judgement judgement;
  judgement.stage = Stage::kVerify;
  judgement.beyond_spec = legality.beyond_spec;
  judgement.rule = std::string(legality.rule);
  judgement.expected = absl::StrCat(Name(legality.answer), " [", legality.rule, "]");
  if (answer.accepted && legality.answer == Answer::kRefuse) {
    judgement.verdict = Verdict::kFalseAccept;
    judgement.actual = "accepted by the verifier";
  } else if (!answer.accepted) {
    judgement.verdict = Verdict::kFalseReject;
    judgement.actual = absl::StrCat("refused: ", answer.diagnostic);
  } else {
    judgement.verdict = Verdict::kWrongInference;
    judgement.stage = Stage::kInfer;
    judgement.rule = legality.inferred ? "infer.shape" : "infer.unranked-operands";
    judgement.expected =
        absl::StrCat("inferred shape: ", legality.inferred ? ToString(*legality.inferred) : "no shape");
    judgement.actual = absl::StrCat("inferred: ", answer.inferred ? ToString(*answer.inferred) : "nothing");
  }
  return judgement;
}

// Tuples of a space, with some of its result types.
struct SweepTask {
  size_t space = 0;
  size_t begin = 0, end = 0;
  size_t result_begin = 0, result_end = 0;
  size_t part_of = 0;  // the task that it was split from

  // What to ask again where MLIR did not survive this: each tuple alone, then each result type; empty: it was one.
  std::vector<SweepTask> Split() const {
    std::vector<SweepTask> parts;
    for (size_t i = begin; end - begin > 1 && i < end; ++i)
      parts.push_back({space, i, i + 1, result_begin, result_end, part_of});
    for (size_t r = result_begin; end - begin == 1 && result_end - result_begin > 1 && r < result_end; ++r) {
      parts.push_back({space, begin, end, r, r + 1, part_of});
    }
    return parts;
  }
};

// Asks both sides about part of a space.
class SpaceSweep {
 public:
  SpaceSweep(Toolchain& toolchain, const SweepSpace& space, const Policies& policies)
      : space_(space),
        policies_(policies),
        decider_(toolchain.CreateDecider(space.prototype ? &*space.prototype : nullptr, space.types)) {
    if (space.prototype) program_ = *space.prototype;
    probe_.op = space.op;
  }

  SweepCounts Sweep(const SweepTask& task) && {
    for (size_t i = task.begin; i < task.end; ++i) {
      SetOperands(space_.tuples[i]);
      for (size_t r = task.result_begin; r < task.result_end; ++r) Decide(space_.tuples[i], space_.results[r]);
    }
    for (const auto& [rule, count] : rules_) counts_.rules[std::string(rule)] = count;
    for (const Category category : All<Category>()) {
      const uint64_t count = categories_[static_cast<size_t>(category)];
      if (count > 0) counts_.categories[std::string(Name(category))] = count;
    }
    return std::move(counts_);
  }

 private:
  void SetOperands(const std::vector<size_t>& tuple) {
    if (space_.prototype) {
      for (size_t i = 0; i < tuple.size(); ++i) program_.arguments[i] = space_.types[tuple[i]].type;
    } else {
      probe_.operands.clear();
      for (const size_t type : tuple) probe_.operands.push_back(space_.types[type]);
    }
  }

  void Decide(const std::vector<size_t>& tuple, size_t result) {
    if (space_.prototype) {
      program_.ops[0].result = space_.types[result].type;
    } else {
      probe_.result = space_.types[result];
    }
    const Decider::Answer& answer = decider_->Decide(tuple, result);
    const Legality legality =
        space_.prototype ? JudgeLegality(program_, program_.ops[0], policies_) : JudgeProbe(probe_, policies_);
    ++counts_.decisions;
    counts_.accepted += answer.accepted ? 1 : 0;
    if (answer.category) ++categories_[static_cast<size_t>(*answer.category)];
    ++rules_[legality.rule];
    InferenceGrade grade = InferenceGrade::kEqual;
    const bool decision_agrees =
        legality.answer == Answer::kEither || answer.accepted == (legality.answer == Answer::kAccept);
    if (answer.accepted && legality.answer == Answer::kAccept) {
      grade = GradeInference(legality.inferred, space_.types[result].type.element_type, answer.inferred);
    }
    if (grade == InferenceGrade::kLessPrecise) ++counts_.notes["infer.less-precise"];
    if (answer.category && legality.answer == Answer::kRefuse) NoteWrongReason(legality, *answer.category);
    if (!decision_agrees || grade == InferenceGrade::kWrong) Disagree(legality, answer);
  }

  void NoteWrongReason(const Legality& legality, Category category) {
    if (CategoryOfRule(legality.rule) == category) return;  // nearly always, and quickly seen
    const std::string note = WrongReason(
        category, space_.prototype ? BrokenCategories(program_, policies_) : BrokenCategories(probe_, policies_),
        legality.rule);
    if (!note.empty()) ++counts_.notes[note];
  }

  void Disagree(const Legality& legality, const Decider::Answer& answer) {
    const Judgement judgement = JudgementOf(legality, answer);
    Observation observation;
    if (!answer.diagnostic.empty()) observation.diagnostics = {answer.diagnostic};
    // As a campaign would sign it.
    const std::string signature =
        ToString(space_.prototype ? SignatureOf({.program = program_, .runs = {}}, observation, judgement)
                                  : SignatureOf(probe_, judgement));
    SweepDisagreement& disagreement = counts_.disagreements[signature];
    disagreement.cases.push_back(space_.prototype ? Signature(program_, program_.ops[0]) : ToString(probe_));
    if (disagreement.cases.size() > 1) return;
    disagreement.signature = signature;
    disagreement.verdict = judgement.verdict;
    disagreement.op = space_.op;
    disagreement.beyond_spec = judgement.beyond_spec;
    disagreement.expected = judgement.expected;
    disagreement.actual = judgement.actual;
  }

  const SweepSpace& space_;
  const Policies& policies_;
  const std::unique_ptr<Decider> decider_;
  Program program_;
  OpSignature probe_;
  absl::flat_hash_map<absl::string_view, uint64_t> rules_;
  uint64_t categories_[static_cast<size_t>(Category::kUnknown) + 1] = {};
  SweepCounts counts_;
};

// ---- Tasks ----

// Large enough that starting it costs nothing, small enough that progress shows and cores share.
constexpr uint64_t kDecisionsPerTask = 20000;

std::vector<SweepTask> TasksOf(const std::vector<SweepSpace>& spaces) {
  std::vector<SweepTask> tasks;
  for (size_t space = 0; space < spaces.size(); ++space) {
    const size_t step = std::max<size_t>(1, kDecisionsPerTask / spaces[space].results.size());
    for (size_t begin = 0; begin < spaces[space].tuples.size(); begin += step) {
      const size_t end = std::min(begin + step, spaces[space].tuples.size());
      tasks.push_back({space, begin, end, 0, spaces[space].results.size(), tasks.size()});
    }
  }
  return tasks;
}

// A worker did not survive this one decision.
SweepCounts Death(const SweepSpace& space, const SweepTask& task, const Observation& death) {
  OpSignature about{space.op, {}, {}};
  for (const size_t type : space.tuples[task.begin]) about.operands.push_back(space.types[type]);
  about.result = space.types[space.results[task.result_begin]];
  const bool hung = death.outcome == Outcome::kDeadline;
  SweepDisagreement disagreement;
  disagreement.verdict = hung ? Verdict::kTimeout : Verdict::kCrash;
  disagreement.signature = ToString(FindingSignature{.verdict = disagreement.verdict,
                                                     .op = space.op,
                                                     .rule = hung ? "run.deadline" : "run.signal",
                                                     .detail = std::string(Name(death.stage))});
  disagreement.op = space.op;
  disagreement.cases = {ToString(about)};
  disagreement.expected = "an answer";
  disagreement.actual = Summarize(death);
  SweepCounts counts;
  counts.disagreements[disagreement.signature] = std::move(disagreement);
  return counts;
}

}  // namespace

bool IsTooMuchForEveryOrder(size_t operands, int max_rank) { return operands >= 3 && max_rank >= 3; }

std::vector<std::vector<size_t>> OneOrderEach(size_t types, size_t count) {
  std::vector<std::vector<size_t>> tuples;
  std::vector<size_t> multiset(count, 0);  // ascending
  for (size_t turn = 0;; ++turn) {
    std::vector<size_t> tuple = multiset;
    // The orders of a multiset by turns: rotated, and every other time reversed.
    std::rotate(tuple.begin(), tuple.begin() + static_cast<ptrdiff_t>(turn % count), tuple.end());
    if (turn / count % 2 == 1) absl::c_reverse(tuple);
    tuples.push_back(std::move(tuple));
    size_t at = count;
    while (at > 0 && multiset[at - 1] == types - 1) --at;
    if (at == 0) return tuples;
    std::fill(multiset.begin() + static_cast<ptrdiff_t>(at) - 1, multiset.end(), multiset[at - 1] + 1);
  }
}

double CountDecisions(const TypeSweepOptions& options) {
  auto shapes = [](int max_rank, size_t dims) {
    double count = 0;
    for (int rank = 0; rank <= max_rank; ++rank) count += std::pow(dims, rank);
    return count;
  };
  auto over_shapes = [&](size_t operands, int max_rank) {
    const double types = 1 + shapes(max_rank, options.dims.size());
    if (!IsTooMuchForEveryOrder(operands, max_rank)) return std::pow(types, operands + 1);
    double multisets = 1;
    for (size_t i = 0; i < operands; ++i) multisets *= (types + static_cast<double>(i)) / (static_cast<double>(i) + 1);
    return std::round(multisets) * types;
  };
  double decisions = 0;
  for (const OpKind op : OpsOf(options)) {
    decisions += over_shapes(BroadcastOperandCount(Info(op)), options.max_rank) +
                 std::pow(AllElementTypes().size(), TypedOperandCount(Info(op), options.policies) + 1);
  }
  if (options.probe) {
    for (size_t operands = 0; operands <= 6; ++operands)
      decisions += over_shapes(operands, ProbeRank(operands, options));
    const int max_rank = std::min(options.max_rank, kContainersRank);
    const double types =
        1 + shapes(max_rank, options.dims.size()) + shapes(max_rank, VectorDims(options.dims).size()) + 1;
    decisions += std::pow(types, 2) + std::pow(types, 3);
  }
  return decisions;
}

std::vector<SweepSpace> SweepSpaces(const TypeSweepOptions& options) {
  std::vector<SweepSpace> spaces;
  for (const OpKind op : OpsOf(options)) {
    spaces.push_back(ShapesOf(Info(op), options));
    for (const ElementTypeInfo& type : AllElementTypes()) {
      spaces.push_back(ElementTypesOf(Info(op), type.type, TypedOperandCount(Info(op), options.policies)));
    }
  }
  if (options.probe) {
    for (size_t operands = 0; operands <= 6; ++operands) {
      spaces.push_back(ProbeOverShapes(operands, ProbeRank(operands, options), options));
    }
    for (size_t operands = 1; operands <= 2; ++operands) spaces.push_back(ProbeOverContainers(operands, options));
  }
  return spaces;
}

absl::StatusOr<SweepSummary> RunTypeSweep(Toolchain& toolchain, const TypeSweepOptions& options,
                                          const std::atomic<bool>* stop,
                                          absl::FunctionRef<void(uint64_t decided, uint64_t all)> progress) {
  const std::vector<SweepSpace> spaces = SweepSpaces(options);
  std::vector<SweepTask> tasks = TasksOf(spaces);
  uint64_t all = 0, decided = 0;
  for (const SweepSpace& space : spaces) all += space.decisions();
  std::vector<SweepCounts> counts(tasks.size());
  absl::Status malformed;
  std::set<size_t> died, died_again;  // tasks, and those of them that a single decision explains
  const absl::Time start = absl::Now();
  PoolOptions pool;
  pool.jobs = options.jobs;
  // What MLIR does not survive is asked again in parts, in a round of its own: workers know the tasks of their round.
  for (size_t at = 0; at < tasks.size() && !(stop != nullptr && *stop);) {
    std::vector<SweepTask> again;
    const absl::Status status = RunTasks(
        pool, stop,
        [&]() -> std::optional<uint64_t> { return at < tasks.size() ? std::optional<uint64_t>(at++) : std::nullopt; },
        [&](uint64_t number, bool*) {
          const SweepTask& task = tasks[number];
          return Dump(ToJson(SpaceSweep(toolchain, spaces[task.space], options.policies).Sweep(task)), -1);
        },
        [&](TaskResult result) {
          const SweepTask& task = tasks[result.task];
          if (!result.death) {
            absl::StatusOr<SweepCounts> parsed = SweepCountsFromJson(ParseJson(result.payload).value_or(Json()));
            if (!parsed.ok()) malformed.Update(parsed.status());
            if (parsed.ok()) counts[result.task] = *std::move(parsed);
          } else if (result.death->outcome == Outcome::kToolFailure) {
            malformed.Update(absl::InternalError(Summarize(*result.death)));
          } else if (std::vector<SweepTask> parts = task.Split(); parts.empty()) {
            counts[result.task] = Death(spaces[task.space], task, *result.death);
            died_again.insert(task.part_of);
          } else {
            died.insert(task.part_of);
            again.insert(again.end(), parts.begin(), parts.end());
          }
          decided += counts[result.task].decisions;
          progress(decided, all);
        });
    if (!status.ok()) return status;
    tasks.insert(tasks.end(), again.begin(), again.end());
    counts.resize(tasks.size());
  }
  if (!malformed.ok()) return malformed;

  SweepSummary summary;
  summary.provenance = Provenance(options.command_line, toolchain, {""});
  summary.jobs = options.jobs;
  summary.interrupted = stop != nullptr && *stop;
  summary.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - start);
  for (const size_t task : died) {
    if (!died_again.contains(task) && !summary.interrupted) ++counts[task].notes["harness.death-that-did-not-repeat"];
  }
  for (size_t i = 0; i < tasks.size(); ++i) summary.by_op[spaces[tasks[i].space].op].Add(counts[i]);
  for (auto& [op, of_op] : summary.by_op) {
    for (auto& [signature, disagreement] : of_op.disagreements) {
      if (const KnownDivergences::Entry* known = options.known.Find(signature)) {
        disagreement.known_reason = known->reason;
      }
    }
    summary.total.Add(of_op);
  }
  return summary;
}

}  // namespace tosaic
