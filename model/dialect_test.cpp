// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/dialect.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(DialectTest, EachHasItsRowInOrder) {
  int version = 0;
  for (const DialectInfo& info : AllDialects()) {
    EXPECT_EQ(&Info(info.dialect), &info);
    EXPECT_GT(info.version, version);
    version = info.version;
  }
}

TEST(DialectTest, TheWayFromTheCanonicalOneLeavesItOut) {
  EXPECT_EQ(FromCanonical(Dialect::k22), std::vector<Dialect>());
  EXPECT_EQ(FromCanonical(Dialect::k24), std::vector<Dialect>{Dialect::k24});
  EXPECT_EQ(FromCanonical(Dialect::k16),
            (std::vector<Dialect>{Dialect::k21, Dialect::k20, Dialect::k19, Dialect::k18, Dialect::k17, Dialect::k16}));
}

TEST(DialectTest, OtherVersionsTakeTheNearest) {
  EXPECT_EQ(NearestDialect(1), Dialect::k16);
  EXPECT_EQ(NearestDialect(18), Dialect::k18);
  EXPECT_EQ(NearestDialect(21), Dialect::k21);
  EXPECT_EQ(NearestDialect(23), Dialect::k22) << "the older of two";
  EXPECT_EQ(NearestDialect(99), Dialect::k24);
}

}  // namespace
}  // namespace tosaic
