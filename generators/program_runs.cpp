// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/program_runs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "generators/data.h"
#include "generators/element_bits.h"
#include "generators/repair.h"
#include "generators/shapes.h"
#include "generators/special_values.h"
#include "model/blocks.h"
#include "model/op_catalogue.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;
constexpr int kAttempts = 64;

// Calls `take` with the sizes of each op's operands that broadcast; ends early, with false, if it gives no sizes, or a
// new shape has no room for the elements.
bool WalkSizes(const Program& program, const std::vector<Sizes>& arguments,
               absl::FunctionRef<std::optional<Sizes>(const OpApplication&, const std::vector<const Sizes*>&)> take) {
  std::vector<Sizes> ops;
  for (const OpApplication& op : program.ops) {
    std::vector<const Sizes*> operands;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const ValueRef ref = op.operands[k];
      const size_t index = static_cast<size_t>(ref.index);
      operands.push_back(ref.kind == ValueRef::Kind::kArgument   ? &arguments[index]
                         : ref.kind == ValueRef::Kind::kConstant ? &program.constants[index].sizes()
                                                                 : &ops[index]);
    }
    std::optional<Sizes> result =
        op.attributes.new_shape ? Reshaped(static_cast<int64_t>(ElementCount(*operands[0])), *op.attributes.new_shape)
                                : take(op, operands);
    if (!result || (op.attributes.new_shape && !Admits(op.result.shape, *result))) return false;
    if (IsBlockScaled(op.result.element_type) && !HasWholeBlocks(Shape::OfSizes(*result))) return false;
    ops.push_back(*std::move(result));
  }
  return true;
}

// The sizes that broadcast gives, lower ranks filled up with 1; none if they do not fit.
std::optional<Sizes> BroadcastOf(const std::vector<const Sizes*>& operands) {
  Sizes result;
  for (const Sizes* own : operands) {
    if (own->size() > result.size()) result.insert(result.begin(), own->size() - result.size(), 1);
    const size_t missing = result.size() - own->size();
    for (size_t d = 0; d < own->size(); ++d) {
      int64_t& size = result[missing + d];
      if (size != (*own)[d] && size != 1 && (*own)[d] != 1) return std::nullopt;
      if (size == 1) size = (*own)[d];
    }
  }
  return result;
}

// Whether every op's operands broadcast, and give what its result's type admits.
bool Fit(const Program& program, const std::vector<Sizes>& arguments) {
  return WalkSizes(program, arguments, [](const OpApplication& op, const std::vector<const Sizes*>& operands) {
    std::optional<Sizes> result = BroadcastOf(operands);
    return result && Admits(op.result.shape, *result) ? result : std::nullopt;
  });
}

// Whether every op's operands have one rank: else no value is defined (docs/policies.md), and none is mended.
bool HaveOneRank(const Program& program, const Run& run) {
  std::vector<Sizes> arguments;
  for (const Tensor& tensor : run) arguments.push_back(tensor.sizes());
  return WalkSizes(program, arguments, [](const OpApplication&, const std::vector<const Sizes*>& operands) {
    const bool have_one_rank =
        absl::c_all_of(operands, [&](const Sizes* own) { return own->size() == operands[0]->size(); });
    return have_one_rank ? BroadcastOf(operands) : std::nullopt;
  });
}

// Values that ops bring together are a group: what one is says nothing of another. By argument, constant and op the
// number of its group.
class Groups {
 public:
  explicit Groups(const Program& program)
      : constants_(program.arguments.size()), ops_(constants_ + program.constants.size()) {
    for (size_t i = 0; i < ops_ + program.ops.size(); ++i) group_.push_back(i);
    for (size_t i = 0; i < program.ops.size(); ++i) {
      const OpApplication& op = program.ops[i];
      if (op.attributes.new_shape) continue;
      for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
        const size_t from = Of(op.operands[k]), to = group_[ops_ + i];
        absl::c_replace(group_, from, to);
      }
    }
  }
  size_t Of(ValueRef ref) const {
    const size_t first = ref.kind == ValueRef::Kind::kArgument   ? 0
                         : ref.kind == ValueRef::Kind::kConstant ? constants_
                                                                 : ops_;
    return group_[first + static_cast<size_t>(ref.index)];
  }

 private:
  size_t constants_, ops_;
  std::vector<size_t> group_;
};

// The sizes that a group's types state: the largest static one by distance from the innermost dimension, and the rank.
struct Hints {
  std::map<size_t, int64_t> sizes;
  std::optional<size_t> rank;

  void Add(const Shape& shape) {
    if (!shape.IsRanked()) return;
    rank = std::max(rank.value_or(0), shape.rank());
    for (size_t i = 0; i < shape.rank(); ++i) {
      const Dim dim = shape[shape.rank() - 1 - i];
      if (dim.IsStatic() && !dim.Is(1)) sizes[i] = std::max(sizes[i], dim.size());
    }
  }
};

// By argument.
std::vector<std::pair<size_t, Hints>> HintsOf(const Program& program) {
  const Groups groups(program);
  std::map<size_t, Hints> hints;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    Hints& own = hints[groups.Of({ValueRef::Kind::kOp, static_cast<int>(i)})];
    own.Add(op.result.shape);
    if (op.attributes.new_shape) {
      hints[groups.Of(op.operands[0])].Add(TypeOf(program, op.operands[0]).shape);
      continue;
    }
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) own.Add(TypeOf(program, op.operands[k]).shape);
  }
  std::vector<std::pair<size_t, Hints>> of_arguments;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const size_t group = groups.Of({ValueRef::Kind::kArgument, static_cast<int>(i)});
    of_arguments.emplace_back(group, hints[group]);
  }
  return of_arguments;
}

constexpr int kWide = -1;  // in place of an attempt

std::vector<Sizes> DrawSizes(ChoiceSource& choices, const Program& program,
                             const std::vector<std::pair<size_t, Hints>>& hints_of, int attempt) {
  const int64_t kSizes[] = {attempt == kWide ? 67 : 3, 4, 2, 5};
  constexpr size_t kRankOfUnranked = 2;
  // By group and place: where no type says anything, one size for all.
  std::map<std::pair<size_t, size_t>, int64_t> drawn;
  std::vector<Sizes> all;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Shape& shape = program.arguments[i].shape;
    const auto& [group, hints] = hints_of[i];
    const size_t rank = shape.IsRanked() ? shape.rank() : hints.rank.value_or(kRankOfUnranked);
    const bool shrinks = attempt > 0 && choices.Chance(1, 2);
    Sizes sizes(rank);
    for (size_t d = 0; d < rank; ++d) {
      if (shape.IsRanked() && shape[d].IsStatic()) {
        sizes[d] = shape[d].size();
        continue;
      }
      const size_t place = rank - 1 - d;
      const auto hint = hints.sizes.find(place);
      int64_t& other = drawn.try_emplace({group, place}, 0).first->second;
      if (other == 0) other = attempt <= 0 ? kSizes[place % 4] : DrawSize(choices, 16);
      sizes[d] = shrinks && choices.Chance(2, 3) ? 1 : hint != hints.sizes.end() ? hint->second : other;
    }
    all.push_back(std::move(sizes));
  }
  return all;
}

// The result type of the first op that an argument is an operand of: what its data are drawn for.
ElementType UsedFor(const Program& program, int argument) {
  for (const OpApplication& op : program.ops) {
    for (ValueRef ref : op.operands) {
      if (ref == ValueRef{ValueRef::Kind::kArgument, argument}) return op.result.element_type;
    }
  }
  return program.arguments[static_cast<size_t>(argument)].element_type;
}

}  // namespace

// While ops are repaired an intermediate is represented by one fixed element: as dividend by the smallest integer, so
// that no divisor is -1 (0 and -1 are what traps), else by a 0 or 1.0 that leaves the other operand alone.
void RepairProgramRun(Program& program, Run& run) {
  for (const OpApplication& op : program.ops) {
    const OpInfo& row = Info(op.op);
    auto is_op = [](ValueRef ref) { return ref.kind == ValueRef::Kind::kOp; };
    const bool has_intermediate = std::any_of(op.operands.begin(), op.operands.end(), is_op);
    size_t rank = 0;
    for (size_t k = 0; k < BroadcastOperandCount(row); ++k) {
      const ValueRef ref = op.operands[k];
      if (ref.kind == ValueRef::Kind::kArgument) rank = run[ref.index].sizes().size();
      if (ref.kind == ValueRef::Kind::kConstant) rank = program.constants[ref.index].sizes().size();
    }
    std::vector<Tensor> intermediates;
    intermediates.reserve(op.operands.size());  // what RepairOperand points to stays
    std::vector<RepairOperand> operands;
    for (ValueRef ref : op.operands) {
      if (ref.kind == ValueRef::Kind::kArgument) {
        operands.push_back({&run[ref.index], /*fixed=*/false});
      } else if (ref.kind == ValueRef::Kind::kConstant) {
        operands.push_back({&program.constants[ref.index], /*fixed=*/!has_intermediate});
      } else {
        const ElementType type = ElementTypeOf(program, ref);
        Tensor& stand_in = intermediates.emplace_back(type, Sizes(rank, 1));
        stand_in.SetBits(0, row.unpredictable == Unpredictable::kDivision ? LowestBits(type)
                            : IsFloat(type)                               ? EncodeFloat(type, 1)
                                                                          : 0);
        operands.push_back({&stand_in, /*fixed=*/true});
      }
    }
    RepairData(op, operands);
  }
}

void RepairRun(const Program& program, Run& run) {
  const auto is_empty = [](const Tensor& tensor) { return tensor.element_count() == 0; };
  if (absl::c_any_of(run, is_empty) || absl::c_any_of(program.constants, is_empty)) return;
  if (!HaveOneRank(program, run)) return;
  Program repaired = program;
  RepairProgramRun(repaired, run);
}

bool FitsProgram(const Program& program, const Run& run) {
  if (run.size() != program.arguments.size()) return false;
  std::vector<Sizes> arguments;
  for (size_t i = 0; i < run.size(); ++i) {
    const auto& [shape, element_type] = program.arguments[i];
    if (run[i].element_type() != element_type || !Admits(shape, run[i].sizes())) return false;
    arguments.push_back(run[i].sizes());
  }
  return Fit(program, arguments);
}

namespace {

// The least prime that is not less: offsets 0, d, 2d, ... then meet every pair of positions of any two arguments.
size_t PrimeFrom(size_t n) {
  for (size_t divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return PrimeFrom(n + 1);
  }
  return n;
}

}  // namespace

// None if they are too large, or do not fit.
static std::optional<Run> DrawRun(ChoiceSource& choices, const std::vector<Sizes>& sizes, int64_t max_elements,
                                  const Program& program) {
  const bool small = absl::c_all_of(sizes, [&](const Sizes& own) { return ElementCount(own) <= max_elements; });
  if (!small || !Fit(program, sizes)) return std::nullopt;
  Run run;
  const Tensor* sibling = nullptr;
  run.reserve(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    Tensor& tensor = run.emplace_back(program.arguments[i].element_type, sizes[i]);
    FillData(choices, UsedFor(program, static_cast<int>(i)), sibling, tensor);
    sibling = &tensor;
  }
  RepairRun(program, run);
  return run;
}

std::vector<Run> DrawProgramRuns(ChoiceSource& choices, int count, int64_t max_elements, const Program& program) {
  const std::vector<std::pair<size_t, Hints>> hints = HintsOf(program);
  std::vector<Run> runs;
  for (int attempt = 0; attempt < kAttempts && static_cast<int>(runs.size()) < count; ++attempt) {
    std::optional<Run> run = DrawRun(choices, DrawSizes(choices, program, hints, attempt), max_elements, program);
    if (!run) continue;
    runs.push_back(*std::move(run));
    if (program.arguments.empty()) break;
  }
  return runs;
}

std::optional<Run> DrawWideRun(ChoiceSource& choices, int64_t max_elements, const Program& program) {
  const std::vector<std::pair<size_t, Hints>> hints = HintsOf(program);
  const std::vector<Sizes> wide = DrawSizes(choices, program, hints, kWide);
  if (wide == DrawSizes(choices, program, hints, 0)) return std::nullopt;
  return DrawRun(choices, wide, max_elements, program);
}

// The special values that are not core ones, and where rounding an integer to f32 first makes another bf16 of it.
static std::vector<uint64_t> MoreSpecials(ElementType type) {
  std::vector<uint64_t> more = Specials(type).more;
  if (IsFloat(type) || BitWidth(type) < 32) return more;
  for (const int64_t value : {0x1010001, 0x102ffff}) {
    for (const int64_t signed_value : {value, -value}) more.push_back(EncodeInteger(type, signed_value));
  }
  return more;
}

std::vector<Run> SpecialProgramRuns(const Program& program, const Run& first) {
  std::vector<Run> runs;
  if (first.empty() || HasBlocks(program)) return runs;  // an element of a block has no special values of its own
  size_t most_core = 3, most_others = 0;
  std::vector<size_t> counts;
  std::vector<std::vector<uint64_t>> others;
  for (const Tensor& tensor : first) {
    others.push_back(MoreSpecials(tensor.element_type()));
    most_core = std::max(most_core, Specials(tensor.element_type()).core.size());
    most_others = std::max(most_others, others.back().size());
    counts.push_back(tensor.element_count());
  }
  if (absl::c_all_of(counts, [](size_t count) { return count == 0; })) return runs;  // there is nowhere to put a value
  // Element i of an argument: the value at i + start + place * offset, of the core or of the others. The largest
  // argument has the first place, so that each of its elements meets every offset of a smaller one.
  const auto add = [&](size_t start, size_t offset, size_t period, bool core) {
    Run run = first;
    for (size_t k = 0; k < run.size(); ++k) {
      size_t place = 0;
      for (size_t j = 0; j < counts.size(); ++j) place += counts[j] > counts[k] || (counts[j] == counts[k] && j < k);
      const bool has_core = core || others[k].empty();
      const std::vector<uint64_t>& values = has_core ? Specials(run[k].element_type()).core : others[k];
      for (size_t i = 0; i < counts[k]; ++i) {
        run[k].SetBits(i, values[(i + start + place * offset) % period % values.size()]);
      }
    }
    RepairRun(program, run);
    runs.push_back(std::move(run));
  };
  // A run's start moves on by the fewest elements of an argument that has several.
  const size_t fewest = *absl::c_min_element(counts);
  size_t step = *absl::c_max_element(counts);
  for (size_t count : counts) step = count > 1 ? std::min(step, count) : step;
  const size_t period = PrimeFrom(most_core);
  for (size_t offset = 0; offset < (first.size() > 1 ? period : 1); ++offset) {
    for (size_t start = 0; start < period; start += step) add(start, offset, period, /*core=*/true);
  }
  for (size_t start = 0; start < most_others; start += std::max<size_t>(fewest, 1)) {
    add(start, /*offset=*/1, most_others, /*core=*/false);
  }
  return runs;
}

}  // namespace tosaic
