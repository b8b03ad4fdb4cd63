// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/digest.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

// The values that FNV's authors publish for 64 bits.
TEST(DigestTest, IsFnv1a) {
  EXPECT_EQ(Digest(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Digest("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Digest("foobar"), 0x85944171f73967e8u);
  EXPECT_NE(Digest("\xff"), Digest("\x7f"));
}

TEST(DigestTest, GoesOnWhereAnotherEnded) { EXPECT_EQ(Digest("bar", Digest("foo")), Digest("foobar")); }

}  // namespace
}  // namespace tosaic
