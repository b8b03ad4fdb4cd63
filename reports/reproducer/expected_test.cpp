// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/expected.h"

#include <regex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(DecimalPattern, MatchesTheNumbersBetweenAndNoOther) {
  for (uint64_t first = 0; first <= 130; ++first) {
    for (uint64_t last = first; last <= 130; ++last) {
      const std::regex pattern(DecimalPattern(first, last), std::regex::extended);
      for (uint64_t number = 0; number <= 140; ++number) {
        ASSERT_EQ(std::regex_match(absl::StrCat(number), pattern), first <= number && number <= last)
            << first << " to " << last << ": " << number;
      }
    }
  }
  const std::regex nan(DecimalPattern(0x7f800001, 0x7fffffff), std::regex::extended);
  for (const auto& [number, matches] : {std::pair(0x7f800000u, false),
                                        {0x7f800001u, true},
                                        {0x7fc00000u, true},
                                        {0x7fffffffu, true},
                                        {0x80000000u, false}}) {
    EXPECT_EQ(std::regex_match(absl::StrCat(number), nan), matches) << number;
  }
  EXPECT_EQ(DecimalPattern(~uint64_t{0}, ~uint64_t{0}), "-1");
}

}  // namespace
}  // namespace tosaic
