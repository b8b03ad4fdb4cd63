// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function or pattern of the real MLIR is blamed for its divergences.
#include "diagnosis/blame.h"

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "checking/files.h"
#include "gtest/gtest.h"
#include "toolchain/coverage/function_switch.h"
#include "toolchain/coverage/watch_list.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

absl::StatusOr<Blame> BlameFor(const std::string& name) {
  const absl::StatusOr<Case> read = ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", name, ".json"));
  if (!read.ok()) return read.status();
  const auto toolchain = CreateMlirToolchain();
  if (!toolchain.ok()) return toolchain.status();
  const auto functions = FunctionSwitch::Of(kMlirLibrary);
  if (!functions.ok()) return functions.status();
  RewriteSwitch* const switches[] = {functions->get(), (*toolchain)->rewrites()};
  return BlameRewrites(**toolchain, switches, *read, {}, {}, 2);
}

// The rows of tests/blamed.txt: whom the page of findings names, by case.
std::map<std::string, std::string> NamedByThePage() {
  std::map<std::string, std::string> named;
  std::ifstream file(absl::StrCat(TOSAIC_SOURCE_DIR, "/tests/blamed.txt"));
  for (std::string line; std::getline(file, line);) {
    if (!absl::StartsWith(line, "#")) named.insert(absl::StrSplit(line, absl::MaxSplits(' ', 1)));
  }
  return named;
}

struct Wrong {
  const char* name;
  Guilt guilt;                // of the first; kCleared: there is none, for the pass itself is to blame
  const char* pass = "";      // a part of the name of the only suspect among the passes
  const char* function = "";  // if the page names none
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class BlameOf : public testing::TestWithParam<Wrong> {};

TEST_P(BlameOf, NamesTheFunction) {
  const absl::StatusOr<Blame> blame = BlameFor(absl::StrCat("regressions/", GetParam().name));
  ASSERT_TRUE(blame.ok()) << blame.status();
  const std::string text = ToText(*blame);
  if (*GetParam().pass != '\0') {
    ASSERT_EQ(blame->bisection->suspects.size(), 1u) << text;
    EXPECT_TRUE(absl::StrContains(text, absl::StrCat("pass:      ", GetParam().pass))) << text;
  }
  if (GetParam().guilt == Guilt::kCleared) {
    EXPECT_EQ(ProvedToBlame(*blame), "") << text;
    return;
  }
  const std::string function = *GetParam().function != '\0' ? GetParam().function : NamedByThePage()[GetParam().name];
  ASSERT_NE(function, "");
  ASSERT_FALSE(blame->rewrites.empty()) << text;
  EXPECT_TRUE(absl::StrContains(blame->rewrites.front().name, function)) << text;
  EXPECT_EQ(blame->rewrites.front().guilt, GetParam().guilt) << text;
  const bool is_proved = GetParam().guilt == Guilt::kProved;
  EXPECT_EQ(ProvedToBlame(*blame), is_proved ? blame->rewrites.front().name : "");
  EXPECT_TRUE(
      absl::StrContains(text, absl::StrCat(is_proved ? "blame:     " : "suspect:   ", blame->rewrites.front().name)))
      << text;
}

// A fold, a pattern, a crash, illegal IR, verifiers that accept too much or refuse what a pass leaves, inference,
// patterns that lower, one beside the fold of its op, a fold whose part another pass takes, a pattern that changes
// nothing but values, passes without patterns; where several runs are right without one, the one of the op at fault.
INSTANTIATE_TEST_SUITE_P(
    Each, BlameOf,
    testing::Values(Wrong{"mul-zero-fold-infinity", Guilt::kProved},
                    Wrong{"select-folded-condition-type", Guilt::kProved},
                    Wrong{"greater-fold-unranked-crash", Guilt::kProved},
                    Wrong{"clamp-infinity-canonicalize", Guilt::kProved, "canonicalize"},
                    Wrong{"clamp-unranked-canonicalize-crash", Guilt::kSuspected, "canonicalize"},
                    Wrong{"mul-sequence-narrowing", Guilt::kProved, "arith-int-range-narrowing", "NarrowElementwise"},
                    Wrong{"mul-constant-fold-ui8", Guilt::kSuspected}, Wrong{"mul-result-shape", Guilt::kSuspected},
                    Wrong{"table-refined-operand", Guilt::kSuspected, "tosa-infer-shapes"},
                    Wrong{"reshape-size-zero-and-rest", Guilt::kProved},
                    Wrong{"mul-run-time-shift-illegal-ir", Guilt::kSuspected, "tosa-to-linalg"},
                    // Its verifier refuses what the fold made, once the types are inferred.
                    Wrong{"sub-zero-fold-illegal-ir", Guilt::kProved, "", "mlir::tosa::SubOp::fold"},
                    // Without this fold there is no clone from rank 0 to a type without a rank, which the pattern that
                    // the page names gets wrong.
                    Wrong{"cast-rank-0-constant-dealloc", Guilt::kProved, "convert-bufferization-to-memref",
                          "mlir::bufferization::CloneOp::fold"},
                    Wrong{"reciprocal-constant-fold-dynamic-constant", Guilt::kSuspected, "canonicalize"},
                    Wrong{"identity-result-more-general", Guilt::kSuspected, "tosa-to-linalg"},
                    Wrong{"tanh-math-expanded-zero", Guilt::kCleared, "math-expand-ops"}),
    [](const testing::TestParamInfo<Wrong>& info) { return absl::StrReplaceAll(info.param.name, {{"-", "_"}}); });

TEST(Blame, TheTableIsOfCasesOfThePage) {
  EXPECT_GT(NamedByThePage().size(), 100u);
  for (const auto& [name, function] : NamedByThePage()) {
    const absl::StatusOr<Case> read = ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json"));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(absl::StartsWith(read->origin, "docs/findings.md: ")) << name;
    EXPECT_NE(function, "") << name;
  }
}

TEST(Blame, NamesNobodyForWhatIsRight) {
  EXPECT_EQ(BlameFor("spec/rfc.case.add-2d-all-dynamic").status().message(),
            "the verdict is agree; only a divergence can be blamed on a function");
}

TEST(FunctionSwitch, SeesNothingWhereNothingRuns) {
  const auto functions = FunctionSwitch::Of(kMlirLibrary);
  ASSERT_TRUE(functions.ok()) << functions.status();
  const auto nothing = (*functions)->RanIn([] {});
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_TRUE(nothing->empty());
  EXPECT_EQ(FunctionSwitch::Of("libnothing.so").status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tosaic
