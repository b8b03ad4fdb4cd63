// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of what programs return behind values that are not returned is really held to something: for each op, and
// for each pair of it and the unseen op before it, the elements, the share that is compared, the share that is open
// (IsMostOf), the share that is unpredictable, the share whose operands can be one value only, the median of the
// patterns that are allowed, and what a set costs. Predictions from arguments alone: no MLIR takes part. Run by hand:
// build/release/bench/set_widths [cases] [seed]. Prints a table; asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generators/generator.h"
#include "oracle/compare.h"
#include "oracle/run_sets.h"

namespace tosaic {
namespace {

struct Widths {
  uint64_t elements = 0, judged = 0, open = 0, undefined = 0;
  uint64_t certain = 0;          // operands can be one value only: plausibility and flushing are judged
  std::vector<uint64_t> counts;  // of the judged
};
using Table = std::map<std::string, Widths>;

bool IsReturned(const Program& program, ValueRef ref) {
  return std::find(program.results.begin(), program.results.end(), ref) != program.results.end();
}

// The table's rows that count an op: its name and types, and its name with the op whose hidden result it takes.
std::vector<std::string> RowsOf(const Program& program, const OpApplication& op) {
  std::vector<std::string> rows;
  for (const ValueRef ref : op.operands) {
    if (ref.kind != ValueRef::Kind::kOp || IsReturned(program, ref)) continue;
    if (rows.empty()) {
      rows.push_back("all");
      rows.push_back(absl::StrCat(Name(op.op), " ", ToString(TypesOf(program, op))));
    }
    const std::string pattern = absl::StrCat(Name(op.op), "(", Name(program.ops[ref.index].op), ")");
    if (rows.back() != pattern) rows.push_back(pattern);
  }
  return rows;
}

void Count(const AllowedSet& set, bool certain, Widths& widths) {
  ++widths.elements;
  widths.certain += certain;
  widths.undefined += set.IsUndefined();
  if (set.IsEverything()) return;
  if (IsMostOf(set.type(), set.Count() - 1)) {
    ++widths.open;
    return;
  }
  ++widths.judged;
  widths.counts.push_back(set.Count());
}

uint64_t Measure(const Case& test_case, Table& table) {
  const Program& program = test_case.program;
  uint64_t sets_made = 0;
  for (size_t run = 0; run < test_case.runs.size(); ++run) {
    const Policies policies;
    std::optional<RunSets> sets =
        RunSets::Of(test_case, run, std::vector<const Tensor*>(program.ops.size(), nullptr), policies);
    if (!sets) continue;
    for (const ValueRef ref : program.results) {
      if (ref.kind != ValueRef::Kind::kOp) continue;
      const std::vector<std::string> rows = RowsOf(program, program.ops[ref.index]);
      if (rows.empty()) continue;
      const auto count = static_cast<size_t>(ElementCount(sets->sizes(ref.index)));
      for (size_t i = 0; i < count; ++i) {
        const AllowedSet set = sets->Allowed(ref.index, i);
        ++sets_made;
        const bool certain = sets->OnlyOperandsOf(ref.index, i).has_value();
        for (const std::string& row : rows) Count(set, certain, table[row]);
      }
    }
  }
  return sets_made;
}

void Print(Table& table) {
  std::printf("%-44s %10s %8s %8s %10s %10s %14s\n", "result", "elements", "judged", "open", "undefined", "of one",
              "median allowed");
  for (auto& [name, widths] : table) {
    const auto percent = [&](uint64_t part) {
      return 100.0 * static_cast<double>(part) / static_cast<double>(widths.elements);
    };
    std::sort(widths.counts.begin(), widths.counts.end());
    const uint64_t median = widths.counts.empty() ? 0 : widths.counts[widths.counts.size() / 2];
    std::printf("%-44s %10llu %7.1f%% %7.2f%% %9.1f%% %9.1f%% %14llu\n", name.c_str(),
                static_cast<unsigned long long>(widths.elements), percent(widths.judged), percent(widths.open),
                percent(widths.undefined), percent(widths.certain), static_cast<unsigned long long>(median));
  }
}

int Main(int argc, char** argv) {
  const uint64_t cases = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  GeneratorOptions options;
  options.illegal_percent = 0;
  options.beyond_spec_percent = 0;
  Table table;
  uint64_t sets = 0;
  double seconds = 0;
  for (uint64_t i = 0; i < cases; ++i) {
    const Case test_case = GenerateCase(seed, i, options);
    const auto start = std::chrono::steady_clock::now();
    sets += Measure(test_case, table);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  Print(table);
  if (sets > 0)
    std::printf("%.2f us for an element, the values before it included\n", 1e6 * seconds / static_cast<double>(sets));
  return 0;
}

}  // namespace
}  // namespace tosaic

int main(int argc, char** argv) { return tosaic::Main(argc, argv); }
