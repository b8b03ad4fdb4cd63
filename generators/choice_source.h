// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ChoiceSource: the source of a generator's randomness, which is a seed or a fuzzer's bytes. The sequence of a seed is
// part of Tosaic's contract (it is the same on every machine and in every build), so this file uses no standard
// distributions.
#ifndef TOSAIC_GENERATORS_CHOICE_SOURCE_H_
#define TOSAIC_GENERATORS_CHOICE_SOURCE_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace tosaic {

class ChoiceSource {
 public:
  virtual ~ChoiceSource() = default;

  // Draws 64 bits.
  virtual uint64_t Bits() = 0;

  // Draws from 0 .. n-1, all equally likely. 0 is the simplest choice. REQUIRES: n > 0.
  virtual uint64_t Below(uint64_t n);

  // Draws from low .. high, both included; low is the simplest choice. REQUIRES: low <= high.
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }

  // True in `numerator` of `denominator` cases; false is the simplest choice.
  bool Chance(uint64_t numerator, uint64_t denominator) { return Below(denominator) >= denominator - numerator; }

  // Draws an index into `weights`, with a probability proportional to the weight there. REQUIRES: a positive sum.
  size_t Weighted(absl::Span<const int> weights);

  // Draws an element; the first is the simplest choice. REQUIRES: not empty.
  template <typename T>
  const T& Pick(absl::Span<const T> from) {
    return from[Below(from.size())];
  }

  // The numbers that sizes and elements often are (GeneratorOptions::numbers). Strongly: also half of the constants, in
  // all elements, and tensors are large enough more often. They must outlive the source.
  void Favour(absl::Span<const double> numbers, bool strongly = false) {
    favoured_ = numbers;
    strongly_ = strongly;
  }
  absl::Span<const double> favoured() const { return favoured_; }
  bool favours_strongly() const { return strongly_; }

 private:
  absl::Span<const double> favoured_;
  bool strongly_ = false;
};

// Choices from a seed: a counter-based generator (SplitMix64's finalizer over seed, stream and counter). Streams of one
// seed are independent of each other; each case number has its own stream.
class SeededChoices : public ChoiceSource {
 public:
  SeededChoices(uint64_t seed, uint64_t stream);
  uint64_t Bits() override;

 private:
  uint64_t key_;
  uint64_t stream_key_;
  uint64_t counter_ = 0;
};

// Choices from a fuzzer's bytes, which must outlive the source. A choice takes as few bytes as it needs. After the last
// byte every draw is zero, the simplest choice, so generation always ends.
class ByteChoices : public ChoiceSource {
 public:
  explicit ByteChoices(absl::Span<const uint8_t> bytes) : rest_(bytes) {}
  uint64_t Bits() override { return Take(8); }
  uint64_t Below(uint64_t n) override;

 private:
  uint64_t Take(int bytes);

  absl::Span<const uint8_t> rest_;
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHOICE_SOURCE_H_
