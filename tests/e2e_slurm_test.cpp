// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ci/slurm/campaign.sh with a sbatch that runs the jobs at once, here and in turn; ci/rehearse_slurm.sh tries a real
// Slurm.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/shell_word.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

constexpr char kSbatch[] = R"(#!/bin/bash
last=0
for argument; do
  case $argument in
    --array=*) last=${argument##*-} ;;
    --output=*) log=${argument#*=} ;;
  esac
done
job=$(cat)
for ((i = 0; i <= last; ++i)); do
  SLURM_ARRAY_TASK_ID=$i bash -c "$job" >> "${log//%a/$i}" 2>&1
done
echo 7
)";

class E2eSlurm : public testing::Test {
 protected:
  E2eSlurm() {
    std::filesystem::create_directories(directory_ / "bin");
    Spill(directory_ / "bin/sbatch", kSbatch);
    std::filesystem::permissions(directory_ / "bin/sbatch", std::filesystem::perms::owner_all);
  }

  std::string Out() const { return directory_ / "out"; }

  // The script with these flags, for two shards of a small campaign.
  Ran Campaign(const std::string& flags, const std::string& first = "--seed=9 --cases=12") const {
    const std::string command =
        absl::StrCat("PATH=", ShellQuoted(directory_ / "bin"), ":\"$PATH\" TOSAIC=", ShellQuoted(TOSAIC_BINARY), " ",
                     ShellQuoted(absl::StrCat(TOSAIC_SOURCE_DIR, "/ci/slurm/campaign.sh")), " ", first,
                     " --shards=2 --known=none --no-reduce --out=", ShellQuoted(Out()), " ", flags, " > ",
                     ShellQuoted(directory_ / "stdout"), " 2> ", ShellQuoted(directory_ / "stderr"));
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), Slurp(directory_ / "stdout"), Slurp(directory_ / "stderr")};
  }

  const TemporaryDirectory directory_;
};

// What is tested is part of a campaign, so the merge has to be told of it too.
TEST_F(E2eSlurm, MergesWhateverWasTested) {
  for (const char* flags :
       {"'--insert-after=tosa-to-linalg:canonicalize{max-iterations=3 region-simplify=disabled}' --route=fused",
        "'--pipeline=builtin.module(func.func(tosa-optional-decompositions),canonicalize{max-iterations=3})' --as-tosa",
        "--target=1.0,pro_int+pro_fp,8k", "--route=fused", "--details --format=json"}) {
    SCOPED_TRACE(flags);
    std::filesystem::remove_all(Out());
    const Ran ran = Campaign(flags);
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string log = Slurp(Out() + "/logs/merge.log");
    EXPECT_FALSE(absl::StrContains(log, "tosaic: ")) << log;
    const Json merged = SummaryIn(Out() + "/merged");
    EXPECT_EQ(merged["cases"], 12);
    EXPECT_EQ(merged["interrupted"], false);
  }
}

TEST_F(E2eSlurm, RefusesWhatNoShardCouldDo) {
  struct Row {
    const char* flags;
    const char* first;
    const char* why;
  };
  for (const Row& row : {Row{"", "--seed=08 --cases=12", "no number with a zero in front"},
                         {"", "--seed=9 --cases=2000000000000", "the most is 1099511627776"},
                         {"--duration=5s", "--seed=9 --cases=12", "--cases excludes --duration"},
                         {"--insert-after=tosa-to-linalg:no-pass", "--seed=9 --cases=12", "no-pass"},
                         {"--partial", "--seed=9 --cases=12", "'fuzz' has no flag '--partial'"},
                         {"--corpus=corpus", "--seed=9 --cases=12", "--guided has one per shard"}}) {
    SCOPED_TRACE(absl::StrCat(row.first, " ", row.flags));
    const Ran ran = Campaign(row.flags, row.first);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(absl::StrContains(ran.err, row.why)) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(Out())) << "nothing is submitted";
  }
}

}  // namespace
}  // namespace tosaic
