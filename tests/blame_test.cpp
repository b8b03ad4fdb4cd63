// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function or pattern of the real MLIR is blamed for its divergences.
#include "diagnosis/blame.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
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

struct Wrong {
  const char* name;
  const char* blamed;  // a part of the first name; "": none, for the pass itself is to blame
  Guilt guilt;
  const char* pass = "";  // a part of the name of the only suspect among the passes
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
  if (*GetParam().blamed == '\0') {
    EXPECT_EQ(ProvedToBlame(*blame), "") << text;
    return;
  }
  ASSERT_FALSE(blame->rewrites.empty()) << text;
  EXPECT_TRUE(absl::StrContains(blame->rewrites.front().name, GetParam().blamed)) << text;
  EXPECT_EQ(blame->rewrites.front().guilt, GetParam().guilt) << text;
  const bool is_proved = GetParam().guilt == Guilt::kProved;
  EXPECT_EQ(ProvedToBlame(*blame), is_proved ? blame->rewrites.front().name : "");
  EXPECT_TRUE(
      absl::StrContains(text, absl::StrCat(is_proved ? "blame:     " : "suspect:   ", blame->rewrites.front().name)))
      << text;
}

// A fold, a pattern, a crash, illegal IR, a verifier that accepts too much, a pattern that lowers, a pass without
// patterns; where several runs are right without one, the one of the op at fault.
INSTANTIATE_TEST_SUITE_P(
    Each, BlameOf,
    testing::Values(Wrong{"mul-zero-fold-infinity", "mlir::tosa::MulOp::fold", Guilt::kProved},
                    Wrong{"abs-abs-type", "mlir::tosa::AbsOp::fold", Guilt::kProved},
                    Wrong{"select-folded-condition-type", "mlir::tosa::SelectOp::fold", Guilt::kProved},
                    Wrong{"greater-fold-unranked-crash", "mlir::tosa::GreaterOp::fold", Guilt::kProved},
                    Wrong{"clamp-infinity-canonicalize", "ClampIsNoOp", Guilt::kProved, "canonicalize"},
                    Wrong{"clamp-unranked-canonicalize-crash", "ClampIsNoOp", Guilt::kSuspected, "canonicalize"},
                    Wrong{"mul-sequence-narrowing", "NarrowElementwise", Guilt::kProved, "arith-int-range-narrowing"},
                    Wrong{"mul-constant-fold-ui8", "mlir::tosa::MulOp::fold", Guilt::kSuspected},
                    Wrong{"mul-result-shape", "mlir::tosa::MulOp::verify", Guilt::kSuspected},
                    Wrong{"reshape-size-zero-and-rest", "mlir::tosa::ReshapeOp::inferReturnTypeComponents",
                          Guilt::kProved},
                    Wrong{"mul-run-time-shift-illegal-ir", "PointwiseConverter<mlir::tosa::MulOp>", Guilt::kSuspected,
                          "tosa-to-linalg"},
                    Wrong{"tanh-math-expanded-zero", "", Guilt::kCleared, "math-expand-ops"},
                    Wrong{"intdiv-sequence-fused-vectorized", "", Guilt::kCleared, "affine-super-vectorize"}),
    [](const testing::TestParamInfo<Wrong>& info) { return absl::StrReplaceAll(info.param.name, {{"-", "_"}}); });

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
