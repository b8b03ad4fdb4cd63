// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixture for tests that ask the real MLIR.
#ifndef TOSAIC_TESTS_MLIR_TEST_H_
#define TOSAIC_TESTS_MLIR_TEST_H_

#include <memory>

#include "gtest/gtest.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class MlirTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain();
    ASSERT_TRUE(toolchain.ok()) << toolchain.status();
    toolchain_ = *std::move(toolchain);
  }

  std::unique_ptr<Toolchain> toolchain_;
};

}  // namespace tosaic

#endif  // TOSAIC_TESTS_MLIR_TEST_H_
