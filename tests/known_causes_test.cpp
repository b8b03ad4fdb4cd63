// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of known divergences against the corpus: each cause's patterns match the findings of that cause's own cases,
// and no other's. A pattern that is too wide hides what is new; one that is too narrow reports what is known.
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "checking/check_case.h"
#include "checking/circumstances.h"
#include "checking/files.h"
#include "checking/known_divergences.h"
#include "checking/library_function.h"
#include "gtest/gtest.h"
#include "toolchain/execution/cpu_client.h"
#include "toolchain/external/external_toolchain.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

const std::string kCorpus = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus");

struct Shown {
  std::string file, cause;
  CheckedCase checked;
  Circumstances circumstances;
};

class KnownCauses : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ToolchainOptions options;
    options.library_function = OracleLibrary();
    const std::unique_ptr<Toolchain> toolchain = CreateMlirToolchain(options).value();
    known_ =
        KnownDivergences::FromFile(kCorpus + "/known-divergences.json").value().For(toolchain->description().version);
    const std::vector<std::string> files = CaseFilesAt({kCorpus + "/regressions"}).value();
    for (const std::string& file : files) {
      const Case test_case = ReadCase(file).value();
      Shown shown{.file = std::filesystem::path(file).filename(),
                  .cause = std::string(absl::StripPrefix(test_case.origin, "docs/findings.md: ")),
                  .checked = CheckCase(*toolchain, test_case, {}, {})};
      if (shown.checked.signature.empty()) continue;  // of other versions
      shown.circumstances =
          CircumstancesOf(shown.checked.signature, shown.checked.twin ? *shown.checked.twin : test_case,
                          toolchain->description().PipelineOf(test_case.route));
      shown_.push_back(std::move(shown));
    }
  }

  static inline KnownDivergences known_;
  static inline std::vector<Shown> shown_;
};

TEST_F(KnownCauses, APatternMatchesItsOwnFindingsAndNoOther) {
  EXPECT_GT(shown_.size(), 40u);
  for (const Shown& shown : shown_) {
    for (const KnownDivergences::Entry& entry : known_.entries()) {
      if (!entry.Matches(shown.checked.signature, shown.circumstances)) continue;
      EXPECT_EQ(entry.cause, shown.cause) << shown.file << " is matched by " << entry.signature;
    }
  }
}

TEST_F(KnownCauses, WhatTheCorpusShowsIsKnown) {
  for (const Shown& shown : shown_) {
    const KnownDivergences::Entry* entry = known_.Find(shown.checked.signature, shown.circumstances);
    EXPECT_NE(entry, nullptr) << shown.file << ": " << ToString(shown.checked.signature);
  }
}

// A cast that loses a sign, or overflows, hid behind one that rounds twice: every wrong cast from i32 to bf16 was
// known.
TEST_F(KnownCauses, OnlyTheNeighbouringNumberIsRoundedTwice) {
  const auto is_known = [](const char* detail) {
    return known_.Find(ParseFindingSignature(
                           absl::StrCat("wrong-value/cast/i32-bf16/loops/value.cast.integer-to-float/", detail)),
                       {}) != nullptr;
  };
  EXPECT_TRUE(is_known("number-for-number"));
  EXPECT_FALSE(is_known("far-number-for-number"));
  EXPECT_FALSE(is_known("inf-for-number"));
  EXPECT_FALSE(is_known("nan-for-number"));
}

// So did a negation that is left out, behind one that is not clipped.
TEST_F(KnownCauses, OnlyTheLimitIsNotClipped) {
  Circumstances circumstances;
  circumstances.ops = {"negate(negate(x))"};
  const auto is_known = [&](const char* detail) {
    const std::string text = absl::StrCat("wrong-value/negate/i8/loops/value.negate/", detail);
    return known_.Find(ParseFindingSignature(text), circumstances) != nullptr;
  };
  EXPECT_TRUE(is_known("number-for-number"));
  EXPECT_FALSE(is_known("far-number-for-number"));
}

// Of the trait alone the cases are probes, in corpus/spec; R6 shows where the CPU has AVX512-BF16, F20 by chance.
TEST_F(KnownCauses, EachNamesCasesThatShowIt) {
  std::set<std::string> shown;
  for (const Shown& shown_case : shown_)
    shown.insert(absl::StrCat(shown_case.cause, " corpus/regressions/", shown_case.file));
  std::set<std::string> without;
  for (const KnownDivergences::Entry& entry : known_.entries()) without.insert(entry.cause);
  for (const KnownDivergences::Entry& entry : known_.entries()) {
    for (const std::string& file : entry.cases) {
      EXPECT_TRUE(shown.contains(absl::StrCat(entry.cause, " ", file))) << entry.cause << ": " << file;
      without.erase(entry.cause);
    }
  }
  EXPECT_EQ(without, (std::set<std::string>{"F20", "R6", "T1", "T2", "T3", "T4"}));
}

// Holds the cases of the entries that `is_meant` picks, of those that are about the toolchain, to their own cause and
// no other. Returns how many cases there are.
template <typename Predicate>
size_t ExpectEachCaseShowsItsCauseAlone(Toolchain& toolchain, Predicate is_meant) {
  const ToolchainDescription& description = toolchain.description();
  const KnownDivergences known =
      KnownDivergences::FromFile(kCorpus + "/known-divergences.json").value().For(description.version, description.cpu);
  std::map<std::string, std::string> causes;  // by file
  for (const KnownDivergences::Entry& entry : known.entries()) {
    if (!is_meant(entry)) continue;
    for (const std::string& file : entry.cases) causes[file] = entry.cause;
  }
  for (const auto& [file, cause] : causes) {
    const Case test_case = ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/", file)).value();
    const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
    EXPECT_FALSE(checked.signature.empty()) << file << " shows nothing of " << cause;
    const Circumstances circumstances =
        CircumstancesOf(checked.signature, test_case, description.PipelineOf(test_case.route));
    std::set<std::string> matched;
    for (const KnownDivergences::Entry& entry : known.entries()) {
      if (entry.Matches(checked.signature, circumstances)) matched.insert(entry.cause);
    }
    EXPECT_EQ(matched, std::set<std::string>{cause}) << file << ": " << ToString(checked.signature);
  }
  return causes.size();
}

// Older versions have tools alone, and causes of their own.
class KnownCausesOfTools : public testing::TestWithParam<const char*> {};

TEST_P(KnownCausesOfTools, EachCaseShowsItsCauseAndNoOther) {
  const absl::StatusOr<ExternalTools> tools = FindTools(GetParam());
  if (!tools.ok()) GTEST_SKIP() << "not tried: " << tools.status();
  const std::unique_ptr<Toolchain> toolchain = CreateExternalToolchain(*tools).value();
  EXPECT_GE(ExpectEachCaseShowsItsCauseAlone(*toolchain, [](const KnownDivergences::Entry&) { return true; }), 15u);
}

TEST(KnownCausesOfCpus, EachCaseShowsItsCauseAndNoOther) {
  ToolchainOptions options;
  absl::StatusOr<CpuSettings> cpu = FindCpuServer("aarch64", WorkerLimits(), TOSAIC_SERVERS);
  if (!cpu.ok()) GTEST_SKIP() << "not tried: " << cpu.status();
  options.cpu = *std::move(cpu);
  const std::unique_ptr<Toolchain> toolchain = CreateMlirToolchain(options).value();
  EXPECT_GE(ExpectEachCaseShowsItsCauseAlone(*toolchain, [](const auto& entry) { return !entry.cpus.empty(); }), 3u);
}

INSTANTIATE_TEST_SUITE_P(OlderVersions, KnownCausesOfTools, testing::Values("mlir-16-tools", "mlir-19-tools"),
                         [](const auto& info) { return absl::StrReplaceAll(info.param, {{"-", "_"}}); });

}  // namespace
}  // namespace tosaic
