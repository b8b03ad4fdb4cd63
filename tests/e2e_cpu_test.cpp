// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --cpu as a user gives it. What runs on another CPU is skipped where its server is not built.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/cpus.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

std::string Regression(absl::string_view name) {
  return absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json");
}

class E2eCpu : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (absl::StrContains(RunTosaic({"check", kGoodCase, cpu_}).err, "there is no")) GTEST_SKIP() << "not built";
  }
  const std::string cpu_ = absl::StrCat("--cpu=", GetParam());
};

TEST_P(E2eCpu, CasesAreCheckedThere) {
  const Ran good = RunTosaic({"check", kGoodCase, cpu_});
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  // A folder's mistake stands on every CPU.
  const Ran bad = RunTosaic({"check", Regression("mul-zero-fold-infinity"), cpu_});
  EXPECT_EQ(bad.status, 1) << bad.out << bad.err;
  EXPECT_TRUE(absl::StrContains(bad.out, "value.mul")) << bad.out;
  // The library of a route that calls one stays in this process.
  EXPECT_EQ(RunTosaic({"check", kGoodCase, cpu_, "--route=library-call"}).status, 0);
  const Ran apfloat = RunTosaic({"check", kGoodCase, cpu_, "--route=apfloat"});
  EXPECT_TRUE(absl::StrContains(absl::StrCat(apfloat.out, apfloat.err), "apfloat")) << apfloat.out << apfloat.err;
}

// On riscv64 the second calls conversions of f16, of which the cross compiler's libraries have none.
TEST_P(E2eCpu, AFolderOfAReproducerRunsThere) {
  for (const char* name : {"ceil-math-expanded-large", "sin-math-polynomial-zero"}) {
    TemporaryDirectory temporary;
    const std::string folder = temporary / "folder";
    const Ran ran = RunTosaic({"reproduce", Regression(name), cpu_, "--as-is", "--out=" + folder});
    ASSERT_EQ(ran.status, 1) << ran.out << ran.err;
    const int status = std::system(absl::StrCat("bash ", folder, "/repro.sh > ", temporary / "said", " 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << Slurp(temporary / "said");
    EXPECT_TRUE(absl::StrContains(Slurp(temporary / "said"), "actual:")) << Slurp(temporary / "said");
  }
}

TEST_P(E2eCpu, ACampaignThereIsAnotherOne) {
  TemporaryDirectory temporary;
  const std::vector<std::string> campaign = {"fuzz",     "--seed=7",    "--cases=12",
                                             "--jobs=1", "--no-reduce", absl::StrCat("--out=", temporary / "work")};
  std::vector<std::string> there = campaign;
  there.push_back(cpu_);
  const Ran ran = RunTosaic(there);
  EXPECT_LE(ran.status, 1) << ran.err;
  const std::string cpu = SummaryIn(temporary / "work")["provenance"]["cpu"].get<std::string>();
  EXPECT_TRUE(absl::StartsWith(cpu, absl::StrCat(GetParam(), " (glibc "))) << cpu;
  const Ran here = RunTosaic(campaign);
  EXPECT_EQ(here.status, 2) << here.out << here.err;
}

INSTANTIATE_TEST_SUITE_P(All, E2eCpu, testing::ValuesIn(CpuNames()), [](const auto& info) { return info.param; });

TEST(E2eCpuFlags, WhatIsNotThereIsNamed) {
  const Ran vax = RunTosaic({"check", kGoodCase, "--cpu=vax"});
  EXPECT_EQ(vax.status, 2);
  EXPECT_TRUE(absl::StrContains(vax.err, "aarch64")) << vax.err;
  const Ran types = RunTosaic({"sweep", "--cpu=aarch64"});
  EXPECT_EQ(types.status, 2) << types.err;
}

}  // namespace
}  // namespace tosaic
