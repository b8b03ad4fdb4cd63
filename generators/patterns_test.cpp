// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the default mix draws what a folder of two ops, or of an op and a constant, looks for: each of these
// patterns several times in the cases of two campaigns of 10,000, in the plain shapes that most folders ask for.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "generators/element_bits.h"
#include "generators/generator.h"
#include "generators/steering.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;
using E = ElementType;
using Types = std::vector<E>;

// The programs with runs of two campaigns of 10,000 cases.
const std::vector<Program>& DefaultMix() {
  static const auto& programs = *[] {
    auto* all = new std::vector<Program>;
    const GeneratorOptions options;
    for (const uint64_t seed : {1, 2, 3}) {
      Steering steering(seed, options);
      for (uint64_t i = 0; i < 10000; ++i) {
        Case drawn = Steering::CaseOf(seed, Steering::Task(i, steering.HeadOf(i)), options);
        if (!drawn.runs.empty()) all->push_back(std::move(drawn.program));
      }
    }
    return all;
  }();
  return programs;
}

bool IsSplatOf(const Tensor& tensor, uint64_t bits, size_t but = 0) {
  size_t others = 0;
  for (size_t i = 0; i < tensor.element_count(); ++i) others += tensor.Bits(i) != bits ? 1 : 0;
  return tensor.element_count() > 2 * but && others == but;
}

// Finds a pattern in prefix notation, of names of ops and of leaves: `a`, `b`, `d`, `p` are values, the same
// throughout, and no constants; `c` is a constant, `0` and `1` have that number everywhere, `w` the type's width less
// one, `h` a half, and `n` is 1 but for one place. All values but constants have the shape of the result.
class Matcher {
 public:
  Matcher(const Program& program, const std::vector<std::string>& words) : program_(program), words_(words) {}

  // The element type of the first operand, if the op is the root of the pattern.
  std::optional<E> Find(int op) {
    next_ = 0;
    leaves_.clear();
    shape_ = program_.ops[op].result.shape;
    if (!Matches({Kind::kOp, op})) return std::nullopt;
    return InputElementType(program_, program_.ops[op]);
  }

 private:
  bool Matches(ValueRef ref) {
    const std::string& word = words_[next_++];
    const Tensor* constant = AsConstant(program_, ref);
    const std::optional<OpKind> op = FindOp(word);
    if (constant != nullptr) return !op && IsConstant(word[0], *constant);
    if (TypeOf(program_, ref).shape != shape_) return false;
    if (!op) return absl::StrContains("abdp", word) && leaves_.try_emplace(word[0], ref).first->second == ref;
    if (ref.kind != Kind::kOp || program_.ops[ref.index].op != *op) return false;
    const std::vector<ValueRef>& operands = program_.ops[ref.index].operands;
    for (size_t k = 0; k < BroadcastOperandCount(Info(*op)); ++k) {
      if (!Matches(operands[k])) return false;
    }
    return true;
  }

  static bool IsConstant(char leaf, const Tensor& constant) {
    const uint64_t one = OneBits(constant.element_type());
    return leaf == 'c' || (leaf == '0' && IsSplatOf(constant, 0)) || (leaf == '1' && IsSplatOf(constant, one)) ||
           (leaf == 'w' && IsSplatOf(constant, static_cast<uint64_t>(BitWidth(constant.element_type())) - 1)) ||
           (leaf == 'h' && IsFloat(constant.element_type()) &&
            IsSplatOf(constant, EncodeFloat(constant.element_type(), 0.5))) ||
           (leaf == 'n' && IsSplatOf(constant, one, 1));
  }

  const Program& program_;
  const std::vector<std::string>& words_;
  size_t next_ = 0;
  Shape shape_;
  std::map<char, ValueRef> leaves_;
};

// By element type, in how many cases the pattern is.
std::map<E, int> Count(absl::string_view pattern) {
  const std::vector<std::string> words = absl::StrSplit(pattern, ' ');
  std::map<E, int> counts;
  for (const Program& program : DefaultMix()) {
    Matcher matcher(program, words);
    std::set<E> found;
    for (int op = 0; op < static_cast<int>(program.ops.size()); ++op) {
      if (const std::optional<E> type = matcher.Find(op)) found.insert(*type);
    }
    for (const E type : found) ++counts[type];
  }
  return counts;
}

struct Row {
  absl::string_view pattern;
  Types types;    // each of them at least once; empty: whichever
  int least = 5;  // of all types
};

TEST(Patterns, OfTwoOpsAreDrawnSeveralTimesInACampaign) {
  const Types floats = {E::kF32, E::kF16, E::kBF16}, none = {}, integers = {E::kI8, E::kI16, E::kI32};
  const Row rows[] = {
      {"add add a c c", floats},
      {"mul mul a c c", {E::kF32, E::kI32}},
      {"sub sub a c c", none},
      {"sub add a c c", none},
      {"add sub a c c", none},
      {"intdiv intdiv a c c", none},
      {"intdiv mul a c c", none},
      {"minimum minimum a c c", none},
      {"bitwise_and bitwise_and a c c", none},
      {"logical_left_shift logical_left_shift a c c", integers},
      {"logical_right_shift logical_right_shift a c c", integers},
      {"arithmetic_right_shift arithmetic_right_shift a c c", integers},
      {"exp add a b", floats},
      {"mul exp a exp b", floats},
      {"log mul a b", none},
      {"mul a reciprocal b", floats},
      {"reciprocal reciprocal a", floats},
      {"mul reciprocal a reciprocal b", none},
      {"pow pow a b d", none},
      {"select p 0 1", none},
      {"select p 1 0", none},
      {"select logical_not p a b", none},
      {"select equal a b a b", none},
      {"mul a n", none},
      {"mul n a", none, 1},
      {"add a negate b", none},
      {"sub a negate b", none},
      {"sub add a b a", none},
      {"add mul a b d", floats},
      {"add mul a b mul a d", none},
      {"equal add a c c", none},
      {"greater add a c c", none},
      {"greater cast a c", none},
      {"cast add a b", none},
      {"add cast a cast b", none},
      {"clamp maximum a c", none},
      {"maximum clamp a c", none},
      {"bitwise_and clz a w", none, 2},
      {"greater cast a h", none, 2},
      {"maximum sigmoid a h", none, 2},
  };
  for (const auto& [pattern, types, least] : rows) {
    int all = 0;
    std::map<E, int> counts = Count(pattern);
    for (const auto& [type, count] : counts) all += count;
    EXPECT_GE(all, least) << pattern;
    for (const E type : types) EXPECT_GE(counts[type], 1) << pattern << " on " << Name(type);
  }
}

// A folder of two shifts compares the sum of their amounts with the width.
TEST(Patterns, TwoShiftsTogetherOftenExceedTheWidth) {
  int beyond = 0;
  for (const Program& program : DefaultMix()) {
    for (const OpApplication& op : program.ops) {
      const OpApplication* inner = op.operands[0].kind == Kind::kOp ? &program.ops[op.operands[0].index] : nullptr;
      if (inner == nullptr || op.op != OpKind::kLogicalLeftShift || inner->op != op.op) continue;
      const Tensor *a = AsConstant(program, op.operands[1]), *b = AsConstant(program, inner->operands[1]);
      if (a == nullptr || b == nullptr || a->element_count() * b->element_count() == 0) continue;
      beyond += a->Bits(0) + b->Bits(0) >= static_cast<uint64_t>(BitWidth(op.result.element_type)) ? 1 : 0;
    }
  }
  EXPECT_GT(beyond, 5);
}

// A pass that compares only part of an op takes such ops for common subexpressions.
TEST(Patterns, TwinsThatDifferInOneAttributeAlone) {
  int rounding = 0, nan_mode = 0;
  for (const Program& program : DefaultMix()) {
    for (size_t i = 0; i < program.ops.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const OpApplication &a = program.ops[i], &b = program.ops[j];
        if (a.op != b.op || a.operands != b.operands || a.result.element_type != b.result.element_type) continue;
        rounding += a.attributes.round != b.attributes.round ? 1 : 0;
        const bool same_bounds = a.attributes.min_val == b.attributes.min_val;
        nan_mode += same_bounds && a.attributes.nan_mode != b.attributes.nan_mode ? 1 : 0;
      }
    }
  }
  EXPECT_GT(rounding, 5);
  EXPECT_GT(nan_mode, 5);
}

// A guard such as "has one use" holds only where the outer op alone is returned.
TEST(Patterns, NearlyAnyTwoOpsMeetWhereNobodyElseUsesTheInnerOne) {
  std::map<std::pair<OpKind, OpKind>, int> pairs;
  for (const Program& program : DefaultMix()) {
    std::vector<int> uses(program.ops.size());
    std::vector<ValueRef> refs = program.results;
    for (const OpApplication& op : program.ops) refs.insert(refs.end(), op.operands.begin(), op.operands.end());
    for (const ValueRef ref : refs) {
      if (ref.kind == Kind::kOp) ++uses[ref.index];
    }
    std::set<std::pair<OpKind, OpKind>> here;
    for (const OpApplication& op : program.ops) {
      for (const ValueRef operand : op.operands) {
        const bool is_only = operand.kind == Kind::kOp && uses[operand.index] == 1;
        if (is_only) here.insert({op.op, program.ops[operand.index].op});
      }
    }
    for (const auto& pair : here) ++pairs[pair];
  }
  EXPECT_GT(pairs.size(), 860u);  // of some 890 that have a type in common
  EXPECT_GT(absl::c_count_if(pairs, [](const auto& pair) { return pair.second >= 3; }), 770);
}

// Constants of other sizes than the result's, of a static type that folders take: a fold that forgets to broadcast.
TEST(Patterns, ConstantsThatBroadcastAreFolded) {
  std::map<OpKind, int> counts;
  for (const Program& program : DefaultMix()) {
    for (const OpApplication& op : program.ops) {
      const size_t operands = BroadcastOperandCount(Info(op.op));
      if (operands != 2 || !op.result.shape.IsStatic()) continue;
      const Tensor *a = AsConstant(program, op.operands[0]), *b = AsConstant(program, op.operands[1]);
      if (a == nullptr || b == nullptr || a->sizes() == b->sizes()) continue;
      const Tensor& larger = a->element_count() > b->element_count() ? *a : *b;
      if (larger.element_count() > 1 && !IsSplatOf(larger, larger.Bits(0))) ++counts[op.op];
    }
  }
  for (const OpKind op : {OpKind::kAdd, OpKind::kSub, OpKind::kMul, OpKind::kGreater, OpKind::kLogicalLeftShift,
                          OpKind::kIntdiv, OpKind::kMaximum, OpKind::kBitwiseAnd}) {
    EXPECT_GE(counts[op], 2) << Name(op);
  }
}

// Folders compute two numbers that are neither 0 nor 1 only if operands and result have one static type.
TEST(Patterns, NumbersAreFolded) {
  std::map<std::pair<OpKind, E>, int> counts;
  std::map<std::pair<E, E>, int> casts;
  int shifted = 0;
  const auto is_number = [](const Tensor* constant) {
    return constant != nullptr && constant->element_count() > 0 && IsSplatOf(*constant, constant->Bits(0)) &&
           constant->Bits(0) != 0 && constant->Bits(0) != OneBits(constant->element_type());
  };
  for (const Program& program : DefaultMix()) {
    for (const OpApplication& op : program.ops) {
      const size_t operands = BroadcastOperandCount(Info(op.op));
      const Tensor* a = AsConstant(program, op.operands[0]);
      if (!is_number(a) || op.result.shape != Shape::OfSizes(a->sizes())) continue;
      if (op.op == OpKind::kCast) ++casts[{a->element_type(), op.result.element_type}];
      const Tensor* b = operands == 2 ? AsConstant(program, op.operands[1]) : nullptr;
      if (!is_number(b) || a->sizes() != b->sizes()) continue;
      ++counts[{op.op, a->element_type()}];
      const Tensor* shift = op.op == OpKind::kMul ? AsConstant(program, op.operands[2]) : nullptr;
      if (shift != nullptr && a->element_type() == E::kI32 && shift->Bits(0) > 0) ++shifted;
    }
  }
  for (const OpKind op :
       {OpKind::kAdd, OpKind::kSub, OpKind::kMul, OpKind::kIntdiv, OpKind::kGreater, OpKind::kEqual}) {
    EXPECT_GE((counts[{op, E::kI32}]), 5) << Name(op);
    const int of_floats = counts[{op, E::kF32}] + counts[{op, E::kF16}] + counts[{op, E::kBF16}];
    if (op != OpKind::kIntdiv) EXPECT_GE(of_floats, 3) << Name(op);
  }
  EXPECT_GE(shifted, 2);
  int narrower = 0, wider = 0;
  for (const auto& [types, count] : casts) {
    const auto [from, to] = types;
    if (IsFloat(from) || IsFloat(to) || from == E::kI1 || to == E::kI1) continue;
    (BitWidth(to) < BitWidth(from) ? narrower : wider) += count;
  }
  EXPECT_GE(narrower, 5);
  EXPECT_GE(wider, 5);
}

}  // namespace
}  // namespace tosaic
