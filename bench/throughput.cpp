// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases per second: one Tosaic worker against `mlir-opt | mlir-runner`, on the same cases in the same run: all cases by
// Tosaic, all by the tools, all by Tosaic again; then one worker against two, what a case costs on every route, and the
// rates of the toolchains: in process, trunk by its library, and the tools as `--toolchain` has them, many cases in a
// call and one by one, in turns.
// Run by hand: build/release/bench/throughput [cases [toolchains]], the latter for these rates alone. Prints a table;
// asserts nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "campaign/case_record.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/library_function.h"
#include "generators/generator.h"
#include "model/mlir_text.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/external/external_toolchain.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/observe_isolated.h"
#include "toolchain/toolchain.h"
#include "workers/fixed_addresses.h"
#include "workers/map.h"

namespace tosaic {
namespace {

constexpr int kScalingRounds = 4;    // how often the cases are walked for the two-worker figure
constexpr int kToolchainRounds = 2;  // ... and for the toolchains' rates

GeneratorOptions Options(absl::string_view route = "loops") {
  GeneratorOptions options;
  options.routes = {{std::string(route), 1}};
  options.illegal_percent = 0;
  options.beyond_spec_percent = 0;
  // One op, as the other side's tools get it.
  options.chain_percent = options.graph_percent = options.identity_percent = 0;
  return options;
}

double Seconds(absl::Time since) { return absl::ToDoubleSeconds(absl::Now() - since); }

// Does the work of a campaign's worker on one case.
CaseRecord Work(Toolchain& toolchain, absl::string_view route, uint64_t number) {
  const Case test_case = GenerateCase(1, number, Options(route));
  auto observe = [&](const Case& candidate) { return toolchain.Observe(candidate); };
  return RecordOf(number, test_case, CheckWith(observe, test_case, {}));
}

// Wall seconds for all cases, workers' start included; adds to *each what every case took inside its worker.
double TosaicSeconds(Toolchain& toolchain, const std::vector<uint64_t>& numbers, int jobs,
                     std::map<uint64_t, double>* each, absl::string_view route = "loops") {
  PoolOptions options;
  options.jobs = jobs;
  const absl::Time start = absl::Now();
  using Timed = std::pair<double, CaseRecord>;
  const absl::Status status = Map<uint64_t, Timed>(
      options, nullptr, numbers,
      [&](const uint64_t& number) -> Timed {
        const absl::Time begin = absl::Now();
        CaseRecord record = Work(toolchain, route, number);
        return {Seconds(begin), std::move(record)};
      },
      [&](const uint64_t& number, WorkerResult<Timed> result) {
        if (each != nullptr) (*each)[number] += result.answer.first;
      });
  if (!status.ok()) std::fprintf(stderr, "throughput: %s\n", std::string(status.message()).c_str());
  return Seconds(start);
}

std::string Dense(const Tensor& tensor) {
  // The text of a constant is that of a program that has it.
  Program program;
  program.constants = {tensor};
  const std::string text = ToMlir(program);
  const size_t begin = text.find("dense<"), end = text.find("> : ", begin) + 1;
  return text.substr(begin, end - begin);
}

// The program and a function that calls it with the first run's data.
std::string DriverText(const Case& test_case) {
  const Program& program = test_case.program;
  std::string text = ToMlir(program) + "func.func @entry() {\n", arguments, types;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Tensor& tensor = test_case.runs[0][i];
    const std::string from = ToString(TensorType{Shape::OfSizes(tensor.sizes()), tensor.element_type()});
    const std::string to = ToString(program.arguments[i]);
    absl::StrAppend(&text, "  %c", i, " = arith.constant ", Dense(tensor), " : ", from, "\n  %a", i,
                    " = tensor.cast %c", i, " : ", from, " to ", to, "\n");
    absl::StrAppend(&arguments, i > 0 ? ", " : "", "%a", i);
    absl::StrAppend(&types, i > 0 ? ", " : "", to);
  }
  absl::StrAppend(&text, "  %r = call @main(", arguments, ") : (", types, ") -> ",
                  ToString(TypeOf(program, program.results[0])), "\n  return\n}\n");
  return text;
}

double ToolsSeconds(const std::string& directory, uint64_t number, int* failures) {
  const std::string file = absl::StrCat(directory, "/", number, ".mlir");
  if (!WriteFile(file, DriverText(GenerateCase(1, number, Options()))).ok()) std::exit(2);
  const std::string command =
      absl::StrCat("bash -c \"set -o pipefail; ", TOSAIC_LLVM_BIN, "/mlir-opt ", file, " --pass-pipeline='",
                   FindRoute("loops")->pipeline, "' 2>/dev/null | ", TOSAIC_LLVM_BIN,
                   "/mlir-runner -O0 -e entry -entry-point-result=void --shared-libs=", TOSAIC_LLVM_LIB,
                   "/libmlir_c_runner_utils.so,", TOSAIC_LLVM_LIB, "/libmlir_float16_utils.so >/dev/null 2>&1\"");
  const absl::Time start = absl::Now();
  *failures += std::system(command.c_str()) != 0 ? 1 : 0;
  return Seconds(start);
}

bool IsStatic(const Program& program) {
  const auto is_static = [](const TensorType& type) { return type.shape.IsStatic(); };
  return std::all_of(program.arguments.begin(), program.arguments.end(), is_static) && is_static(program.ops[0].result);
}

// The first cases of seed 1 that are legal and reach execution.
std::vector<uint64_t> ExecutedCases(Toolchain& toolchain, size_t wanted, std::vector<uint64_t>* statics) {
  std::vector<uint64_t> candidates(wanted * 2);
  std::iota(candidates.begin(), candidates.end(), 0);
  std::map<uint64_t, bool> executed;
  const absl::Status status = Map<uint64_t, bool>(
      PoolOptions(), nullptr, candidates,
      [&](const uint64_t& number) { return toolchain.Observe(GenerateCase(1, number, Options())).runs.size() > 1; },
      [&](const uint64_t& number, WorkerResult<bool> result) { executed[number] = result.answer; });
  if (!status.ok()) std::exit(3);
  std::vector<uint64_t> numbers;
  std::map<std::string, int> mix;
  int by_rank[8] = {};
  for (const auto& [number, reached] : executed) {
    if (!reached || numbers.size() == wanted) continue;
    const Case test_case = GenerateCase(1, number, Options());
    numbers.push_back(number);
    if (IsStatic(test_case.program)) statics->push_back(number);
    ++mix[std::string(Name(test_case.program.ops[0].op))];
    ++by_rank[std::min<size_t>(7, test_case.runs[0].empty() ? 0 : test_case.runs[0][0].sizes().size())];
  }
  std::printf("mix: %zu cases, %zu fully static; by rank 0..6:", numbers.size(), statics->size());
  for (int rank = 0; rank < 7; ++rank) std::printf(" %d", by_rank[rank]);
  std::printf("; by op:");
  for (const auto& [op, count] : mix) std::printf(" %s %d", op.c_str(), count);
  std::printf("\n");
  return numbers;
}

void Compare(Toolchain& toolchain, const std::vector<uint64_t>& numbers, const std::vector<uint64_t>& statics,
             const std::string& directory) {
  std::map<uint64_t, double> tosaic, tools;
  int failures = 0;
  double tosaic_wall = TosaicSeconds(toolchain, numbers, 1, &tosaic);
  for (uint64_t number : numbers) tools[number] = ToolsSeconds(directory, number, &failures);
  tosaic_wall = (tosaic_wall + TosaicSeconds(toolchain, numbers, 1, &tosaic)) / 2;
  double tools_wall = 0, static_tosaic = 0, static_tools = 0;
  for (const auto& [number, seconds] : tools) tools_wall += seconds;
  for (uint64_t number : statics) {
    static_tosaic += tosaic[number] / 2;
    static_tools += tools[number];
  }
  auto print = [](const char* label, double a, double b, size_t count) {
    const double cases = static_cast<double>(count);
    std::printf(
        "%-14s Tosaic %5.2f ms a case (8 runs, judged), mlir-opt | mlir-runner %5.1f ms (1 run, not judged): "
        "%.1f times\n",
        label, a / cases * 1e3, b / cases * 1e3, b / a);
  };
  print("all", tosaic_wall, tools_wall, numbers.size());
  print("fully static", static_tosaic, static_tools, statics.size());
  std::printf(
      "               (all: wall time with the worker's start; static: their share inside that worker; %d of the "
      "tools' runs failed)\n",
      failures);
}

void Scaling(Toolchain& toolchain, const std::vector<uint64_t>& numbers) {
  double seconds[3] = {};
  for (int round = 0; round < kScalingRounds; ++round) {
    for (int jobs : {1, 2}) seconds[jobs] += TosaicSeconds(toolchain, numbers, jobs, nullptr);
  }
  const double count = static_cast<double>(numbers.size() * kScalingRounds);
  std::printf("scaling        one worker %.0f cases/s, two workers %.0f cases/s: %.2f times\n", count / seconds[1],
              count / seconds[2], seconds[1] / seconds[2]);
}

// The medians of what a case takes inside its worker: a route's own start is in its first cases.
void Routes(Toolchain& toolchain, const std::vector<uint64_t>& numbers) {
  double loops = 0;
  for (const Route& route : AllRoutes()) {
    std::map<uint64_t, double> each;
    TosaicSeconds(toolchain, numbers, 1, &each, route.name);
    std::vector<double> seconds;
    for (const auto& [number, of_case] : each) seconds.push_back(of_case);
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<ptrdiff_t>(seconds.size() / 2), seconds.end());
    const double median = seconds[seconds.size() / 2];
    if (route.name == "loops") loops = median;
    std::printf("route %-18s %6.2f ms a case, %.2f times loops\n", std::string(route.name).c_str(), median * 1e3,
                median / loops);
  }
}

// The seconds that a campaign of one worker takes for all cases if `size` of them are prepared at once; 1: none is.
double CampaignSeconds(Toolchain& toolchain, const std::vector<uint64_t>& numbers, size_t size) {
  const absl::Time start = absl::Now();
  for (size_t begin = 0; begin < numbers.size(); begin += size) {
    const std::vector<uint64_t> batch(numbers.begin() + static_cast<ptrdiff_t>(begin),
                                      numbers.begin() + static_cast<ptrdiff_t>(std::min(begin + size, numbers.size())));
    const auto prepare = [&](uint64_t) {
      std::vector<Case> cases;
      for (const uint64_t number : batch) cases.push_back(GenerateCase(1, number, Options()));
      toolchain.Prepare(cases);
      return true;
    };
    if (size > 1 && !MapIndices<bool>(PoolOptions(), nullptr, 1, prepare, [](uint64_t, WorkerResult<bool>) {}).ok()) {
      std::exit(3);
    }
    TosaicSeconds(toolchain, batch, 1, nullptr);
  }
  return Seconds(start);
}

// All that are there, in turns.
void Toolchains(Toolchain& in_process, const std::vector<uint64_t>& numbers) {
  struct Rate {
    std::string name;
    Toolchain* toolchain;
    size_t batch;
    double seconds = 0;
  };
  std::vector<Rate> rates = {{in_process.description().name, &in_process, 1}};
  std::unique_ptr<Toolchain> trunk, tools;
  const auto add = [&](Toolchain& toolchain) {
    rates.push_back({toolchain.description().name, &toolchain, toolchain.description().batch_size});
  };
  if (const std::optional<CapiLibrary> library = FindTrunk()) {
    absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateCapiToolchain(*library, {.worker = TOSAIC_CAPI_WORKER});
    if (created.ok()) {
      add(*(trunk = *std::move(created)));
    } else {
      std::fprintf(stderr, "throughput: without trunk: %s\n", std::string(created.status().message()).c_str());
    }
  }
  if (absl::StatusOr<ExternalTools> found = FindTools(TOSAIC_LLVM_BIN); found.ok()) {
    absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateExternalToolchain(*found);
    if (created.ok()) {
      add(*(tools = *std::move(created)));
      rates.push_back({rates.back().name + ", one by one", tools.get(), 1});
    }
  }
  for (int round = 0; round < kToolchainRounds; ++round) {
    for (Rate& rate : rates) rate.seconds += CampaignSeconds(*rate.toolchain, numbers, rate.batch);
  }
  const double count = static_cast<double>(numbers.size() * kToolchainRounds);
  for (const Rate& rate : rates) {
    std::printf("toolchain %-25s %6.1f cases/s, %.2f times the rate in process\n", rate.name.c_str(),
                count / rate.seconds, rates.front().seconds / rate.seconds);
  }
}

int RunBenchmark(size_t wanted, absl::string_view part) {
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain({.library_function = OracleLibrary()});
  if (!toolchain.ok()) return 3;
  WarmUp(**toolchain);
  char directory[] = "/tmp/tosaic-bench-XXXXXX";
  if (mkdtemp(directory) == nullptr) return 2;
  std::vector<uint64_t> statics;
  const std::vector<uint64_t> numbers = ExecutedCases(**toolchain, wanted, &statics);
  if (part != "toolchains") {
    Compare(**toolchain, numbers, statics, directory);
    Scaling(**toolchain, numbers);
    Routes(**toolchain, numbers);
  }
  Toolchains(**toolchain, numbers);
  return std::system(absl::StrCat("rm -r ", directory).c_str());
}

}  // namespace
}  // namespace tosaic

int main(int argc, char** argv) {
  tosaic::FixAddresses(argv);  // as `tosaic` does
  int wanted = 200;
  if (argc > 1 && (!absl::SimpleAtoi(argv[1], &wanted) || wanted < 1)) {
    std::fprintf(stderr, "throughput: '%s' is not a number of cases\n", argv[1]);
    return 2;
  }
  return tosaic::RunBenchmark(static_cast<size_t>(wanted), argc > 2 ? argv[2] : "");
}
