// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/transfer.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(Transfer, AFileInMemoryHasWhatIsWritten) {
  const MemoryFile file("transfer-test");
  ASSERT_GE(file.fd(), 0);
  EXPECT_EQ(file.Content(), "");
  ASSERT_TRUE(WriteAll(file.fd(), "0123456789", 10));
  EXPECT_EQ(file.Content(), "0123456789");
  EXPECT_EQ(TailOf(file.fd(), 3), "789");
  EXPECT_EQ(TailOf(file.fd(), 10), "0123456789");
}

TEST(Transfer, AFileThatIsNotThereHasNoTail) { EXPECT_EQ(TailOf(-1, SIZE_MAX), ""); }

}  // namespace
}  // namespace tosaic
