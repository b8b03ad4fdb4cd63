// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/fitting_sizes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "generators/shapes.h"
#include "model/blocks.h"
#include "model/op_catalogue.h"
#include "model/shape.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;

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
    const bool is_reshape = HasNewShape(Info(op.op));
    std::optional<Sizes> result =
        is_reshape ? Reshaped(op, static_cast<int64_t>(ElementCount(*operands[0]))) : take(op, operands);
    if (!result || (is_reshape && !Admits(op.result.shape, *result))) return false;
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

}  // namespace

bool SizesFit(const Program& program, const std::vector<Sizes>& arguments) {
  return WalkSizes(program, arguments, [](const OpApplication& op, const std::vector<const Sizes*>& operands) {
    std::optional<Sizes> result = BroadcastOf(operands);
    return result && Admits(op.result.shape, *result) ? result : std::nullopt;
  });
}

bool HaveOneRank(const Program& program, const std::vector<Sizes>& arguments) {
  return WalkSizes(program, arguments, [](const OpApplication&, const std::vector<const Sizes*>& operands) {
    const bool have_one_rank =
        absl::c_all_of(operands, [&](const Sizes* own) { return own->size() == operands[0]->size(); });
    return have_one_rank ? BroadcastOf(operands) : std::nullopt;
  });
}

SizesByTypes::SizesByTypes(const Program& program)
    : program_(program), constants_(program.arguments.size()), ops_(constants_ + program.constants.size()) {
  for (size_t i = 0; i < ops_ + program.ops.size(); ++i) group_.push_back(i);
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    if (HasNewShape(Info(op.op))) continue;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const size_t from = GroupOf(op.operands[k]), to = group_[ops_ + i];
      absl::c_replace(group_, from, to);
    }
  }
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    hints_[group_[ops_ + i]].Add(op.result.shape);
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      hints_[GroupOf(op.operands[k])].Add(TypeOf(program, op.operands[k]).shape);
    }
  }
}

void SizesByTypes::Hints::Add(const Shape& shape) {
  if (!shape.IsRanked()) return;
  rank = std::max(rank.value_or(0), shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i) {
    const Dim dim = shape[shape.rank() - 1 - i];
    if (dim.IsStatic() && !dim.Is(1)) sizes[i] = std::max(sizes[i], dim.size());
  }
}

std::optional<int64_t> SizesByTypes::Hints::SizeAt(size_t place) const {
  const auto hint = sizes.find(place);
  return hint == sizes.end() ? std::nullopt : std::optional(hint->second);
}

size_t SizesByTypes::GroupOf(ValueRef ref) const {
  const size_t first = ref.kind == ValueRef::Kind::kArgument   ? 0
                       : ref.kind == ValueRef::Kind::kConstant ? constants_
                                                               : ops_;
  return group_[first + static_cast<size_t>(ref.index)];
}

namespace {

constexpr size_t kRankOfUnranked = 2;

// The product; 0 if it is more than any run has, or a factor is 0.
int64_t Times(int64_t a, int64_t b) {
  constexpr int64_t kMost = int64_t{1} << 24;
  return a > 0 && b > 0 && a <= kMost / b ? a * b : 0;
}

// Divisors of n but n itself, 1 the last.
std::vector<int64_t> DivisorsOf(int64_t n) {
  std::vector<int64_t> divisors;
  for (int64_t divisor = 2; divisor < n && divisor <= 64; ++divisor) {
    if (n % divisor == 0) divisors.push_back(divisor);
  }
  divisors.push_back(1);
  return divisors;
}

}  // namespace

// From the last to the first: how many elements a reshape's result has may follow from a reshape of it.
void SizesByTypes::SolveReshapes(ChoiceSource& choices, int attempt, std::map<size_t, Hints>* hints) const {
  for (size_t i = program_.ops.size(); i-- > 0;) {
    const OpApplication& op = program_.ops[i];
    if (!HasNewShape(Info(op.op))) continue;
    const std::vector<int64_t>& new_shape = *op.attributes.new_shape;
    const Hints& of_result = (*hints)[group_[ops_ + i]];
    int64_t elements = 1;
    bool is_any = false;  // whether the new shape leaves a size open
    for (size_t d = 0; d < new_shape.size(); ++d) {
      const int64_t size = new_shape[d] > 0 ? new_shape[d] : of_result.SizeAt(new_shape.size() - 1 - d).value_or(0);
      size > 0 ? void(elements = Times(elements, size)) : void(is_any = true);
    }
    if (elements == 0 || (is_any && elements == 1)) continue;
    const Shape& shape = TypeOf(program_, op.operands[0]).shape;
    Hints& of_operand = (*hints)[GroupOf(op.operands[0])];
    const size_t rank = shape.IsRanked() ? shape.rank() : of_operand.rank.value_or(kRankOfUnranked);
    int64_t known = 1;
    std::vector<size_t> open;  // places, the innermost last
    for (size_t place = rank; place-- > 0;) {
      const Dim dim = shape.IsRanked() ? shape[rank - 1 - place] : Dim::Dynamic();
      const std::optional<int64_t> said = of_operand.SizeAt(place);
      if (dim.IsDynamic() && !said) {
        open.push_back(place);
      } else {
        known = Times(known, dim.IsStatic() ? dim.size() : *said);
      }
    }
    if (known == 0) continue;
    if (is_any) elements = std::lcm(elements, known) * (attempt > 0 ? choices.Between(1, 16) : attempt == 0 ? 3 : 67);
    elements = elements % known == 0 ? elements / known : 0;
    for (size_t k = 0; k < open.size() && elements > 0; ++k) {
      const std::vector<int64_t> divisors = DivisorsOf(elements);
      const bool is_last = k + 1 == open.size();
      const int64_t size = is_last ? elements : attempt > 0 ? choices.Pick<int64_t>(divisors) : divisors.front();
      of_operand.sizes[open[k]] = size;
      elements /= size;
    }
  }
}

std::vector<Sizes> SizesByTypes::Draw(ChoiceSource& choices, int attempt) const {
  const int64_t kSizes[] = {attempt == kWide ? 67 : 3, 4, 2, 5};
  std::map<size_t, Hints> hints_of = hints_;
  SolveReshapes(choices, attempt, &hints_of);
  // By group and place: where no type says anything, one size for all.
  std::map<std::pair<size_t, size_t>, int64_t> drawn;
  std::vector<Sizes> all;
  for (size_t i = 0; i < program_.arguments.size(); ++i) {
    const Shape& shape = program_.arguments[i].shape;
    const size_t group = group_[i];
    const Hints& hints = hints_of[group];
    const size_t rank = shape.IsRanked() ? shape.rank() : hints.rank.value_or(kRankOfUnranked);
    const bool shrinks = attempt > 0 && choices.Chance(1, 2);
    Sizes sizes(rank);
    for (size_t d = 0; d < rank; ++d) {
      if (shape.IsRanked() && shape[d].IsStatic()) {
        sizes[d] = shape[d].size();
        continue;
      }
      const size_t place = rank - 1 - d;
      const std::optional<int64_t> said = hints.SizeAt(place);
      int64_t& other = drawn.try_emplace({group, place}, 0).first->second;
      if (other == 0) other = attempt <= 0 ? kSizes[place % 4] : DrawSize(choices, 16);
      sizes[d] = shrinks && choices.Chance(2, 3) ? 1 : said.value_or(other);
    }
    all.push_back(std::move(sizes));
  }
  return all;
}

}  // namespace tosaic
