// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/status.h"

#include <memory>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

absl::Status Fails() { return absl::NotFoundError("nothing"); }
absl::StatusOr<std::unique_ptr<int>> Boxed(int number) {
  if (number < 0) return absl::InvalidArgumentError("negative");
  return std::make_unique<int>(number);
}

absl::Status CountsSteps(const absl::Status& status, int* steps) {
  ++*steps;
  TOSAIC_RETURN_IF_ERROR(status);
  ++*steps;
  return absl::OkStatus();
}

// A new variable, an old one, and what can only be moved.
absl::StatusOr<int> Sum(int a, int b) {
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<int> first, Boxed(a));
  std::unique_ptr<int> second;
  TOSAIC_ASSIGN_OR_RETURN(second, Boxed(b));
  return *first + *second;
}

TEST(Status, ReturnsWhatIsNotOkAndGoesOnOtherwise) {
  int steps = 0;
  EXPECT_EQ(CountsSteps(Fails(), &steps), Fails());
  EXPECT_EQ(steps, 1);
  EXPECT_TRUE(CountsSteps(absl::OkStatus(), &steps).ok());
  EXPECT_EQ(steps, 3);
}

TEST(Status, AssignsTheValueOrReturnsTheStatus) {
  EXPECT_EQ(Sum(1, 2).value(), 3);
  EXPECT_EQ(Sum(-1, 2).status(), absl::InvalidArgumentError("negative"));
  EXPECT_EQ(Sum(1, -2).status(), absl::InvalidArgumentError("negative"));
}

TEST(Status, EvaluatesItsExpressionOnce) {
  int calls = 0;
  const auto run = [&]() -> absl::Status {
    TOSAIC_RETURN_IF_ERROR((++calls, absl::OkStatus()));
    TOSAIC_ASSIGN_OR_RETURN(const int value, (++calls, absl::StatusOr<int>(7)));
    EXPECT_EQ(value, 7);
    return absl::OkStatus();
  };
  EXPECT_TRUE(run().ok());
  EXPECT_EQ(calls, 2);
}

TEST(Status, APlaceStandsBeforeTheMessageAndKeepsTheCode) {
  EXPECT_EQ(At("a.json", Fails()), absl::NotFoundError("a.json: nothing"));
  EXPECT_TRUE(At("a.json", absl::OkStatus()).ok());
  EXPECT_EQ(At("b.json", Boxed(-1)).status(), absl::InvalidArgumentError("b.json: negative"));
  EXPECT_EQ(**At("b.json", Boxed(4)), 4);
}

}  // namespace
}  // namespace tosaic
