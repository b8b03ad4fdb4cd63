// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/key_tables.h"

#include <gtest/gtest.h>

#include <optional>

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

TEST(KeyTablesTest, OfEachTypeAreThere) {
  EXPECT_EQ(KeyTables(Schema<Outer>()),
            "| key | value | |\n|---|---|---|\n"
            "| `kind` | `outer` |  |\n"
            "| `text` | text | what it says |\n"
            "| `list` | list of *inner* |  |\n"
            "| `number` | integer or null |  |\n"
            "| `counts` | by name: integer | optional |\n"
            "\nA *inner*:\n\n"
            "| key | value | |\n|---|---|---|\n"
            "| `truth` | true or false | of it |\n");
}

}  // namespace
}  // namespace tosaic
