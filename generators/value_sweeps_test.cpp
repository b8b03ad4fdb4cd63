// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/value_sweeps.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

std::string NameOf(const ValueSweep& sweep) {
  return absl::StrCat(Name(sweep.op), " ", TypesOf(sweep), " ", sweep.setting);
}

TEST(ValueSweepsTest, EveryTupleOfTheSpecificationIsSwept) {
  std::set<std::tuple<OpKind, ElementType, ElementType>> swept;
  std::set<std::string> names;
  for (const ValueSweep& sweep : PlanValueSweeps({.inputs = 10, .ops = {}, .types = {}})) {
    swept.emplace(sweep.op, sweep.input, sweep.result);
    EXPECT_TRUE(names.insert(NameOf(sweep)).second) << NameOf(sweep);
  }
  size_t tuples = 0;
  for (const OpInfo& op : AllOps()) {
    tuples += op.spec_types.size();
    for (const TypeTuple& types : op.spec_types) {
      EXPECT_TRUE(swept.contains({op.kind, types.input, types.result})) << op.name << " " << Name(types.input);
    }
  }
  EXPECT_EQ(swept.size(), tuples);
}

TEST(ValueSweepsTest, TheDraftSweepsWhatItAdds) {
  std::set<std::string> names;
  for (const ValueSweep& sweep :
       PlanValueSweeps({.inputs = 10, .ops = {}, .types = {}, .spec_version = SpecVersion::k1_1})) {
    EXPECT_TRUE(names.insert(NameOf(sweep)).second) << NameOf(sweep);
  }
  for (const char* name : {"cast f32-i1 ", "cast i1-f32 ", "cast i64-i32 ", "add i64 ", "negate i64 ", "mul i64 ",
                           "arithmetic_right_shift i64 round=true", "equal i64-i1 ", "add i32 "}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_FALSE(names.contains("cast i64-i8 "));
}

TEST(ValueSweepsTest, CasesAreWellFormedAndHaveTheirInputs) {
  for (const ValueSweep& sweep :
       PlanValueSweeps({.inputs = 10, .ops = {}, .types = {}, .spec_version = SpecVersion::k1_1})) {
    const Case test_case = CaseOfInputs(sweep, 1, 2, "loops");
    EXPECT_TRUE(CheckWellFormed(test_case).ok()) << NameOf(sweep) << ": " << CheckWellFormed(test_case);
    ASSERT_EQ(test_case.runs.size(), 1u);
    const tosaic::Run& run = test_case.runs[0];
    for (size_t operand = 0; operand < run.size(); ++operand) {
      EXPECT_EQ(run[operand].sizes(), std::vector<int64_t>{2});
      if (sweep.op != OpKind::kIntdiv) EXPECT_EQ(run[operand].Bits(1), sweep.inputs.At(2)[operand]) << NameOf(sweep);
    }
  }
}

TEST(ValueSweepsTest, AttributesAndSpecialOperandsHaveSeveralSettings) {
  std::set<std::string> names;
  for (const ValueSweep& sweep : PlanValueSweeps({.inputs = 10, .ops = {}, .types = {}})) names.insert(NameOf(sweep));
  for (const char* name :
       {"arithmetic_right_shift i8 round=true", "arithmetic_right_shift i8 round=false", "maximum f16 nan_mode=IGNORE",
        "maximum f16 nan_mode=PROPAGATE", "maximum i32 ", "clamp bf16 min_val=-1.5 max_val=6 nan_mode=IGNORE",
        "clamp i8 min_val=-128 max_val=127", "negate i8 input1_zp=-128 output_zp=127", "negate i16 ", "mul i8-i32 ",
        "mul i32 shift=63"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(ValueSweepsTest, NoDivisionTraps) {
  const std::vector<ValueSweep> sweeps = PlanValueSweeps({.inputs = 1, .ops = {OpKind::kIntdiv}, .types = {}});
  ASSERT_EQ(sweeps.size(), 1u);
  const Case test_case = CaseOfInputs(sweeps[0], 0, sweeps[0].inputs.size(), "loops");
  bool has_smallest = false;
  for (size_t i = 0; i < test_case.runs[0][0].element_count(); ++i) {
    const uint64_t dividend = test_case.runs[0][0].Bits(i), divisor = test_case.runs[0][1].Bits(i);
    ASSERT_NE(divisor, 0u);
    ASSERT_FALSE(dividend == 0x80000000 && divisor == 0xffffffff);
    has_smallest |= dividend == 0x80000000 && divisor == 0xfffffffe;
  }
  EXPECT_TRUE(has_smallest);
}

TEST(ValueSweepsTest, OpsAndTypesNarrowThePlan) {
  const std::vector<ValueSweep> sweeps =
      PlanValueSweeps({.inputs = 1, .ops = {OpKind::kExp, OpKind::kCast}, .types = {ElementType::kBF16}});
  std::set<std::string> names;
  for (const ValueSweep& sweep : sweeps) names.insert(NameOf(sweep));
  EXPECT_EQ(names, (std::set<std::string>{"exp bf16 ", "cast bf16-i8 ", "cast bf16-i16 ", "cast bf16-i32 ",
                                          "cast bf16-f32 ", "cast bf16-f8E4M3FN ", "cast bf16-f8E5M2 "}));
}

TEST(ValueSweepsTest, UnsignedInputsOfCastsAreSweptWhereTheyAreRead) {
  ValueSweepOptions options = {.ops = {OpKind::kCast}, .types = {ElementType::kI8, ElementType::kF16}};
  const size_t without = PlanValueSweeps(options).size();
  options.draft_attributes = true;
  const std::vector<ValueSweep> sweeps = PlanValueSweeps(options);
  const auto as_unsigned = std::count_if(sweeps.begin(), sweeps.end(), [](const ValueSweep& sweep) {
    return sweep.attributes.input_unsigned == true && sweep.input == ElementType::kI8;
  });
  EXPECT_EQ(as_unsigned, 6) << "to i1, i16, i32, f16, f32 and bf16";
  EXPECT_EQ(sweeps.size(), without + 6);
}

}  // namespace
}  // namespace tosaic
