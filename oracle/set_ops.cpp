// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/set_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "model/tensor.h"
#include "oracle/float_format.h"
#include "oracle/flushing.h"
#include "oracle/set_box.h"

namespace tosaic {
namespace {

constexpr BoxImage kBoxImages[] = {
#define TOSAIC_OP(name, ...) &Image##name,
#include "model/ops.def"
#undef TOSAIC_OP
};

uint64_t NanBits(ElementType type) { return NearestBits(type, std::nan("")); }

// How many combinations of members are worth evaluating one by one: Real's functions take microseconds.
uint64_t EvaluationsWorthwhile(const ScalarInput& in) {
  switch (in.op.accuracy.kind) {
    case Accuracy::Kind::kAbsoluteError:
    case Accuracy::Kind::kPow:
    case Accuracy::Kind::kPow100:
      return 4;
    case Accuracy::Kind::kUlp:
    case Accuracy::Kind::kCast:
      return IsFloat(in.input_type) || IsFloat(in.result_type) ? 16 : 64;
    case Accuracy::Kind::kExact:
      break;
  }
  return 64;
}

// The members of a set, for a small one.
absl::InlinedVector<uint64_t, 8> MembersOf(const AllowedSet& set) {
  absl::InlinedVector<uint64_t, 8> members;
  for (const OrdinalSpan span : set.spans()) {
    for (int64_t i = span.first;; i += span.stride) {  // the last may be the greatest int64_t
      members.push_back(BitsOfOrdinal(set.type(), i));
      if (i == span.last) break;
    }
  }
  if (set.has_nan()) members.push_back(NanBits(set.type()));
  return members;
}

using Pieces = absl::InlinedVector<OrdinalSpan, 6>;

// The spans of boxes (set_box.h) that a set's members other than NaN lie in. `joined`: at most six, which may have
// further members of floats between them.
Pieces PiecesOf(const AllowedSet& set, bool joined) {
  const ElementType type = set.type();
  if (!IsFloat(type)) return {set.spans().begin(), set.spans().end()};
  const int64_t greatest = GreatestOrdinal(type), least = LeastOrdinal(type);
  const OrdinalSpan classes[] = {{least, least}, {least + 1, -2},   {-1, -1},
                                 {0, 0},         {1, greatest - 1}, {greatest, greatest}};
  Pieces pieces;
  for (const OrdinalSpan cls : classes) {
    const size_t count = pieces.size();
    for (const OrdinalSpan span : set.spans()) {
      const OrdinalSpan piece = span.Within(cls.first, cls.last);
      if (piece.first > piece.last) continue;
      if (joined && pieces.size() > count) {
        pieces.back() = {pieces.back().first, piece.last};
      } else {
        pieces.push_back(piece);
      }
    }
  }
  return pieces;
}

class Image {
 public:
  Image(const ScalarInput& in, absl::Span<const AllowedSet> operands, bool keeps, bool first_two_are_one)
      : in_(in),
        operands_(operands),
        keeps_(keeps),
        first_two_are_one_(first_two_are_one),
        function_(FindScalarFunction(in.op, in.input_type, in.result_type, in.policies.spec_version)),
        result_(in.result_type) {}

  AllowedSet Take() {
    uint64_t combinations = 1;
    const uint64_t worthwhile = EvaluationsWorthwhile(in_);
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!IsFirstAgain(k)) combinations *= std::min(operands_[k].Count(), worthwhile + 1);  // at most 65^kMostReads
    }
    keeps_ &= combinations <= worthwhile;
    if (combinations <= worthwhile) {
      EvaluateMembers(0);
    } else {
      for (size_t k = 0; k < operands_.size(); ++k) EvaluateNan(k);
      EvaluateBoxes();
    }
    if (result_.IsUndefined()) return AllowedSet::Undefined(in_.result_type);
    if (!keeps_) result_.AddFlushedZeros();
    return result_;
  }

 private:
  void Unite(Expected expected) {
    if (keeps_ && expected.kind == Expected::Kind::kBits && MayBeFlushed(in_.result_type, expected.bits)) {
      return result_.Unite(AllowedSet::OfBits(in_.result_type, expected.bits));
    }
    // A zero within the range stays in it.
    if (keeps_ && IsRoundedExactly(in_)) expected.zero_passes = expected.lo <= 0 && expected.hi >= 0;
    result_.Unite(AllowedSet::OfExpected(in_.result_type, expected));
  }

  // Whether operand `k` is the first once more.
  bool IsFirstAgain(size_t k) const { return k == 1 && first_two_are_one_; }

  // Evaluates every combination of members of the operands from `k` on.
  void EvaluateMembers(size_t k) {
    if (result_.IsUndefined()) return;
    if (k == operands_.size()) return Unite(function_(in_));
    if (IsFirstAgain(k)) {
      in_.bits[k] = in_.bits[0];
      return EvaluateMembers(k + 1);
    }
    for (const uint64_t bits : MembersOf(operands_[k])) {
      in_.bits[k] = bits;
      EvaluateMembers(k + 1);
    }
  }

  // The result for a NaN in operand `k`. It does not depend on the other operands unless the op ignores NaNs.
  void EvaluateNan(size_t k) {
    if (!operands_[k].has_nan()) return;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool is_nan = i == k || (i < 2 && k < 2 && first_two_are_one_);
      in_.bits[i] = is_nan || operands_[i].spans().empty()
                        ? NanBits(operands_[i].type())
                        : BitsOfOrdinal(operands_[i].type(), operands_[i].spans()[0].first);
    }
    Unite(function_(in_));
    const bool chooses = in_.op.kind == OpKind::kMaximum || in_.op.kind == OpKind::kMinimum;
    if (!chooses || first_two_are_one_ || !IgnoresNan(in_.attributes)) return;
    const AllowedSet& other = operands_[1 - k];
    result_.Unite(other);
    if (other.Contains(0) || other.Contains(NearestBits(other.type(), -0.0))) result_.AddBothZeros();
  }

  void EvaluateBoxes() {
    constexpr size_t kMostBoxes = 64;  // the functions of a box may take tens of microseconds
    std::array<Pieces, kMostReads> pieces;
    for (const bool joined : {false, true}) {
      size_t boxes = 1;
      for (size_t k = 0; k < operands_.size(); ++k) {
        pieces[k] = PiecesOf(operands_[k], joined);
        boxes *= pieces[k].size();
      }
      if (boxes <= kMostBoxes) break;
    }
    Box box = {in_};
    EvaluateBoxesFrom(0, pieces, box);
  }

  // Every combination of pieces of the operands from `k` on, behind those that the box has.
  void EvaluateBoxesFrom(size_t k, absl::Span<const Pieces> pieces, Box& box) {
    if (result_.IsUndefined()) return;
    if (k == operands_.size()) return EvaluateBox(box);
    for (const OrdinalSpan span : IsFirstAgain(k) ? Pieces{box.spans[0]} : pieces[k]) {
      box.spans[k] = span;
      EvaluateBoxesFrom(k + 1, pieces, box);
    }
  }

  void EvaluateBox(const Box& box) {
    if (box.IsPoint()) return Unite(box.AtFirst());
    // Wrong bounds, zero points and shifts, and pow's domain: a box is entirely inside or outside it.
    const bool may_be_undefined = in_.op.unpredictable != Unpredictable::kNever || !in_.op.attributes.empty();
    if (may_be_undefined && box.AtFirst().kind == Expected::Kind::kUndefined)
      return Unite(Undefined(ValueCase::kPlain));
    result_.Unite(first_two_are_one_ ? ImageOfOneValue(box) : tosaic::ImageOf(box));
  }

  ScalarInput in_;
  absl::Span<const AllowedSet> operands_;
  bool keeps_;  // no subnormal result is flushed
  bool first_two_are_one_;
  ScalarFunction function_;
  AllowedSet result_;
};

// Select depends on its condition and on the operands that this may choose, not on the others.
AllowedSet ImageOfSelect(const ScalarInput& in, absl::Span<const AllowedSet> operands) {
  if (operands[0].IsUndefined()) return AllowedSet::Undefined(in.result_type);
  AllowedSet result(in.result_type);
  if (operands[0].Contains(1)) result.Unite(operands[1]);
  if (operands[0].Contains(0)) result.Unite(operands[2]);
  return result.IsUndefined() ? AllowedSet::Undefined(in.result_type) : result;
}

// The values that an op may use for its operand: with the zeros that subnormals may become, or only the zeros.
AllowedSet WithSubnormals(AllowedSet set, std::optional<SubnormalsOf> known) {
  const bool is_known = known && known->type == set.type();
  if (is_known && !known->flushed) return set;
  set.AddFlushedZeros();
  if (!is_known || set.IsUndefined()) return set;
  const int64_t normal = LeastNormalOrdinal(set.type());
  const OrdinalSpan others[] = {
      {LeastOrdinal(set.type()), -1 - normal}, {-1, 0}, {normal, GreatestOrdinal(set.type())}};
  AllowedSet flushed(set.type());
  if (set.has_nan()) flushed.AddNan();
  for (const OrdinalSpan span : set.spans()) {
    for (const OrdinalSpan other : others) {
      const OrdinalSpan both = span.Within(other.first, other.last);
      if (both.first <= both.last) flushed.Add(both);
    }
  }
  return flushed;
}

}  // namespace

bool Box::IsPoint() const {
  return absl::c_all_of(spans, [](OrdinalSpan span) { return span.IsPoint(); });
}

Expected Box::AtFirst() const {
  ScalarInput at = in;
  for (size_t k = 0; k < in.ReadCount(); ++k) at.bits[k] = BitsOfOrdinal(in.OperandType(k), spans[k].first);
  return EvaluateScalar(at);
}

AllowedSet ImageOf(const Box& box) { return kBoxImages[static_cast<size_t>(box.in.op.kind)](box); }

AllowedSet ImageOf(ScalarInput in, absl::Span<const AllowedSet* const> operands, std::optional<SubnormalsOf> known,
                   FirstTwo first_two) {
  in.mode = Mode::kDecide;
  if (!HasValues(in.op, in.input_type, in.result_type)) return AllowedSet::Undefined(in.result_type);
  if (MovesElements(in.op)) return *operands[0];  // as it is, undefined or not
  if (IsBlockScaled(in.input_type) && !operands[0]->IsUndefined() && operands[0]->Count() > 1) {
    // The order of a block's patterns is not that of its numbers.
    return in.result_type == in.input_type ? *operands[0] : AllowedSet::Everything(in.result_type);
  }
  absl::InlinedVector<AllowedSet, 3> flushed;
  for (const AllowedSet* operand : operands) flushed.push_back(WithSubnormals(*operand, known));
  if (in.op.kind == OpKind::kSelect) return ImageOfSelect(in, flushed);
  const bool undefined = absl::c_any_of(flushed, [](const AllowedSet& operand) { return operand.IsUndefined(); });
  if (undefined) return AllowedSet::Undefined(in.result_type);
  const bool is_known = known && known->type == in.result_type;
  const bool are_one = first_two == FirstTwo::kAreOneValue;
  const AllowedSet image = Image(in, flushed, is_known && !known->flushed, are_one).Take();
  return is_known && known->flushed ? WithSubnormals(image, known) : image;
}

}  // namespace tosaic
