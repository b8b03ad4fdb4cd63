// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/fuzz_one.h"

#include <signal.h>

#include <cstdlib>
#include <string>

#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// tosa.mul of two [5] tensors with a result of [10]: MLIR 22 accepts it.
Case FalselyAccepted() {
  const TensorType five = {Shape::OfSizes({5}), ElementType::kI32};
  Case test_case;
  test_case.program.arguments = {five, five};
  test_case.program.constants = {Tensor(ElementType::kI8, {1})};
  OpApplication mul;
  mul.op = OpKind::kMul;
  mul.operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}, {ValueRef::Kind::kConstant, 0}};
  mul.result = {Shape::OfSizes({10}), ElementType::kI32};
  test_case.program.ops = {mul};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  return test_case;
}

// A list of known divergences for FuzzOne, of this test alone: ctest runs the others at the same time.
class KnownList {
 public:
  explicit KnownList(const std::string& text) {
    Spill(directory_ / "known.json", text);
    setenv("TOSAIC_KNOWN", (directory_ / "known.json").c_str(), 1);
  }

 private:
  const TemporaryDirectory directory_;
};

TEST(FuzzOne, StopsAtANewDivergenceWithItsSignatureAndItsCase) {
  const KnownList known(R"({"known": []})");
  EXPECT_EXIT(
      FuzzOne(10).Try(FalselyAccepted()), testing::KilledBySignal(SIGABRT),
      "a new divergence: false-accept/mul/[^\n]*\n(.|\n)*\"tosaic_case\": 1(.|\n)*\nDEDUP_TOKEN: false-accept/mul/");
}

TEST(FuzzOne, GoesOnAtAKnownOneAndThroughFreshToolchains) {
  const KnownList known(R"({"known": [{"signature": "false-accept/mul/*", "reason": "a test"}]})");
  FuzzOne fuzz(2);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(fuzz.Try(FalselyAccepted()));
}

// Two calls of mul, whose signature names neither.
TEST(FuzzOne, GoesOnAtWhatIsKnownWhenItIsReduced) {
  const KnownList known(R"({"known": [{"signature": "false-accept/mul/*", "reason": "a test"}]})");
  Case two = FalselyAccepted();
  two.program.ops.push_back(two.program.ops.front());
  two.program.results = {{ValueRef::Kind::kOp, 1}, {ValueRef::Kind::kOp, 0}};
  EXPECT_TRUE(FuzzOne(10).Try(two));
}

// MLIR folds negate of negate on every route; only the plainest is listed.
TEST(FuzzOne, GoesOnAtWhatIsKnownOfAPlainerRoute) {
  const KnownList known(
      R"({"known": [{"signature": "wrong-value/negate/i8/loops/value.negate/number-for-number", "reason": "a test"}]})");
  const TensorType single = {Shape::OfSizes({1}), ElementType::kI8};
  Case test_case;
  test_case.route = "math-polynomial";
  test_case.program.arguments = {single};
  test_case.program.constants = {Tensor(ElementType::kI8, {1})};
  const ValueRef zero = {ValueRef::Kind::kConstant, 0};
  const auto negate = [&](ValueRef of) { return OpApplication{OpKind::kNegate, {of, zero, zero}, {}, single}; };
  test_case.program.ops = {negate({ValueRef::Kind::kArgument, 0}), negate({ValueRef::Kind::kOp, 0})};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kOp, 1}};
  Tensor smallest(ElementType::kI8, {1});
  smallest.SetBits(0, 0x80);
  test_case.runs = {{smallest}};
  EXPECT_TRUE(FuzzOne(10).Try(test_case));
}

// While an input runs, libFuzzer would call the end of the process a crash of it.
TEST(FuzzOne, SaysAtTheStartWhyTheKnownDivergencesCannotBeRead) {
  setenv("TOSAIC_KNOWN", "/nowhere/known.json", 1);
  EXPECT_EXIT(ReadKnownAtStart(), testing::ExitedWithCode(2), "^tosaic: TOSAIC_KNOWN: /nowhere/known.json: [^\n]*\n$");
  const KnownList known(R"({"known": [{"signatures": "*"}]})");
  EXPECT_EXIT(ReadKnownAtStart(), testing::ExitedWithCode(2), "^tosaic: TOSAIC_KNOWN: [^\n]*known.json: [^\n]*\n$");
}

}  // namespace
}  // namespace tosaic
