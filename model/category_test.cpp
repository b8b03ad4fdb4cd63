#include "model/category.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(CategoryTest, NamesAreDistinctAndFoundAgain) {
  std::set<std::string> names;
  for (Category category : AllCategories()) {
    EXPECT_TRUE(names.emplace(Name(category)).second) << Name(category);
    EXPECT_EQ(FindCategory(Name(category)), category);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(Category::kUnknown) + 1);
  EXPECT_EQ(FindCategory("ranks"), std::nullopt);
}

}  // namespace
}  // namespace tosaic
