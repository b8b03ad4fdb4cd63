// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/proof_comparison.h"

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

ProofRow Proof(const std::string& op, ProofVerdict verdict, const std::string& why = "",
               const std::string& execution = "") {
  ProofRow row;
  row.op = op;
  row.types = "i32";
  row.verdict = verdict;
  row.why = why;
  row.execution = execution;
  return row;
}

TEST(ProofComparisonTest, SaysWhatAPatchChanges) {
  using enum ProofVerdict;
  ProofSummary base, patch;
  base.rows = {Proof("abs", kProved),          Proof("add", kProved), Proof("clz", kProved),
               Proof("mul", kUnknown, "time"), Proof("sub", kProved), Proof("pow", kRefuted, "x", "agree")};
  patch.rows = {Proof("abs", kProved),          Proof("add", kRefuted, "not for 1", "wrong-value [value.add]"),
                Proof("clz", kUnknown, "time"), Proof("mul", kProved),
                Proof("intdiv", kProved),       Proof("pow", kRefuted, "y", "agree")};
  patch.rows[1].inputs = {"0x01", "0x02"};
  const ProofComparison comparison = CompareProofs(base, patch);
  EXPECT_EQ(ToText(comparison),
            "regressed add i32: proved -> refuted: not for 1 at 0x01, 0x02; run: wrong-value [value.add]\n"
            "changed   clz i32: proved -> unknown: time\n"
            "changed   mul i32: unknown -> proved\n"
            "not compared: intdiv i32: one of them lacks it\n"
            "not compared: sub i32: one of them lacks it\n"
            "5 proofs compared, 3 changed, 1 regressed\n");
  EXPECT_EQ(ToJson(comparison)["changes"][0]["regressed"], true);
}

TEST(ProofComparisonTest, FaultsOfTheHarnessAreTold) {
  ProofSummary base, patch;
  patch.harness_faults = {"add i32: boo"};
  EXPECT_EQ(ToText(CompareProofs(base, patch)),
            "harness fault: patch: add i32: boo\n0 proofs compared, 0 changed, 0 regressed\n");
}

}  // namespace
}  // namespace tosaic
