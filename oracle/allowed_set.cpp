// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/allowed_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

// The magnitude of infinity, or of the greatest number if the format has no infinity.
uint64_t GreatestMagnitude(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (!info.has_infinity) return SignMask(type) - 2;
  return ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
}

bool IsNan(ElementType type, uint64_t bits) {
  return IsFloat(type) && (bits & ~SignMask(type)) > GreatestMagnitude(type);
}

// How far `a` is below `b`, which may be more than an int64_t holds.
uint64_t Below(int64_t a, int64_t b) { return static_cast<uint64_t>(b) - static_cast<uint64_t>(a); }

// The members of both, on the widest grid that has them all.
OrdinalSpan UnionOf(OrdinalSpan a, OrdinalSpan b) {
  const uint64_t apart = a.first < b.first ? Below(a.first, b.first) : Below(b.first, a.first);
  const uint64_t steps = std::gcd(static_cast<uint64_t>(a.Step()), static_cast<uint64_t>(b.Step()));
  const uint64_t stride = std::gcd(steps, apart);
  const bool fits = 0 < stride && stride <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return {std::min(a.first, b.first), std::max(a.last, b.last), fits ? static_cast<int64_t>(stride) : 1};
}

// Whether one span has the members of both and no others, if `b` lies above `a`.
bool Continues(OrdinalSpan a, OrdinalSpan b) {
  const int64_t stride = a.IsPoint() ? b.stride : a.stride;
  return (b.IsPoint() || b.stride == stride) && Below(a.last, b.first) == static_cast<uint64_t>(stride);
}

}  // namespace

bool OrdinalSpan::Has(int64_t ordinal) const {
  if (ordinal < first || last < ordinal) return false;
  return stride == 1 || Below(first, ordinal) % static_cast<uint64_t>(stride) == 0;
}

OrdinalSpan OrdinalSpan::Within(int64_t least, int64_t greatest) const {
  constexpr OrdinalSpan kNone = {1, 0};
  if (greatest < first || last < least || greatest < least) return kNone;
  const auto step = static_cast<uint64_t>(stride);
  OrdinalSpan part = *this;
  if (first < least) {
    const uint64_t rest = Below(first, least) % step;
    if (rest != 0 && Below(least, last) < step - rest) return kNone;
    part.first = rest == 0 ? least : static_cast<int64_t>(static_cast<uint64_t>(least) + (step - rest));
  }
  if (greatest < part.first) return kNone;
  if (greatest < last) part.last = greatest - static_cast<int64_t>(Below(part.first, greatest) % step);
  return part;
}

int64_t OrdinalOf(ElementType type, uint64_t bits) {
  if (IsFloat(type)) {
    const auto magnitude = static_cast<int64_t>(bits & (SignMask(type) - 1));
    return (bits & SignMask(type)) != 0 ? -1 - magnitude : magnitude;
  }
  if (!HasSignedValues(type)) return static_cast<int64_t>(bits);
  const int shift = 64 - BitWidth(type);
  return static_cast<int64_t>(bits << shift) >> shift;
}

uint64_t BitsOfOrdinal(ElementType type, int64_t ordinal) {
  if (IsFloat(type) && ordinal < 0) return SignMask(type) | static_cast<uint64_t>(-1 - ordinal);
  return static_cast<uint64_t>(ordinal) & BitMask(type);
}

double ValueOfOrdinal(ElementType type, int64_t ordinal) { return ElementToDouble(type, BitsOfOrdinal(type, ordinal)); }

int64_t LeastOrdinal(ElementType type) {
  if (IsFloat(type)) return -1 - static_cast<int64_t>(GreatestMagnitude(type));
  return HasSignedValues(type) ? -static_cast<int64_t>(SignMask(type) - 1) - 1 : 0;
}

int64_t GreatestOrdinal(ElementType type) {
  if (IsFloat(type)) return static_cast<int64_t>(GreatestMagnitude(type));
  return static_cast<int64_t>(HasSignedValues(type) ? SignMask(type) - 1 : BitMask(type));
}

int64_t LeastNormalOrdinal(ElementType type) { return int64_t{1} << Info(type).mantissa_bits; }

AllowedSet AllowedSet::Undefined(ElementType type) {
  AllowedSet set = Everything(type);
  set.is_undefined_ = true;
  return set;
}

AllowedSet AllowedSet::Everything(ElementType type) {
  AllowedSet set = OfSpan(type, {LeastOrdinal(type), GreatestOrdinal(type)});
  set.has_nan_ = IsFloat(type);
  return set;
}

AllowedSet AllowedSet::OfBits(ElementType type, uint64_t bits) {
  AllowedSet set(type);
  if (IsNan(type, bits)) {
    set.AddNan();
  } else {
    const int64_t ordinal = OrdinalOf(type, bits);
    set.Add({ordinal, ordinal});
  }
  return set;
}

AllowedSet AllowedSet::OfSpan(ElementType type, OrdinalSpan span) {
  AllowedSet set(type);
  set.Add(span);
  return set;
}

AllowedSet AllowedSet::OfExpected(ElementType type, const Expected& expected) {
  if (expected.kind == Expected::Kind::kUndefined) return Undefined(type);
  AllowedSet set(type);
  if (expected.kind == Expected::Kind::kIntegers) {
    const int64_t first = OrdinalOf(type, expected.bits), last = OrdinalOf(type, expected.last_bits);
    if (first <= last) return OfSpan(type, {first, last});
    set.Add({first, GreatestOrdinal(type)});
    set.Add({LeastOrdinal(type), last});
    return set;
  }
  if (!IsFloat(type)) return OfBits(type, expected.bits);
  if (expected.kind == Expected::Kind::kNan) {
    set.AddNan();
    return set;
  }
  const uint64_t greatest = GreatestMagnitude(type), sign = SignMask(type);
  for (const BitRange range : AllowedRanges(type, expected)) {
    for (const uint64_t base : {uint64_t{0}, sign}) {  // NaNs of one sign may be next to the zero of the other
      if (range.last < base || (base == 0 && range.first >= sign)) continue;
      const uint64_t first = std::max(range.first, base) - base, last = std::min(range.last - base, sign - 1);
      if (last > greatest) set.AddNan();
      if (first > greatest) continue;
      const int64_t one = OrdinalOf(type, base | first), other = OrdinalOf(type, base | std::min(last, greatest));
      set.Add({std::min(one, other), std::max(one, other)});
    }
  }
  return set;
}

void AllowedSet::Add(OrdinalSpan span) {
  if (span.IsPoint()) span.stride = 1;
  // Merges the new span with the spans that it overlaps or continues.
  size_t from = 0;
  while (from < count_ && spans_[from].last < span.first) ++from;
  if (from > 0 && Continues(spans_[from - 1], span)) --from;
  size_t to = from;
  while (to < count_ && (spans_[to].first <= span.last || Continues(span, spans_[to]))) {
    span = UnionOf(span, spans_[to]);
    ++to;
  }
  if (from == to) {
    std::copy_backward(spans_.begin() + from, spans_.begin() + count_, spans_.begin() + count_ + 1);
    ++count_;
  } else {
    std::copy(spans_.begin() + to, spans_.begin() + count_, spans_.begin() + from + 1);
    count_ -= static_cast<uint8_t>(to - from - 1);
  }
  spans_[from] = span;
  if (count_ > kMaxSpans) MergeNearest();
}

void AllowedSet::MergeNearest() {
  // Count of values between span i and the next one; the maximum where merging them would let a set that has one sign,
  // or no zero, seem to have another.
  const auto gap = [&](size_t i) {
    const int64_t from = spans_[i].last, to = spans_[i + 1].first;
    const bool decides = (from < -1 && to > -1) || (from < 0 && to > 0);
    return decides ? std::numeric_limits<uint64_t>::max() : Below(from, to);
  };
  size_t nearest = 0;
  for (size_t i = 1; i + 1 < count_; ++i) {
    if (gap(i) < gap(nearest)) nearest = i;
  }
  spans_[nearest] = UnionOf(spans_[nearest], spans_[nearest + 1]);
  std::copy(spans_.begin() + nearest + 2, spans_.begin() + count_, spans_.begin() + nearest + 1);
  --count_;
}

void AllowedSet::Unite(const AllowedSet& other) {
  for (const OrdinalSpan span : other.spans()) Add(span);
  has_nan_ |= other.has_nan_;
  is_undefined_ |= other.is_undefined_;
}

void AllowedSet::AddFlushedZeros() {
  if (!IsFloat(type_) || IsFp8(type_)) return;
  const int64_t normal = LeastNormalOrdinal(type_);
  bool negative = false, positive = false;
  for (const OrdinalSpan span : spans()) {
    positive |= span.last > 0 && span.first < normal;
    negative |= span.first < -1 && span.last > -1 - normal;
  }
  if (positive) Add({0, 0});
  if (negative) Add({-1, -1});
}

bool AllowedSet::Contains(uint64_t raw_bits) const {
  if (is_undefined_) return true;
  const uint64_t bits = raw_bits & BitMask(type_);
  if (bits != (raw_bits & StoredMask(type_))) return false;
  if (IsNan(type_, bits)) return has_nan_;
  const int64_t ordinal = OrdinalOf(type_, bits);
  return std::any_of(spans().begin(), spans().end(), [&](OrdinalSpan span) { return span.Has(ordinal); });
}

bool AllowedSet::IsEverything() const {
  if (is_undefined_) return true;
  return count_ == 1 && spans_[0] == OrdinalSpan{LeastOrdinal(type_), GreatestOrdinal(type_)} &&
         (has_nan_ || !IsFloat(type_));
}

uint64_t AllowedSet::Count() const {
  uint64_t count = has_nan_ ? 1 : 0;
  for (const OrdinalSpan span : spans()) {
    const uint64_t others = span.Width() / static_cast<uint64_t>(span.stride);
    if (others >= std::numeric_limits<uint64_t>::max() - count) return std::numeric_limits<uint64_t>::max();
    count += others + 1;
  }
  return count;
}

uint64_t AllowedSet::OnlyBits() const {
  return has_nan_ ? NearestBits(type_, std::nan("")) : BitsOfOrdinal(type_, spans_[0].first);
}

uint64_t AllowedSet::Distance(uint64_t bits) const {
  if (IsNan(type_, bits) || count_ == 0) return 0;
  const int64_t ordinal = OrdinalOf(type_, bits);
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const OrdinalSpan span : spans()) {
    uint64_t distance = 0;
    if (ordinal < span.first) {
      distance = Below(ordinal, span.first);
    } else if (ordinal > span.last) {
      distance = Below(span.last, ordinal);
    } else {
      const uint64_t above = Below(span.first, ordinal) % static_cast<uint64_t>(span.stride);
      distance = std::min(above, static_cast<uint64_t>(span.stride) - above);
    }
    least = std::min(least, distance);
  }
  return least;
}

bool operator==(const AllowedSet& a, const AllowedSet& b) {
  return a.type_ == b.type_ && a.spans() == b.spans() && a.has_nan_ == b.has_nan_ && a.is_undefined_ == b.is_undefined_;
}

std::vector<BitRange> RangesOf(const AllowedSet& set) {
  const ElementType type = set.type();
  if (set.IsUndefined()) return {{0, BitMask(type)}};
  std::vector<BitRange> ranges;
  const auto add = [&](int64_t first, int64_t last) {
    if (first > last) return;
    const uint64_t one = BitsOfOrdinal(type, first), other = BitsOfOrdinal(type, last);
    ranges.push_back({std::min(one, other), std::max(one, other)});
  };
  constexpr uint64_t kMostMembers = 256;
  for (const OrdinalSpan span : set.spans()) {
    const uint64_t others = span.Width() / static_cast<uint64_t>(span.stride);
    if (span.stride == 1 || others >= kMostMembers) {
      for (const OrdinalSpan part : {span.Within(0, span.last), span.Within(span.first, -1)})
        add(part.first, part.last);
      continue;
    }
    for (int64_t ordinal = span.first;; ordinal += span.stride) {  // the last may be the greatest int64_t
      add(ordinal, ordinal);
      if (ordinal == span.last) break;
    }
  }
  if (set.has_nan()) {
    const uint64_t first = GreatestMagnitude(type) + 1, sign = SignMask(type);
    ranges.push_back({first, sign - 1});
    ranges.push_back({sign | first, BitMask(type)});
  }
  std::sort(ranges.begin(), ranges.end(), [](BitRange a, BitRange b) { return a.first < b.first; });
  return ranges;
}

std::string Describe(const AllowedSet& set) {
  if (set.IsEverything()) return "anything";
  std::string text;
  const auto text_of = [&](int64_t ordinal) { return ElementToString(set.type(), BitsOfOrdinal(set.type(), ordinal)); };
  const auto append = [&](const std::string& part) { absl::StrAppend(&text, text.empty() ? "" : " or ", part); };
  for (const OrdinalSpan span : set.spans()) {
    std::string part = text_of(span.first);
    if (!span.IsPoint()) part = absl::StrCat("[", part, ", ", text_of(span.last), "]");
    if (span.stride > 1) absl::StrAppend(&part, " in steps of ", span.stride, IsFloat(set.type()) ? " ulp" : "");
    append(part);
  }
  if (set.has_nan()) append("NaN");
  return text.empty() ? "nothing" : text;
}

}  // namespace tosaic
