// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AllowedSet: the values that the documents allow for one element, as what an op is computed from. Where Expected is
// what one op may make of known operands, an AllowedSet goes through a program that does not return its intermediate
// values.
//
// The element's patterns are counted by ordinals, which ascend with the values: -0 is -1, +0 is 0, the least subnormal
// is 1. A set is a few spans of ordinals, so that two candidates stay two candidates, and all NaNs are one member.
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

// For floats the count of patterns between zero and the element, which is negative below zero; for integers the value.
// REQUIRES: the element is not a NaN.
int64_t OrdinalOf(ElementType type, uint64_t bits);
uint64_t BitsOfOrdinal(ElementType type, int64_t ordinal);
double ValueOfOrdinal(ElementType type, int64_t ordinal);
// The ends of the type: the infinities, or the greatest numbers where there are none.
int64_t LeastOrdinal(ElementType type);
int64_t GreatestOrdinal(ElementType type);
// The first ordinal above the subnormals. REQUIRES: IsFloat(type).
int64_t LeastNormalOrdinal(ElementType type);

// Ordinals from one to another, both inclusive.
struct OrdinalSpan {
  int64_t first = 0;
  int64_t last = 0;

  bool IsPoint() const { return first == last; }
  friend bool operator==(OrdinalSpan a, OrdinalSpan b) = default;
};

class AllowedSet {
 public:
  static constexpr size_t kMaxSpans = 6;

  // The empty set.
  explicit AllowedSet(ElementType type) : type_(type) {}
  // Anything at all, memory that was never written included: the element is unpredictable.
  static AllowedSet Undefined(ElementType type);
  // Every value of the type.
  static AllowedSet Everything(ElementType type);
  static AllowedSet OfBits(ElementType type, uint64_t bits);
  static AllowedSet OfSpan(ElementType type, OrdinalSpan span);
  static AllowedSet OfExpected(ElementType type, const Expected& expected);

  // Adds ordinals. Beyond kMaxSpans spans, the two that are nearest to each other become one: a set only grows.
  void Add(OrdinalSpan span);
  void AddNan() { has_nan_ = true; }
  void AddBothZeros() { Add({-1, 0}); }
  void Unite(const AllowedSet& other);
  // Adds the zero of each subnormal's sign, for which the specification lets it pass; not to fp8, nor to integers.
  void AddFlushedZeros();

  // Whether an element that lies in memory as `raw_bits` (Tensor::RawBits) is in the set; an i1 has to be 0 or 1.
  bool Contains(uint64_t raw_bits) const;

  ElementType type() const { return type_; }
  absl::Span<const OrdinalSpan> spans() const { return absl::MakeConstSpan(spans_.data(), count_); }
  bool has_nan() const { return has_nan_; }
  bool IsUndefined() const { return is_undefined_; }
  // Whether it excludes no pattern of the type: an element in it says nothing.
  bool IsEverything() const;
  bool IsEmpty() const { return count_ == 0 && !has_nan_ && !is_undefined_; }
  // How many values it has, all NaNs being one.
  uint64_t Count() const;
  // The bit pattern of its only value. REQUIRES: Count() == 1.
  uint64_t OnlyBits() const;
  // How many patterns lie between the element and the nearest in the set; 0 for members, and where a NaN is involved.
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

// The bit patterns of its members, NaNs of every payload included, ascending.
std::vector<BitRange> RangesOf(const AllowedSet& set);

// "1.5", "[-0, 3] or NaN", "1 or [4, 5]", "anything"; "nothing" if it is empty.
std::string Describe(const AllowedSet& set);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ALLOWED_SET_H_
