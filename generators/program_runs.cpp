// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/program_runs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/data.h"
#include "generators/element_bits.h"
#include "generators/fitting_sizes.h"
#include "generators/repair.h"
#include "generators/special_values.h"
#include "model/blocks.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;
constexpr int kFewestAttempts = 64;

std::vector<Sizes> SizesOf(const Run& run) {
  std::vector<Sizes> sizes;
  for (const Tensor& tensor : run) sizes.push_back(tensor.sizes());
  return sizes;
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
  if (!HaveOneRank(program, SizesOf(run))) return;
  Program repaired = program;
  RepairProgramRun(repaired, run);
}

bool FitsProgram(const Program& program, const Run& run) {
  if (run.size() != program.arguments.size()) return false;
  for (size_t i = 0; i < run.size(); ++i) {
    const auto& [shape, element_type] = program.arguments[i];
    if (run[i].element_type() != element_type || !Admits(shape, run[i].sizes())) return false;
  }
  return SizesFit(program, SizesOf(run));
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
  if (!small || !SizesFit(program, sizes)) return std::nullopt;
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
  const SizesByTypes by_types(program);
  std::vector<Run> runs;
  const int attempts = std::max(kFewestAttempts, count);
  for (int attempt = 0; attempt < attempts && static_cast<int>(runs.size()) < count; ++attempt) {
    std::optional<Run> run = DrawRun(choices, by_types.Draw(choices, attempt), max_elements, program);
    if (!run) continue;
    runs.push_back(*std::move(run));
    if (program.arguments.empty()) break;
  }
  return runs;
}

std::optional<Run> DrawWideRun(ChoiceSource& choices, int64_t max_elements, const Program& program) {
  const SizesByTypes by_types(program);
  const std::vector<Sizes> wide = by_types.Draw(choices, SizesByTypes::kWide);
  if (wide == by_types.Draw(choices, 0)) return std::nullopt;
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
