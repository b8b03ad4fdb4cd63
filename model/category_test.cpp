// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/category.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(CategoryTest, NamesAreDistinctAndFoundAgain) {
  std::set<std::string> names;
  for (Category category : All<Category>()) {
    EXPECT_TRUE(names.emplace(Name(category)).second) << Name(category);
    EXPECT_EQ(Find<Category>(Name(category)), category);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(Category::kUnknown) + 1);
  EXPECT_EQ(Find<Category>("ranks"), std::nullopt);
}

}  // namespace
}  // namespace tosaic
