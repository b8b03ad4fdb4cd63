// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far the C library's functions on doubles are from the true values, at inputs of f32 (kFunctionError, on which the
// oracle's filters depend), and how many elements a filter sees in a second. Run by hand:
// build/release/bench/filter_bound [points] [seed]. Prints a table with the largest error in units of a double's last
// place; exit status 1 if it is beyond the bound.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "oracle/element_filter.h"
#include "oracle/filter_values.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

constexpr size_t kBlock = 4096;

struct Worst {
  double error = 0;  // relative
  uint32_t at = 0;
};

double TrueValue(ScalarInput* in, uint32_t x) {
  in->bits[0] = x;
  const Expected expected = EvaluateScalar(*in);
  return expected.kind == Expected::Kind::kRange ? expected.reference : std::nan("");
}

// Half of the points anywhere, half of moderate size.
Worst WorstOf(ScalarInput in, uint64_t points, uint64_t seed) {
  Worst worst;
  uint64_t state = seed;
  for (uint64_t i = 0; i < points; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto x = static_cast<uint32_t>(state >> 32);
    if (i % 2 == 1) x = (x & 0x807fffff) | (107 + static_cast<uint32_t>(state >> 20) % 30) << 23;
    double value = 0;
    FilterReferences(in.op.kind, x, 1, &value);
    const double expected = TrueValue(&in, x);
    if (!std::isnormal(value) || !std::isfinite(expected)) continue;
    const double error = std::fabs(value - expected) / std::fabs(expected);
    if (error > worst.error) worst = {error, x};
  }
  return worst;
}

struct Rate {
  double elements = 0;   // in a second
  double undecided = 0;  // of a million
};

// Of results that are the filter's own values, over all binades.
Rate RateOf(const ElementFilter& filter, OpKind op) {
  FilteredElements elements;
  std::vector<double> values(kBlock);
  std::vector<uint8_t> results(kBlock * sizeof(float));
  double seconds = 0;
  uint64_t count = 0, undecided = 0;
  for (uint64_t first = 0; first < uint64_t{1} << 32; first += uint64_t{1} << 22, count += kBlock) {
    FilterReferences(op, static_cast<uint32_t>(first), kBlock, values.data());
    for (size_t i = 0; i < kBlock; ++i) {
      const auto y = static_cast<float>(values[i]);
      std::memcpy(&results[i * sizeof(y)], &y, sizeof(y));
    }
    const auto start = std::chrono::steady_clock::now();
    filter.Apply(static_cast<uint32_t>(first), kBlock, results.data(), &elements);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const uint8_t flags : elements.flags) undecided += (flags & kIsDecided) == 0 ? 1 : 0;
  }
  const auto elements_seen = static_cast<double>(count);
  return {elements_seen / seconds, 1e6 * static_cast<double>(undecided) / elements_seen};
}

int Main(uint64_t points, uint64_t seed) {
  bool keeps = true;
  std::printf("%-12s %12s %12s %10s %12s %18s\n", "op", "points", "worst (ulp)", "at", "elements/s",
              "undecided (1e-6)");
  for (const OpInfo& op : AllOps()) {
    double value = 0;
    if (!FilterReferences(op.kind, 0, 1, &value)) continue;
    const Attributes attributes;
    const Policies policies;
    const ScalarInput in = {.op = op,
                            .input_type = ElementType::kF32,
                            .result_type = ElementType::kF32,
                            .attributes = attributes,
                            .policies = policies};
    const Worst worst = WorstOf(in, points, seed);
    keeps &= worst.error <= kFunctionError;
    const Rate rate = RateOf(*ElementFilter::For(in), op.kind);
    std::printf("%-12s %12llu %12.3f 0x%08x %12.0f %18.1f\n", op.name.data(), static_cast<unsigned long long>(points),
                worst.error * 0x1p52, worst.at, rate.elements, rate.undecided);
  }
  return keeps ? 0 : 1;
}

}  // namespace
}  // namespace tosaic

int main(int argc, char** argv) {
  const uint64_t points = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  return tosaic::Main(points, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
}
