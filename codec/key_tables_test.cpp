// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/key_tables.h"

#include <gtest/gtest.h>

#include <optional>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

struct Inner {
  bool truth = false;
};
void Fields(Visitor& v, Inner& inner) {
  v.Type("inner");
  v("truth", inner.truth, "of it");
}

struct Outer {
  std::string text;
  std::vector<Inner> list;
  std::optional<int> number;
  std::map<std::string, uint64_t> counts;
};
void Fields(Visitor& v, Outer& outer) {
  v.Constant("kind", "outer");
  v("text", outer.text, "what it says");
  v("list", outer.list);
  v("number", outer.number);
  v.Optional("counts", outer.counts);
}

constexpr absl::string_view kOuterKeys =
    "| key | value | |\n|---|---|---|\n"
    "| `kind` | `outer` |  |\n"
    "| `text` | text | what it says |\n"
    "| `list` | list of [inner](#inner) |  |\n"
    "| `number` | integer or null |  |\n"
    "| `counts` | by name: integer | optional |\n";

TEST(KeyTablesTest, EachTypeIsThereOnce) {
  EXPECT_EQ(
      KeyTables(
          {{"The outer file", Schema<Outer>()}, {"The inner one", Schema<Inner>()}, {"It again", Schema<Outer>()}}),
      absl::StrCat("\n## The outer file\n\n", kOuterKeys,
                   "\n### inner\n\n"
                   "| key | value | |\n|---|---|---|\n"
                   "| `truth` | true or false | of it |\n"
                   "\n## The inner one\n\n"
                   "[inner](#inner)\n"
                   "\n## It again\n\n",
                   kOuterKeys));
}

}  // namespace
}  // namespace tosaic
