#include "gtest/gtest.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

TEST(InsertPass, PutsItBehindThePassAndItsOptions) {
  EXPECT_EQ(InsertPass("builtin.module(a,b)", "a", "x").value(), "builtin.module(a,x,b)");
  EXPECT_EQ(InsertPass("builtin.module(a,b)", "b", "x{y=1}").value(), "builtin.module(a,b,x{y=1})");
  EXPECT_EQ(InsertPass("builtin.module(a{o=1 p=2},b)", "a", "x").value(), "builtin.module(a{o=1 p=2},x,b)");
}

TEST(InsertPass, TakesWholeNamesOnly) {
  EXPECT_EQ(InsertPass("m(f(a-b,b-a,a),a)", "a", "x").value(), "m(f(a-b,b-a,a,x),a)");
  EXPECT_FALSE(InsertPass("m(a-b,b-a)", "a", "x").ok());
  EXPECT_FALSE(InsertPass("m(a{b=1})", "b", "x").ok());
  EXPECT_FALSE(InsertPass("a", "a", "x").ok());
  EXPECT_FALSE(InsertPass("", "a", "x").ok());
}

}  // namespace
}  // namespace tosaic
