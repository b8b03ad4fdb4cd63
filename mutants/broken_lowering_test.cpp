// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutants/broken_lowering.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr char kOne[] =
    R"({"name": "n", "ops": "mul,cast", "breaks": "b", "route": "loops", "after": "tosa-to-linalg", "pass": "p"})";

TEST(BrokenLowerings, AreReadFromText) {
  const auto list = BrokenLoweringsFromText(absl::StrCat("[", kOne, "]"));
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 1u);
  const BrokenLowering& first = list->front();
  EXPECT_EQ(first.name, "n");
  EXPECT_EQ(first.ops, (std::vector<OpKind>{OpKind::kMul, OpKind::kCast}));
  EXPECT_EQ(first.breaks, "b");
  EXPECT_EQ(first.route, "loops");
  EXPECT_EQ(first.after, "tosa-to-linalg");
  EXPECT_EQ(first.pass, "p");
  EXPECT_FALSE(first.strict_values);
}

TEST(BrokenLowerings, MayBeWithinTheLetter) {
  const std::string strict = absl::StrReplaceAll(kOne, {{"\"p\"", "\"p\", \"strict_values\": true"}});
  EXPECT_TRUE(BrokenLoweringsFromText(absl::StrCat("[", strict, "]")).value().front().strict_values);
}

TEST(BrokenLowerings, StandBehindAPassOrBeforeTheFirst) {
  const BrokenLowering behind = BrokenLoweringsFromText(absl::StrCat("[", kOne, "]")).value().front();
  EXPECT_EQ(PlaceInWords(behind), "behind tosa-to-linalg on the route loops");
  EXPECT_TRUE(absl::StrContains(BrokenPipeline(behind).value(), ",tosa-to-linalg,p,"));
  const std::string first = absl::StrReplaceAll(kOne, {{"tosa-to-linalg", ""}});
  const BrokenLowering before = BrokenLoweringsFromText(absl::StrCat("[", first, "]")).value().front();
  EXPECT_EQ(PlaceInWords(before), "before the first pass of the route loops");
  EXPECT_TRUE(absl::StartsWith(BrokenPipeline(before).value(), "builtin.module(func.func(p,"));
}

TEST(BrokenLowerings, WhatIsNoListIsNamed) {
  const auto changed = [](absl::string_view from, absl::string_view to) {
    return absl::StrCat("[", absl::StrReplaceAll(kOne, {{from, to}}), "]");
  };
  const std::pair<std::string, std::string> rows[] = {
      {"", "JSON"},
      {"{}", "array"},
      {"[]", "not empty"},
      {"[1]", "[0]"},
      {changed("\"name\": \"n\"", "\"name\": 1"), "\"name\""},
      {changed("\"p\"", "\"\""), "\"pass\""},
      {changed("\"p\"", "\"p\", \"strict_values\": 1"), "\"strict_values\""},
      {changed("mul,", "frobnicate,"), "'frobnicate' is no op"},
      {changed("\"loops\"", "\"moon\""), "'moon' is no route"},
      {changed("tosa-to-linalg", "tosa-to-moon"), "no pass 'tosa-to-moon'"},
      {absl::StrCat("[", kOne, ",", kOne, "]"), "twice"},
  };
  for (const auto& [text, part] : rows) {
    const auto list = BrokenLoweringsFromText(text);
    ASSERT_FALSE(list.ok()) << text;
    EXPECT_TRUE(absl::StrContains(list.status().message(), part)) << list.status();
  }
}

}  // namespace
}  // namespace tosaic
