// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/choice_source.h"

namespace tosaic {
namespace {

// SplitMix64's increment and finalizer (Steele, Lea, Flood 2014).
constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

uint64_t ChoiceSource::Below(uint64_t n) {
  // The high half of a 128-bit product: uniform up to n / 2^64, and 0 from 0.
  return static_cast<uint64_t>((static_cast<unsigned __int128>(Bits()) * n) >> 64);
}

size_t ChoiceSource::Weighted(absl::Span<const int> weights) {
  uint64_t sum = 0;
  for (int weight : weights) sum += weight;
  uint64_t draw = Below(sum);
  size_t index = 0;
  while (draw >= static_cast<uint64_t>(weights[index])) draw -= weights[index++];
  return index;
}

SeededChoices::SeededChoices(uint64_t seed, uint64_t stream)
    : key_(Mix(Mix(seed + kGolden) ^ Mix(stream + 2 * kGolden))), stream_key_(Mix(stream + 3 * kGolden)) {}

uint64_t SeededChoices::Bits() { return Mix(Mix(key_ + ++counter_ * kGolden) ^ stream_key_); }

uint64_t ByteChoices::Below(uint64_t n) {
  int bytes = 0;
  while (bytes < 8 && ((n - 1) >> (8 * bytes)) != 0) ++bytes;
  return Take(bytes) % n;
}

uint64_t ByteChoices::Take(int bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < bytes && !rest_.empty(); ++i) {
    bits |= uint64_t{rest_.front()} << (8 * i);
    rest_.remove_prefix(1);
  }
  return bits;
}

}  // namespace tosaic
