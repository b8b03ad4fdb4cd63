// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/allowed_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace

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
  if (!IsFloat(type)) return OfBits(type, expected.bits);
  AllowedSet set(type);
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
  // Merges the new span with the spans that it touches.
  size_t from = 0;
  while (from < count_ && spans_[from].last < span.first && spans_[from].last + 1 != span.first) ++from;
  size_t to = from;
  while (to < count_ && (spans_[to].first <= span.last || spans_[to].first - 1 == span.last)) {
    span = {std::min(span.first, spans_[to].first), std::max(span.last, spans_[to].last)};
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
  const auto gap = [&](size_t i) {
    return static_cast<uint64_t>(spans_[i + 1].first) - static_cast<uint64_t>(spans_[i].last);
  };
  size_t nearest = 0;
  for (size_t i = 1; i + 1 < count_; ++i) {
    if (gap(i) < gap(nearest)) nearest = i;
  }
  spans_[nearest].last = spans_[nearest + 1].last;
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
  if (type_ == ElementType::kI1 && raw_bits > 1) return false;
  const uint64_t bits = raw_bits & BitMask(type_);
  if (IsNan(type_, bits)) return has_nan_;
  const int64_t ordinal = OrdinalOf(type_, bits);
  return std::any_of(spans().begin(), spans().end(),
                     [&](OrdinalSpan span) { return span.first <= ordinal && ordinal <= span.last; });
}

bool AllowedSet::IsEverything() const {
  if (is_undefined_) return true;
  return count_ == 1 && spans_[0] == OrdinalSpan{LeastOrdinal(type_), GreatestOrdinal(type_)} &&
         (has_nan_ || !IsFloat(type_));
}

uint64_t AllowedSet::Count() const {
  uint64_t count = has_nan_ ? 1 : 0;
  for (const OrdinalSpan span : spans()) {
    if (span.Width() >= std::numeric_limits<uint64_t>::max() - count) return std::numeric_limits<uint64_t>::max();
    count += span.Width() + 1;
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
    const uint64_t distance = ordinal < span.first  ? static_cast<uint64_t>(span.first) - static_cast<uint64_t>(ordinal)
                              : ordinal > span.last ? static_cast<uint64_t>(ordinal) - static_cast<uint64_t>(span.last)
                                                    : 0;
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
  for (const OrdinalSpan span : set.spans()) {
    add(std::max<int64_t>(span.first, 0), span.last);
    add(span.first, std::min<int64_t>(span.last, -1));
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
    append(span.IsPoint() ? text_of(span.first)
                          : absl::StrCat("[", text_of(span.first), ", ", text_of(span.last), "]"));
  }
  if (set.has_nan()) append("NaN");
  return text.empty() ? "nothing" : text;
}

}  // namespace tosaic
