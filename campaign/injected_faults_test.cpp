// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand faults in a campaign of 3,000 cases, in two parts: each fault is its own case's, every other verdict is
// that of the undisturbed campaign, nothing is lost, and nothing is there twice.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "campaign/campaign.h"
#include "campaign/case_record.h"
#include "gtest/gtest.h"
#include "tests/adder_campaign.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

constexpr uint64_t kManyCases = 3000;

uint64_t NumberOf(const Case& test_case) {
  for (absl::string_view word : absl::StrSplit(test_case.origin, ' ')) {
    uint64_t number = 0;
    if (absl::ConsumePrefix(&word, "case=") && absl::SimpleAtoi(word, &number)) return number;
  }
  ADD_FAILURE() << test_case.origin;
  return 0;
}

struct Fault {
  Verdict verdict;  // what the case must have
  void (*happens)(Observation* observation, bool is_first_time);
};

void Die(int signal_number) {
  signal(signal_number, SIG_DFL);  // a sanitizer's own handler would make an exit of it
  raise(signal_number);
}

// Rare ones: they take seconds, or much memory.
const Fault kHang = {Verdict::kTimeout, [](Observation*, bool) {
                       volatile bool forever = true;
                       while (forever) {
                       }
                     }};
const Fault kEatsMemory = {Verdict::kCrash, [](Observation*, bool) {
                             static std::vector<std::string> eaten;
                             while (true) eaten.push_back(std::string(size_t{16} << 20, 'x'));
                           }};
const Fault kFaults[] = {
    {Verdict::kCrash, [](Observation*, bool) { Die(SIGABRT); }},
    {Verdict::kCrash, [](Observation*, bool) { Die(SIGSEGV); }},
    {Verdict::kCrash, [](Observation*, bool) { _exit(0); }},
    // From outside: it does not happen again.
    {Verdict::kAgree,
     [](Observation*, bool is_first_time) {
       if (is_first_time) kill(getpid(), SIGKILL);
     }},
    {Verdict::kAgree,
     [](Observation*, bool) {
       std::printf("{\"case\": 1, \"verdict\": \"agree\"}\n%c%c", 0, 0x1b);
       std::fflush(stdout);
       std::fprintf(stderr, "no result at all\n");
     }},
    {Verdict::kAgree, [](Observation*, bool) { usleep(3000); }},
    {Verdict::kWrongValue,
     [](Observation* observation, bool) {
       Tensor& tensor = observation->runs[0].results[0].tensor;
       for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, tensor.Bits(i) ^ 1);
     }},
    {Verdict::kLeak, [](Observation* observation, bool) { observation->runs[0].leaked_buffers = 1; }},
    {Verdict::kUninitializedResult,
     [](Observation* observation, bool) { observation->runs[0].results[0].unwritten = {0}; }},
    {Verdict::kMemoryFault,
     [](Observation* observation, bool) {
       observation->outcome = Outcome::kMemoryFault;
       observation->runs.clear();
       observation->fault = MemoryFault{.region = "operand 0", .offset = 8, .region_bytes = 8};
     }},
};

// Every third case has one.
const Fault* FaultOf(uint64_t number) {
  if (number % 3 != 0) return nullptr;
  if (number == 30) return &kHang;
  if (number % 300 == 60) return &kEatsMemory;
  return &kFaults[number / 3 % std::size(kFaults)];
}

CampaignOptions FaultOptions(const std::string& out) {
  CampaignOptions options = AdditionsInto(out);
  options.cases = kManyCases;
  options.jobs = 2;
  options.reduce = false;
  options.limits = {.cpu_seconds = 1, .wall_seconds = 60, .memory_bytes = uint64_t{256} << 20};
  options.generator.runs = 1;
  return options;
}

TEST(InjectedFaults, AThousandAreEachTheirOwnCases) {
  TemporaryDirectory undisturbed, disturbed;
  AdderToolchain honest;
  ASSERT_TRUE(RunCampaign(honest, FaultOptions(undisturbed.path()), nullptr).ok());
  const std::map<uint64_t, CaseRecord> expected = ReadJournal(undisturbed.path());
  ASSERT_EQ(expected.size(), kManyCases);

  Shared<std::array<std::atomic<int>, kManyCases>> begun;  // how often each case had its fault
  MisbehavingToolchain faulty([&](const Case& test_case, Observation* observation) {
    // A case with undefined data may end in any way, so that a fault in it would be no finding.
    if (absl::EndsWith(test_case.origin, "intent=undefined-data")) return;
    const uint64_t number = NumberOf(test_case);
    if (const Fault* fault = FaultOf(number)) fault->happens(observation, (*begun)[number]++ == 0);
  });
  // The first half, then the same campaign once more.
  CampaignOptions half = FaultOptions(disturbed.path());
  half.cases = kManyCases / 2;
  ASSERT_TRUE(RunCampaign(faulty, half, nullptr).ok());
  const absl::StatusOr<CampaignSummary> summary = RunCampaign(faulty, FaultOptions(disturbed.path()), nullptr);
  ASSERT_TRUE(summary.ok()) << summary.status();
  const std::map<uint64_t, CaseRecord> records = ReadJournal(disturbed.path());
  ASSERT_EQ(records.size(), kManyCases);
  EXPECT_TRUE(summary->harness_faults.empty()) << summary->harness_faults.front().text;

  uint64_t faults = 0;
  for (const auto& [number, record] : records) {
    const CaseRecord& before = expected.at(number);
    const Fault* fault = (*begun)[number] > 0 ? FaultOf(number) : nullptr;
    const Verdict verdict = fault != nullptr ? fault->verdict : before.verdict;
    EXPECT_EQ(Name(record.verdict), Name(verdict)) << "case " << number << " " << ToString(record.rule);
    if (verdict == Verdict::kAgree) EXPECT_EQ(record.compared, before.compared) << number;
    faults += fault != nullptr ? 1 : 0;
  }
  EXPECT_GT(faults, 900u) << "of 1,000 cases some are undefined";
}

// Wrong when it is observed and when it is replayed, and right from then on.
TEST(InjectedFaults, AFindingThatNoLongerShowsSaysSo) {
  TemporaryDirectory out;
  Shared<std::atomic<int>> times;
  MisbehavingToolchain fickle([&](const Case& test_case, Observation* observation) {
    if (NumberOf(test_case) != 0 || observation->runs.empty() || (*times)++ >= 2) return;
    Tensor& tensor = observation->runs[0].results[0].tensor;
    for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, tensor.Bits(i) ^ 1);
  });
  CampaignOptions options = FaultOptions(out.path());
  options.cases = 1;
  const absl::StatusOr<CampaignSummary> summary = RunCampaign(fickle, options, nullptr);
  ASSERT_TRUE(summary.ok()) << summary.status();
  ASSERT_EQ(summary->findings.size(), 1u);
  EXPECT_EQ(summary->findings[0].signature.verdict, Verdict::kWrongValue) << "twice it was";
  EXPECT_EQ(summary->findings[0].judgement.rule, RuleId::kHarnessNotRepeatable);
  EXPECT_TRUE(absl::EndsWith(summary->findings[0].judgement.actual, " became agree"));
}

// A pattern for each case, which fires whenever the case is observed.
class PatternOfEachCase : public PatternWatcher {
 public:
  static constexpr uint64_t kCases = 64;

  static std::string NameOf(uint64_t number) { return absl::StrCat("pattern-", number); }
  void Watch(std::function<void(absl::string_view)> on_pattern) override { on_pattern_ = std::move(on_pattern); }
  std::vector<std::string> Patterns() override {
    std::vector<std::string> names;
    for (uint64_t i = 0; i < kCases; ++i) names.push_back(NameOf(i));
    return names;
  }
  void Fire(uint64_t number) const {
    if (on_pattern_) on_pattern_(NameOf(number));
  }

 private:
  std::function<void(absl::string_view)> on_pattern_;
};

TEST(InjectedFaults, ACaseWhoseWorkerWasKilledShowsItsPatterns) {
  TemporaryDirectory undisturbed, disturbed;
  PatternOfEachCase patterns;
  constexpr int kKills = 4;  // the pool has given up on it then, and the campaign replays it alone
  Shared<std::array<std::atomic<int>, PatternOfEachCase::kCases>> begun;
  const auto never_fired = [&](const std::string& out, bool kills) {
    MisbehavingToolchain toolchain(
        [&, kills](const Case& test_case, Observation*) {
          const uint64_t number = NumberOf(test_case);
          patterns.Fire(number);
          if (kills && (*begun)[number]++ < kKills) kill(getpid(), SIGKILL);
        },
        {.patterns = &patterns});
    CampaignOptions options = FaultOptions(out);
    options.cases = PatternOfEachCase::kCases;
    const absl::StatusOr<CampaignSummary> summary = RunCampaign(toolchain, options, nullptr);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.ok() ? summary->coverage.never_fired : std::vector<std::string>();
  };
  const std::vector<std::string> expected = never_fired(undisturbed.path(), false);
  EXPECT_LT(expected.size(), PatternOfEachCase::kCases) << "some cases are watched";
  EXPECT_EQ(never_fired(disturbed.path(), true), expected);
}

}  // namespace
}  // namespace tosaic
