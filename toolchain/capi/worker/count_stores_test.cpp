// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls in a module are tested with the library that has it (capi_toolchain_test.cpp).
#include "toolchain/capi/worker/count_stores.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(StoredBytesTest, OfNumbersVectorsPointersAndDescriptors) {
  EXPECT_EQ(StoredBytes("i1"), 1);
  EXPECT_EQ(StoredBytes("i8"), 1);
  EXPECT_EQ(StoredBytes("i48"), 6);
  EXPECT_EQ(StoredBytes("bf16"), 2);
  EXPECT_EQ(StoredBytes("f64"), 8);
  EXPECT_EQ(StoredBytes("vector<4xf32>"), 16);
  EXPECT_EQ(StoredBytes("vector<4xi1>"), 1);
  EXPECT_EQ(StoredBytes("!llvm.ptr"), 8);
  EXPECT_EQ(StoredBytes("!llvm.struct<(ptr, ptr, i64)>"), 24);
  EXPECT_EQ(StoredBytes("!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>"), 56);
  EXPECT_EQ(StoredBytes("!llvm.struct<(struct<(ptr, i64)>, struct<(ptr, ptr, i64)>)>"), 40);
}

TEST(StoredBytesTest, OfOthersNobodyKnows) {
  for (const char* type :
       {"", "index", "2xf32", "?xf32", "*xf32", "vector<[4]xf32>", "!llvm.struct<(i32)>", "!llvm.void"}) {
    EXPECT_EQ(StoredBytes(type), std::nullopt) << type;
  }
}

}  // namespace
}  // namespace tosaic
