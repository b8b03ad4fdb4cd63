// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/template.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(FillTemplate, PutsValuesInPlaces) {
  EXPECT_EQ(FillTemplate("a __X__ b__LONG_NAME2__[__X__]\n", {{"X", "1"}, {"LONG_NAME2", "two"}}), "a 1 btwo[1]\n");
  EXPECT_EQ(FillTemplate("__A____B__", {{"A", "1"}, {"B", "2"}}), "12");
  EXPECT_EQ(FillTemplate("no place: __wrap_malloc __x86_64__ _X_ __Ab__ __X", {}),
            "no place: __wrap_malloc __x86_64__ _X_ __Ab__ __X");
  EXPECT_EQ(FillTemplate("", {}), "");
  EXPECT_EQ(FillTemplateLine("a __X__\n", {{"X", "1"}}), "a 1");
}

TEST(FillTemplate, ALinesPlaceTakesWholeLines) {
  const absl::string_view text = "{\n  __LINES__\n}\n";
  EXPECT_EQ(FillTemplate(text, {{"LINES", "a\nb\n"}}), "{\na\nb\n}\n");
  EXPECT_EQ(FillTemplate(text, {{"LINES", ""}}), "{\n}\n");
  EXPECT_EQ(FillTemplate("__LINES__\n", {{"LINES", "a\n"}}), "a\n");
  EXPECT_EQ(FillTemplate("__A____B__\n", {{"A", "1"}, {"B", ""}}), "1\n");
}

TEST(FillTemplate, ValuesAreNotSearchedForPlaces) {
  EXPECT_EQ(FillTemplate("<__A__> <__B__>", {{"A", "__B__"}, {"B", "$1 \\n"}}), "<__B__> <$1 \\n>");
}

TEST(FillTemplateDeathTest, PlacesAndValuesBelongTogether) {
  EXPECT_DEATH(FillTemplate("__A__ __B__", {{"A", "1"}}), "no value for 'B'");
  EXPECT_DEATH(FillTemplate("__A__", {{"A", "1"}, {"B", "2"}}), "no place for 'B'");
  EXPECT_DEATH(FillTemplate("__A__\n", {{"A", "1"}}), "not whole lines: 'A'");
}

TEST(TemplatePart, PartsAreDividedByComments) {
  static constexpr EmbeddedFile kFiles[] = {
      {"x.sh", "# first\n# ==== two\nb\nc\n# ==== three four: a note: it says more\n"},
      {"x.html", "<p>\n<!-- ==== end -->\n</p>"}};
  EXPECT_EQ(TemplatePart(kFiles, "x.sh"), "# first\n");
  EXPECT_EQ(TemplatePart(kFiles, "x.sh", "two"), "b\nc\n");
  EXPECT_EQ(TemplatePart(kFiles, "x.sh", "three four"), "");
  EXPECT_EQ(TemplatePart(kFiles, "x.html", "end"), "</p>");
  EXPECT_DEATH(TemplatePart(kFiles, "x.sh", "end"), "no part in x.sh: 'end'");
  EXPECT_DEATH(TemplatePart(kFiles, "x.c"), "no file 'x.c'");
}

}  // namespace
}  // namespace tosaic
