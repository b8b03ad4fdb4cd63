// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the parts of a case with Google Benchmark. Run by hand: build/release/bench/micro.
#include <benchmark/benchmark.h>

#include <vector>

#include "generators/generator.h"
#include "oracle/judge.h"
#include "oracle/legality.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

Toolchain& SharedToolchain() {
  static std::unique_ptr<Toolchain> toolchain = *CreateMlirToolchain();
  return *toolchain;
}

std::vector<Case> Cases(uint64_t seed, size_t count, int illegal_percent) {
  GeneratorOptions options;
  options.illegal_percent = illegal_percent;
  options.beyond_spec_percent = 0;
  std::vector<Case> cases;
  for (uint64_t i = 0; i < count; ++i) cases.push_back(GenerateCase(seed, i, options));
  return cases;
}

void Generate(benchmark::State& state) {
  uint64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(GenerateCase(1, number++, {}));
}
BENCHMARK(Generate);

// MLIR's decision and the oracle's on the same program.
void Decide(benchmark::State& state) {
  const std::vector<Case> cases = Cases(1, 2000, 12);
  size_t at = 0;
  for (auto _ : state) {
    const Program& program = cases[at++ % cases.size()].program;
    benchmark::DoNotOptimize(SharedToolchain().verifier()->ObserveDecision(program));
    benchmark::DoNotOptimize(JudgeLegality(program, Policies()));
  }
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(Decide);

// The oracle alone, on what MLIR really did.
void JudgeObserved(benchmark::State& state) {
  const std::vector<Case> cases = Cases(1, 100, 0);
  std::vector<Observation> observations;
  for (const Case& test_case : cases) observations.push_back(SharedToolchain().Observe(test_case));
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Judge(cases[at % cases.size()], observations[at % cases.size()]));
    ++at;
  }
}
BENCHMARK(JudgeObserved);

// A case with so many runs: the difference is what further runs cost.
void Observe(benchmark::State& state) {
  Case test_case;
  for (uint64_t i = 0; test_case.runs.size() < 8; ++i) {
    GeneratorOptions options;
    options.ops = {OpKind::kAdd};
    options.types = {ElementType::kF32};
    options.illegal_percent = 0;
    options.beyond_spec_percent = 0;
    test_case = GenerateCase(1, i, options);
  }
  test_case.runs.resize(static_cast<size_t>(state.range(0)), test_case.runs[0]);
  for (auto _ : state) benchmark::DoNotOptimize(SharedToolchain().Observe(test_case));
}
BENCHMARK(Observe)->Arg(1)->Arg(8)->Arg(1008);

}  // namespace
}  // namespace tosaic

BENCHMARK_MAIN();
