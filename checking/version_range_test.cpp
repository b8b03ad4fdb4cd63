// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/version_range.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr const char* kVersions[] = {
    "LLVM 16.0.6",  "LLVM 19.1.7",     "LLVM 22.1",      "LLVM 22.1.8",
    "LLVM 22.10.0", "LLVM 23.1.0-rc2", "LLVM 24.0.0git", "LLVM 24.0.0 (torch-mlir 20261001)",
    "LLVM 24.1.0"};

// Those of kVersions that the range contains.
std::vector<std::string> In(const char* text) {
  VersionRange range;
  EXPECT_TRUE(ReadText(text, range).ok()) << text;
  EXPECT_EQ(ToString(range), text);
  std::vector<std::string> contained;
  for (const char* version : kVersions) {
    if (range.Contains(version)) contained.push_back(version + 5);
  }
  return contained;
}

using Versions = std::vector<std::string>;

TEST(VersionRangeTest, NumbersAreWhatAVersionBeginsWith) {
  EXPECT_EQ(In("22"), (Versions{"22.1", "22.1.8", "22.10.0"}));
  EXPECT_EQ(In("22.1"), (Versions{"22.1", "22.1.8"}));
  EXPECT_EQ(In("22.1.8"), (Versions{"22.1.8"}));
  EXPECT_EQ(In("2"), Versions());
  EXPECT_EQ(In("24.0.0"), (Versions{"24.0.0git", "24.0.0 (torch-mlir 20261001)"}));
  EXPECT_EQ(In("23.1.0"), (Versions{"23.1.0-rc2"}));
}

TEST(VersionRangeTest, ARangeHasBothItsEnds) {
  EXPECT_EQ(In("19-22"), (Versions{"19.1.7", "22.1", "22.1.8", "22.10.0"}));
  EXPECT_EQ(In("22-22"), In("22"));
  EXPECT_EQ(In("22-23"), (Versions{"22.1", "22.1.8", "22.10.0", "23.1.0-rc2"}));
  EXPECT_EQ(In("17-18"), Versions());
  EXPECT_EQ(In("23+"), (Versions{"23.1.0-rc2", "24.0.0git", "24.0.0 (torch-mlir 20261001)", "24.1.0"}));
  EXPECT_EQ(In("24+").size(), 3u);
  EXPECT_EQ(In("25+"), Versions());
}

TEST(VersionRangeTest, TrunkIsWhatIsNotReleasedYet) {
  EXPECT_EQ(In("trunk"), (Versions{"24.0.0git", "24.0.0 (torch-mlir 20261001)"}));
}

TEST(VersionRangeTest, WhatIsNoVersionIsInNone) {
  for (const char* text : {"22", "0+", "0-99", "trunk"}) {
    VersionRange range;
    ASSERT_TRUE(ReadText(text, range).ok());
    for (const char* version : {"", "LLVM ", "git", "LLVM 22..8", "LLVM .22", "LLVM 99999999999"}) {
      EXPECT_FALSE(range.Contains(version)) << text << " " << version;
    }
  }
}

TEST(VersionRangeTest, SaysWhatIsWrong) {
  VersionRange range;
  for (const char* text : {"", "+", "-", "new", "22.", "22.1+", "22++", "22-", "-22", "22-23+", "22-23-24", "22.1-23",
                           "22 - 23", " 22", "+22", "Trunk", "99999999999", "22.99999999999"}) {
    const absl::Status status = ReadText(text, range);
    EXPECT_TRUE(absl::StrContains(status.message(), "says no versions")) << text << ": " << status;
  }
  EXPECT_EQ(ReadText("23-22", range).message(), "the range of versions 23-22 ends before it begins");
}

}  // namespace
}  // namespace tosaic
