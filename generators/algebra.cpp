// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "generators/chain_parts.h"
#include "generators/chains.h"
#include "generators/element_bits.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

using E = ElementType;

constexpr absl::string_view kExpressions[] = {
    // Bits and truth values: absorption, De Morgan, distribution.
    "bitwise_and a bitwise_or a b",
    "bitwise_or a bitwise_and a b",
    "bitwise_xor a bitwise_or a b",
    "bitwise_xor a bitwise_and a b",
    "bitwise_not bitwise_and a b",
    "bitwise_not bitwise_or a b",
    "bitwise_not bitwise_xor a b",
    "bitwise_and a bitwise_not a",
    "bitwise_or bitwise_and a b bitwise_and a d",
    "logical_and a logical_or a b",
    "logical_or a logical_and a b",
    "logical_xor a logical_or a b",
    "logical_xor a logical_not b",
    "logical_not logical_and a b",
    "logical_not logical_or a b",
    // Choices.
    "select p a select p b d",
    "select p select p a b d",
    "select p a select q a b",
    "select p 0 1",
    "select p 1 0",
    "select greater a 0 a negate a",
    "select equal a b a b",
    "negate select p a b",
    "cast select p a b",
    "add a select p b 0",
    "mul a select p 1 0",
    // Signs.
    "ceil negate a",
    "floor negate a",
    "tanh negate a",
    "sin negate a",
    "cos negate a",
    "erf negate a",
    "sigmoid negate a",
    "exp negate a",
    "reciprocal negate a",
    "pow a negate b",
    "maximum negate a negate b",
    "minimum negate a negate b",
    "maximum a negate a",
    "mul abs a abs b",
    "abs mul a b",
    "abs sub a b",
    "intdiv negate a c",
    "arithmetic_right_shift negate a c",
    // Powers, logarithms, reciprocals, roots.
    "rsqrt mul a a",
    "log mul a b",
    "log reciprocal a",
    "exp add a b",
    "mul exp a exp b",
    "pow pow a b d",
    "mul a reciprocal b",
    "mul a reciprocal a",
    "reciprocal mul a b",
    "reciprocal exp a",
    "rsqrt reciprocal a",
    "mul a rsqrt a",
    "reciprocal reciprocal a",
    "mul reciprocal a reciprocal b",
    "mul pow a b pow a d",
    "exp mul a b",
    "mul rsqrt a rsqrt a",
    // Sums and products.
    "sub add a b a",
    "add a sub b a",
    "add sub a b sub b a",
    "sub mul a b mul b a",
    "add mul a c a",
    "mul add a c c",
    "mul add a b sub a b",
    "add sub a c c",
    "sub add a c c",
    "mul mul a c c",
    "intdiv intdiv a c c",
    "intdiv mul a c c",
    "mul intdiv a c c",
    "mul logical_left_shift a c c",
    "arithmetic_right_shift mul a c c",
    "logical_right_shift logical_left_shift a c c",
    "bitwise_and logical_right_shift a c c",
    "clz logical_right_shift a c",
    // Comparisons.
    "greater sub a b 0",
    "greater_equal sub a b 0",
    "equal sub a b 0",
    "greater negate a negate b",
    "equal negate a negate b",
    "greater abs a 0",
    "greater a negate a",
    "greater add a c c",
    "equal add a c c",
    "equal negate a c",
    "greater negate a c",
    "equal mul a c c",
    "greater mul a c mul b c",
    "equal cast a cast b",
    "greater cast a cast b",
    "logical_and greater a b greater b a",
    "logical_or greater a b equal a b",
    "logical_or greater a b greater_equal b a",
    // Casts with ops that could be moved before or after them.
    "cast floor a",
    "cast ceil a",
    "cast abs a",
    "cast negate a",
    "cast clamp a",
    "abs cast a",
    "negate cast a",
    "floor cast a",
    "clamp cast a",
    "clz cast a",
    "add cast a cast b",
    "mul cast a cast b",
    "maximum cast a cast b",
    // Ranges.
    "clamp maximum a c",
    "clamp minimum a c",
    "maximum clamp a c",
    "minimum clamp a c",
    "clamp abs a",
    "clamp negate a",
    "maximum maximum a b a",
    "maximum a minimum a b",
    "minimum a maximum a b",
    "add maximum a b minimum a b",
};

// Numbers at the edge of what an op gives. Each needs one number of many, so they are drawn more often.
constexpr absl::string_view kAtEdges[] = {
    "bitwise_and clz a c", "greater clz a c",  "minimum clz a c", "bitwise_and cast a c", "greater cast a c",
    "equal cast a c",      "maximum cast a c", "maximum abs a c", "greater abs a c",      "minimum tanh a c",
    "maximum sigmoid a c", "greater exp a c",  "equal floor a c",
};

// Expressions that stand for many: any two ops.
constexpr absl::string_view kFamilies =
    "U V a, U U a, U F a b, U F a c, F U a b, F a U b, F U a U b, F U a c, F F a c c, F F a c c, F F c a c, "
    "F G a c c, F F a b d, F G a b d, F G a b a, F G a b b, F a F a b, F G a b G a d, F G a c G a c, F U a U a, "
    "K U a c, K U a U b, K F a c c, K F a b b, K F a c F b c, K cast a c, K cast a cast b, U cast a, cast U a, "
    "cast F a b, F cast a cast b, U select p a b, F select p a b d, F select p c c c, select p F a b F a d, "
    "select p U a U b, select p c c, select K a c a c, select K a b a b, logical_not K a b, F c c, F a a, K a a, "
    "U c, cast c";

// An op, or a leaf by its letter.
struct Word {
  std::optional<OpKind> op;
  char leaf = 0;
};

std::vector<std::vector<Word>> Parse(const std::vector<absl::string_view>& texts) {
  std::vector<std::vector<Word>> expressions;
  for (const absl::string_view text : texts) {
    std::vector<Word>& words = expressions.emplace_back();
    for (const absl::string_view word : absl::StrSplit(text, ' ')) words.push_back({FindOp(word), word[0]});
  }
  return expressions;
}

bool IsComparison(const OpInfo& op) {
  return op.dialect.result == DialectResult::kI1 && BroadcastOperandCount(op) == 2;
}

// Whether the op is one that the letter stands for.
bool IsMeant(char letter, const OpInfo& op) {
  if (letter == 'K') return IsComparison(op);
  const size_t operands = letter == 'U' || letter == 'V' ? 1 : 2;
  return BroadcastOperandCount(op) == operands && !IsComparison(op) && op.kind != OpKind::kCast;
}

// Replaces each letter that stands for ops by one of them, if the options have any.
std::vector<Word> Filled(ChoiceSource& choices, const GeneratorOptions& options, std::vector<Word> words) {
  for (const char letter : {'U', 'V', 'F', 'G', 'K'}) {
    if (absl::c_none_of(words, [&](const Word& word) { return word.leaf == letter; })) continue;
    std::vector<OpKind> ops;
    for (const OpInfo& op : AllOps()) {
      if (IsMeant(letter, op) && Allows(options, op.kind)) ops.push_back(op.kind);
    }
    if (ops.empty()) return {};
    const OpKind op = ops[choices.Below(ops.size())];
    for (Word& word : words) {
      if (word.leaf == letter) word = {op};
    }
  }
  return words;
}

// An expression with the element types of its two kinds of operands: those of casts, and all other numbers.
class Expression {
 public:
  Expression(const std::vector<Word>& words, const GeneratorOptions& options) : words_(words), options_(options) {}

  // All pairs of types on which the options allow all of the expression's ops. No default route can lower fp8.
  std::vector<std::pair<E, E>> Types() {
    std::vector<std::pair<E, E>> types;
    // A cache, because a campaign on a few ops asks for hundreds of expressions with other ops.
    const auto is_out = [&](const Word& word) { return word.op && !Allows(options_, *word.op); };
    if (absl::c_any_of(words_, is_out)) return types;
    const bool has_cast = absl::c_any_of(words_, [](const Word& word) { return word.op == OpKind::kCast; });
    for (const ElementTypeInfo& info : AllElementTypes()) {
      for (const ElementTypeInfo& from : AllElementTypes()) {
        if (IsFp8(info.type) || IsFp8(from.type) || (!has_cast && from.type != info.type)) continue;
        Choose(info.type, from.type);
        if (Fits(ResultType())) types.emplace_back(info.type, from.type);
      }
    }
    return types;
  }

  void Build(E type, E cast_from, ChoiceSource& choices, ProgramBuilder& builder) {
    Choose(type, cast_from);
    Build(ResultType(), std::nullopt, choices, builder);
  }

 private:
  static bool IsLogical(const OpInfo& op) { return op.spec_types.size() == 1 && op.spec_types[0].input == E::kI1; }

  void Choose(E type, E cast_from) {
    type_ = type;
    cast_from_ = cast_from;
    next_ = 0;
  }

  E ResultType() const {
    const OpInfo& root = Info(*words_[0].op);
    return IsComparison(root) || IsLogical(root) ? E::kI1 : type_;
  }

  // The op that makes a value of type `result`, with its operands' types.
  TypedOp Typed(OpKind op, E result) const {
    if (IsComparison(Info(op))) return {op, type_, E::kI1};
    return {op, op == OpKind::kCast ? cast_from_ : result, result};
  }

  // Takes the words of one expression of type `result`. A divisor or shift amount is never an intermediate: it could
  // trap.
  bool Fits(E result) {
    const std::optional<OpKind> op = words_[next_++].op;
    if (!op) return true;
    const TypedOp typed = Typed(*op, result);
    bool fits = typed.result == result && Allows(options_, typed);
    for (size_t k = 0; k < BroadcastOperandCount(Info(*op)); ++k) {
      if (k == 1 && words_[next_].op && MayTrap(Info(*op))) fits = false;
      fits = Fits(OperandType(typed, k)) && fits;
    }
    return fits;
  }

  // `beside`: an operand of the same op, built before.
  ValueRef Build(E result, std::optional<ValueRef> beside, ChoiceSource& choices, ProgramBuilder& builder) {
    const auto [op, leaf] = words_[next_++];
    if (!op) return Leaf(leaf, result, beside, choices, builder);
    const TypedOp typed = Typed(*op, result);
    const OpInfo& row = Info(*op);
    std::vector<ValueRef> operands;
    for (size_t k = 0; k < BroadcastOperandCount(row); ++k) {
      const bool is_amount = k == 1 && row.unpredictable == Unpredictable::kShiftAmount && words_[next_].leaf == 'c';
      if (is_amount) {
        ++next_;
        operands.push_back(ShiftAmount(choices, builder, typed.input));
      } else {
        operands.push_back(
            Build(OperandType(typed, k), k > 0 ? std::optional(operands[0]) : std::nullopt, choices, builder));
      }
    }
    return ApplyPlain(builder, typed, std::move(operands));
  }

  ValueRef Leaf(char name, E type, std::optional<ValueRef> beside, ChoiceSource& choices, ProgramBuilder& builder) {
    if (name == 'c') return FoldableConstant(choices, builder, type, beside);
    if (name == '0') return builder.Splat(type, 0);
    if (name == '1') return builder.Splat(type, OneBits(type));
    const auto [known, is_new] = leaves_.try_emplace(name);
    if (is_new) known->second = builder.Argument(type, choices.Chance(1, 2) ? Domain::kModerate : Domain::kAny);
    return known->second;
  }

  const std::vector<Word>& words_;
  const GeneratorOptions& options_;
  E type_ = E::kI1, cast_from_ = E::kI1;
  size_t next_ = 0;  // of the words
  std::map<char, ValueRef> leaves_;
};

}  // namespace

std::vector<absl::string_view> AlgebraicExpressions() {
  std::vector<absl::string_view> all(std::begin(kExpressions), std::end(kExpressions));
  all.insert(all.end(), std::begin(kAtEdges), std::end(kAtEdges));
  return all;
}

bool Algebra(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder) {
  static const auto& lists = *new std::array<std::vector<std::vector<Word>>, 3>{
      Parse(absl::StrSplit(kFamilies, ", ")), Parse({std::begin(kExpressions), std::end(kExpressions)}),
      Parse({std::begin(kAtEdges), std::end(kAtEdges)})};
  constexpr int kWeights[] = {2, 5, 1};
  // All expressions of a list that the options allow are equally likely; a few ops allow one in a hundred.
  constexpr size_t kTries = 5 * std::size(kExpressions);
  for (size_t i = 0; i < kTries; ++i) {
    const size_t list = choices.Weighted(kWeights);
    const bool is_family = list == 0;
    const std::vector<Word>& drawn = lists[list][choices.Below(lists[list].size())];
    const std::vector<Word> filled = is_family ? Filled(choices, options, drawn) : std::vector<Word>();
    const std::vector<Word>& words = is_family ? filled : drawn;
    if (words.empty()) continue;
    Expression expression(words, options);
    const std::vector<std::pair<E, E>> types = expression.Types();
    if (types.empty()) continue;
    const auto [type, cast_from] = types[choices.Below(types.size())];
    expression.Build(type, cast_from, choices, builder);
    return true;
  }
  return false;
}

}  // namespace tosaic
