// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/edge_probes/one_op.h"

#include <algorithm>

namespace tosaic::edge_probes {

using dumb::Answer;
using dumb::Fit;
using E = ElementType;

namespace {

constexpr int kStepsToTheOutside = 64;  // as far as dumb_scalar_ops may be unsure beyond an edge
constexpr int64_t kMostPossible = 5000;

}  // namespace

OneOp::OneOp(const Program& program, size_t op)
    : op_(program.ops[op]),
      input_(InputElementType(program, op_)),
      result_(op_.result.element_type),
      function_(dumb::FindFunction(Info(op_.op).name)) {
  for (const ValueRef ref : op_.operands) operand_types_.push_back(ElementTypeOf(program, ref));
  if (op_.op == OpKind::kTable) table_ = &program.constants[op_.operands[1].index];
}

Answer OneOp::At(Operands bits) const {
  if (table_ != nullptr) {
    const auto value = static_cast<int64_t>(dumb::Decode(input_, bits[0]));
    const int64_t index = input_ == E::kI8 ? value + 128 : (value + 32768) / 128;
    bits[1] = table_->Bits(index);
    if (input_ != E::kI8) bits[2] = table_->Bits(index + 1);
  }
  return function_({input_, result_, op_.attributes, dumb::Release::k1_0_2, bits});
}

Operands OneOp::Flushed(Operands bits) const {
  for (size_t i = 0; i < operand_types_.size(); ++i) {
    if (IsSubnormal(operand_types_[i], bits[i])) bits[i] = ZeroOfSign(operand_types_[i], bits[i]);
  }
  return bits;
}

std::vector<Answer> OneOp::Answers(const Operands& bits) const {
  const Operands flushed = Flushed(bits);
  if (MovesData() || flushed == bits) return {At(bits)};
  return {At(bits), At(flushed)};
}

Fit OneOp::Allows(const Operands& operands, uint64_t bits) const {
  Fit fit = Fit::kRefused;
  for (const Answer& answer : Answers(operands)) fit = std::max(fit, dumb::Judge(answer, result_, bits));
  return fit;
}

namespace {

// The last place from `from` on, upward or downward, that is surely allowed without a gap.
int64_t EdgeFrom(const Answer& answer, E type, int64_t from, int direction) {
  const int64_t end = direction > 0 ? GreatestPlace(type) : LeastPlace(type);
  // A zero may be allowed, for flushing, although numbers beside it are not: it belongs to the rest if both are.
  const auto is_allowed = [&](int64_t place) {
    return dumb::Judge(answer, type, BitsAt(type, place)) == Fit::kAllowed;
  };
  const auto allowed = [&](int64_t place) {
    const bool zero = IsFloat(type) && (place == 0 || place == -1);
    return is_allowed(place) && (!zero || (is_allowed(1) && is_allowed(-2)));
  };
  int64_t inside = from, step = 1;
  while (inside != end) {
    const int64_t next = direction > 0 ? std::min(end, inside + step) : std::max(end, inside - step);
    if (allowed(next)) {
      inside = next;
      step *= 2;
    } else if (step == 1) {
      break;
    } else {
      step = 1;
    }
  }
  return inside;
}

bool IsNumberWithin(const Answer& answer) { return answer.kind == Answer::Kind::kWithin; }
bool AreIntegers(const Answer& answer) { return answer.kind == Answer::Kind::kIntegers; }

// The answer of most targets, or one close to it. REQUIRES: not undefined, and not NaN alone.
uint64_t Usual(const Answer& answer, E type) {
  if (AreIntegers(answer)) return answer.first;
  return IsNumberWithin(answer) ? dumb::Nearest(type, answer.reference) : answer.listed[0];
}

uint64_t CountIntegers(const Answer& answer, E type) { return ((answer.last - answer.first) & BitMask(type)) + 1; }

}  // namespace

std::optional<uint64_t> PickAllowed(const OneOp& op, Operands operands, bool flushes, Dice& dice) {
  const E type = op.result();
  if (flushes && !op.MovesData()) operands = op.Flushed(operands);
  const Answer answer = op.At(operands);
  uint64_t bits;
  if (AreIntegers(answer)) {
    const uint64_t between = (answer.first + dice.Below(CountIntegers(answer, type))) & BitMask(type);
    bits = dice.Of<uint64_t>({answer.first, answer.last, between});
  } else if (!IsNumberWithin(answer)) {
    if (answer.listed_count == 0) return op.MovesData() ? operands[0] : AnyNan(type, dice);
    bits = answer.listed[0];
    const bool zero = IsFloat(type) && dumb::Decode(type, bits) == 0;
    if (zero) bits = answer.listed[dice.Below(answer.listed_count)];
  } else {
    bits = dumb::Nearest(type, answer.reference);
    if (IsNan(type, bits) || dumb::Judge(answer, type, bits) != Fit::kAllowed) return std::nullopt;
    const int64_t nearest = PlaceOf(type, bits);
    const uint64_t where = dice.Below(3);
    int64_t place = nearest;
    if (where > 0) place = EdgeFrom(answer, type, nearest, where == 1 ? 1 : -1);
    // A zero that is not the nearest number would say that the target flushes.
    const auto is_zero = [&](int64_t p) { return dumb::Decode(type, BitsAt(type, p)) == 0; };
    while (place != nearest && is_zero(place)) place += place < nearest ? 1 : -1;
    bits = BitsAt(type, place);
  }
  if (flushes && IsSubnormal(type, bits) && dumb::Judge(answer, type, ZeroOfSign(type, bits)) == Fit::kAllowed)
    bits = ZeroOfSign(type, bits);
  return bits;
}

std::optional<uint64_t> PickOutside(const OneOp& op, const Operands& operands, Dice& dice) {
  const E type = op.result();
  const Answer answer = op.At(operands);
  if (answer.kind == Answer::Kind::kListed && answer.listed_count == 0) {  // a NaN: any number is outside
    const uint64_t bits = BitsAt(type, static_cast<int64_t>(dice.Below(2 * GreatestPlace(type))) - GreatestPlace(type));
    return op.Allows(operands, bits) == Fit::kRefused ? std::optional(bits) : std::nullopt;
  }
  const uint64_t bits = Usual(answer, type);
  if (IsNan(type, bits) || dumb::Judge(answer, type, bits) != Fit::kAllowed) return std::nullopt;
  const int direction = dice.OneIn(2) ? 1 : -1;
  int64_t place = EdgeFrom(answer, type, PlaceOf(type, bits), direction);
  for (int i = 0; i < kStepsToTheOutside; ++i) {
    place += direction;
    if (place > GreatestPlace(type) || place < LeastPlace(type)) return std::nullopt;
    if (op.Allows(operands, BitsAt(type, place)) == Fit::kRefused) return BitsAt(type, place);
  }
  return std::nullopt;
}

std::optional<std::vector<uint64_t>> AllPossible(const OneOp& op, const Operands& operands) {
  const E type = op.result();
  std::vector<uint64_t> all;
  for (const Answer& answer : op.Answers(operands)) {
    if (answer.kind == Answer::Kind::kUndefined) return std::nullopt;
    if (AreIntegers(answer)) {
      const uint64_t count = CountIntegers(answer, type);
      if (count > kMostPossible) return std::nullopt;
      for (uint64_t i = 0; i < count; ++i) all.push_back((answer.first + i) & BitMask(type));
      continue;
    }
    if (!IsNumberWithin(answer)) {
      all.insert(all.end(), answer.listed.begin(), answer.listed.begin() + answer.listed_count);
      if (answer.any_nan) all.push_back(op.MovesData() ? operands[0] : dumb::FormatOf(type).sign() - 1);
      continue;
    }
    const int64_t nearest = PlaceOf(type, dumb::Nearest(type, answer.reference));
    const Answer most = {answer.kind, {}, 0, false, answer.reference, answer.bound + answer.slack, 0};
    const int64_t first = EdgeFrom(most, type, nearest, -1), last = EdgeFrom(most, type, nearest, 1);
    if (last - first > kMostPossible) return std::nullopt;
    for (int64_t place = first; place <= last; ++place) all.push_back(BitsAt(type, place));
    for (const uint64_t zero : {uint64_t{0}, dumb::FormatOf(type).sign()}) {
      if (dumb::Judge(most, type, zero) == Fit::kAllowed) all.push_back(zero);
    }
    if (!Info(type).has_infinity && dumb::Judge(most, type, dumb::FormatOf(type).sign() - 1) == Fit::kAllowed)
      all.push_back(dumb::FormatOf(type).sign() - 1);
  }
  return all;
}

}  // namespace tosaic::edge_probes
