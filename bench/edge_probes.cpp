// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes the oracle at the edges of what the specification allows (tests/edge_probes/probes.h), as many times as one
// likes. Run by hand: build/release/bench/edge_probes [probes] [seed] [first]. Prints a row for each computation that
// was judged wrongly, the first such probes, and the totals; its status is 1 if anything right was blamed, or if
// something wrong was accepted although all values were returned. One probe alone is printed with its case and
// observation.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "codec/codec.h"
#include "tests/edge_probes/probes.h"

namespace tosaic::edge_probes {
namespace {

void Print(const std::string& name, const Counts& counts) {
  std::printf("%-24s %8lu %6lu %8lu %8lu %8lu %8lu %9lu %7lu\n", name.c_str(), counts.allowed, counts.blamed,
              counts.outside, counts.accepted, counts.hidden_outside, counts.hidden_accepted, counts.hidden_explained,
              counts.hidden_undecided);
}

int Main(int argc, char** argv) {
  const auto number = [&](int i, uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const uint64_t count = number(1, 300000), seed = number(2, 1), first = number(3, 0);
  if (const std::optional<Probe> probe = count == 1 ? Make(seed, first) : std::nullopt)
    std::printf("%s\n%s\n", ToLine(probe->test_case).c_str(), ToLine(probe->observation).c_str());
  const Result result = JudgeProbes(seed, first, count);
  std::printf("%-24s %8s %6s | returned: wrong, accepted | hidden: wrong, accepted, explained, unknown\n", "last op",
              "allowed", "blamed");
  std::map<std::string, Counts> by_op;
  for (const auto& [cause, counts] : result.by_cause) by_op[cause.substr(0, cause.find('('))] += counts;
  for (const auto& [op, counts] : by_op) Print(op, counts);
  for (const auto* complaints : {&result.hidden_complaints, &result.complaints}) {
    for (const std::string& complaint : *complaints) std::printf("%s\n", complaint.c_str());
  }
  const Counts total = result.Total();
  Print("all", total);
  std::printf("%lu numbers left out: their data leave an element open\n", result.left_out);
  return total.blamed + total.accepted > 0 ? 1 : 0;
}

}  // namespace
}  // namespace tosaic::edge_probes

int main(int argc, char** argv) { return tosaic::edge_probes::Main(argc, argv); }
