// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AllowedSet: the values that the documents allow for one element that is an operand of another op. Expected describes
// the result of one op on known operands; an AllowedSet is carried through a program that does not return its
// intermediate values.
//
// Ordinals number the element's patterns in ascending order of their values: -0 is -1, +0 is 0, the least subnormal is
// 1. A set is a few spans of ordinals, so two separate candidates stay separate. All NaNs are one member. A span may
// have a stride: an f16 converted to f32 is each 2^13th pattern, and an integer shifted left by one bit is even.
#ifndef TOSAIC_ORACLE_ALLOWED_SET_H_
#define TOSAIC_ORACLE_ALLOWED_SET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/bit_range.h"
#include "model/element_type.h"
#include "oracle/expected.h"

namespace tosaic {

// For floats, the number of patterns between zero and the element, negative below zero; for integers, the value.
// REQUIRES: the element is not a NaN.
int64_t OrdinalOf(ElementType type, uint64_t bits);
uint64_t BitsOfOrdinal(ElementType type, int64_t ordinal);
double ValueOfOrdinal(ElementType type, int64_t ordinal);
// The ends of the type's range: the infinities, or the greatest numbers if the type has none.
int64_t LeastOrdinal(ElementType type);
int64_t GreatestOrdinal(ElementType type);
// The first ordinal above the subnormals. REQUIRES: IsFloat(type).
int64_t LeastNormalOrdinal(ElementType type);

// The ordinals first, first + stride, ..., last.
struct OrdinalSpan {
  int64_t first = 0;
  int64_t last = 0;
  int64_t stride = 1;  // at least 1; 1 if there is one member, in a set

  bool IsPoint() const { return first == last; }
  // The stride, but 0 if there is one member, which is on every grid that it is on.
  int64_t Step() const { return IsPoint() ? 0 : stride; }
  bool Has(int64_t ordinal) const;
  // The members from `least` to `greatest`; if there are none, first > last.
  OrdinalSpan Within(int64_t least, int64_t greatest) const;
  // How far apart the two are, which may be more than an int64_t holds.
  uint64_t Width() const { return static_cast<uint64_t>(last) - static_cast<uint64_t>(first); }
  friend bool operator==(OrdinalSpan a, OrdinalSpan b) = default;
};

class AllowedSet {
 public:
  static constexpr size_t kMaxSpans = 6;

  // The empty set.
  explicit AllowedSet(ElementType type) : type_(type) {}
  // Anything at all, including memory that was never written: the element is unpredictable.
  static AllowedSet Undefined(ElementType type);
  // Every value of the type.
  static AllowedSet Everything(ElementType type);
  static AllowedSet OfBits(ElementType type, uint64_t bits);
  static AllowedSet OfSpan(ElementType type, OrdinalSpan span);
  static AllowedSet OfExpected(ElementType type, const Expected& expected);

  // Adds ordinals. Spans that overlap become one on a grid that has both. If there are more than kMaxSpans spans, the
  // two nearest to each other are merged, but not across -1 and 0, which decide divisions. So a set only grows.
  void Add(OrdinalSpan span);
  void AddNan() { has_nan_ = true; }
  void AddBothZeros() { Add({-1, 0}); }
  void Unite(const AllowedSet& other);
  // For each subnormal, adds the zero of its sign, because the specification lets the subnormal be flushed. Does
  // nothing for fp8 and for integers.
  void AddFlushedZeros();

  // Whether an element whose bits in memory are `raw_bits` (Tensor::RawBits) is in the set; see Matches for i1 and i4.
  bool Contains(uint64_t raw_bits) const;

  ElementType type() const { return type_; }
  absl::Span<const OrdinalSpan> spans() const { return absl::MakeConstSpan(spans_.data(), count_); }
  bool has_nan() const { return has_nan_; }
  bool IsUndefined() const { return is_undefined_; }
  // Whether it excludes no pattern of the type, so that comparing an element with it says nothing.
  bool IsEverything() const;
  bool IsEmpty() const { return count_ == 0 && !has_nan_ && !is_undefined_; }
  // How many values it has. All NaNs count as one.
  uint64_t Count() const;
  // The bit pattern of its only value. REQUIRES: Count() == 1.
  uint64_t OnlyBits() const;
  // The distance in patterns between the element and the nearest member; 0 for members, and if a NaN is involved.
  uint64_t Distance(uint64_t bits) const;

  friend bool operator==(const AllowedSet& a, const AllowedSet& b);

 private:
  void MergeNearest();

  std::array<OrdinalSpan, kMaxSpans + 1> spans_;  // ascending, with a gap before each but the first
  ElementType type_;
  uint8_t count_ = 0;
  bool has_nan_ = false;
  bool is_undefined_ = false;
};

// The bit patterns of its members in ascending order, including NaNs of every payload. A span of very many members with
// a stride counts as a range of all patterns between its ends.
std::vector<BitRange> RangesOf(const AllowedSet& set);

// "1.5", "[-0, 3] or NaN", "1 or [4, 5]", "[2, 8] in steps of 2", for floats "[1, 2] in steps of 8192 ulp", "anything";
// "nothing" if it is empty.
std::string Describe(const AllowedSet& set);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ALLOWED_SET_H_
