// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/escape.h"

#include <gtest/gtest.h>

#include "model/shell_word.h"

namespace tosaic {
namespace {

TEST(EscapeTest, ControlsBecomeVisible) {
  EXPECT_EQ(EscapeControls("a\x1b[31m\tb\nc\x7f"), "a\\x1b[31m\tb\nc\\x7f");
  EXPECT_EQ(EscapeControls(absl::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(EscapeControls("\xc3\xa4 \xff \xe2\x82\xac"), "\xc3\xa4 \xef\xbf\xbd \xe2\x82\xac") << "no UTF-8";
  EXPECT_EQ(EscapeControls("a\xe2\x80\xae z \xc2\x85 \xef\xbf\xbf"), "a\xef\xbf\xbd z \xef\xbf\xbd \xef\xbf\xbd");
}

TEST(EscapeTest, Markup) {
  EXPECT_EQ(EscapeMarkup("<a href=\"x\">&'\x01</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\\x01&lt;/a&gt;");
}

TEST(EscapeTest, ShellQuoted) {
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b$c\n\"d"), "'a b$c\n\"d'");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
}

TEST(EscapeTest, Markdown) {
  EXPECT_EQ(EscapeMarkdown("a*b_c <i>\n[x](y)|`"), "a\\*b\\_c &lt;i\\> \\[x\\]\\(y\\)\\|\\`");
  EXPECT_EQ(EscapeMarkdown("@all"),
            "@\xe2\x80\x8b"
            "all");
  EXPECT_EQ(MarkdownCode("a|b\nc"), "`a|b c`") << "as in a command line that is copied";
  EXPECT_EQ(MarkdownCell("a|b\nc"), "`a\\|b c`");
  EXPECT_EQ(MarkdownCode("``x`"), "``` ``x` ```");
  EXPECT_EQ(MarkdownCode(""), "`  `");
  EXPECT_EQ(MarkdownBlock("mlir", "a\n```\nb"), "````mlir\na\n```\nb\n````\n");
}

TEST(EscapeTest, AComment) { EXPECT_EQ(InComment("a --> <b>\n\x1b"), "a - -> <b> \\x1b"); }

TEST(WithoutAddresses, LeavesShortNumbers) {
  EXPECT_EQ(WithoutAddresses("#0 0x00007f12ab34cd56 in f, at 0x55d0c0ffee00."), "#0 0x... in f, at 0x....");
  EXPECT_EQ(WithoutAddresses("bits 0x7fc00000, 0x, 10x"), "bits 0x7fc00000, 0x, 10x");
  EXPECT_EQ(WithoutAddresses(""), "");
}

}  // namespace
}  // namespace tosaic
