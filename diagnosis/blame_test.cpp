// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

// One rewrite of that guilt, which runs in the passes that bisection suspects.
Blame BlameOf(Guilt guilt, std::vector<size_t> suspects) {
  Blame blame;
  blame.rewrites = {{.name = "AddOp::fold", .guilt = guilt}};
  if (!suspects.empty()) {
    blame.bisection.emplace();
    blame.bisection->passes = {{.text = "canonicalize{a=b}"}, {.text = "cse"}};
    blame.bisection->suspects = std::move(suspects);
  }
  return blame;
}

// A pass that nobody proved looked like a function that was, and where there was a suspect alone, nothing was said.
TEST(ShortBlame, TellsProofFromSuspicion) {
  EXPECT_EQ(InShort(BlameOf(Guilt::kProved, {0})).proved, "AddOp::fold");
  const ShortBlame pass = InShort(BlameOf(Guilt::kSuspected, {0}));
  EXPECT_EQ(pass.proved, "");
  EXPECT_EQ(pass.suspect, "canonicalize");
  EXPECT_EQ(InShort(BlameOf(Guilt::kSuspected, {0, 1})).suspect, "AddOp::fold");
  EXPECT_EQ(InShort(BlameOf(Guilt::kSuspected, {})).suspect, "AddOp::fold");
  const ShortBlame nobody = InShort(BlameOf(Guilt::kCleared, {0, 1}));
  EXPECT_EQ(nobody.proved + nobody.suspect, "");
  EXPECT_NE(nobody.nobody, "");
}

}  // namespace
}  // namespace tosaic
