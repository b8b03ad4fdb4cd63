// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/pass_sequences.h"

#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "model/routes.h"

namespace tosaic {
namespace {

TEST(PassSequences, EveryPassIsDrawnAtEveryStageThatItMayHave) {
  std::set<std::string> drawn;
  for (uint64_t number = 0; number < 4000; ++number) {
    SeededChoices choices(1, number);
    const std::string route = WithDrawnPasses(choices, std::string(kSequenceRoute));
    const absl::StatusOr<PassSequence> sequence = ParseSequence(route);
    ASSERT_TRUE(sequence.ok()) << sequence.status();
    ASSERT_NE(FindRoute(route), nullptr) << route;
    for (const SequencedPass& pass : *sequence) drawn.insert(SequenceText({pass}));
  }
  for (const PassOfSequences& row : PassesOfSequences()) {
    for (const SequenceStage stage : row.stages) {
      EXPECT_TRUE(drawn.contains(SequenceText({{stage, std::string(row.text)}}))) << Name(stage) << " " << row.text;
    }
  }
}

TEST(PassSequences, BuffersAreFreedOnce) {
  for (uint64_t number = 0; number < 4000; ++number) {
    SeededChoices choices(2, number);
    const PassSequence sequence = *ParseSequence(WithDrawnPasses(choices, std::string(kSequenceRoute)));
    EXPECT_LE(absl::c_count(sequence, SequencedPass{SequenceStage::kMemory, "buffer-deallocation-pipeline"}), 1);
  }
}

TEST(PassSequences, OtherRoutesAndThoseWithAListStayAsTheyAre) {
  SeededChoices choices(1, 1);
  for (const std::string route : {"loops", "sequence()", "sequence(tosa:cse)"}) {
    EXPECT_EQ(WithDrawnPasses(choices, route), route);
  }
}

TEST(PassSequences, WithoutBytesThereIsAPassAndAnEnd) {
  ByteChoices none({});
  EXPECT_EQ(WithDrawnPasses(none, std::string(kSequenceRoute)), "sequence(tosa:canonicalize)");
}

}  // namespace
}  // namespace tosaic
