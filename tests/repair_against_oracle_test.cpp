// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator's repair of data and the oracle's notion of "undefined" are separate code on purpose. Here they meet: a
// repaired case has no element that the oracle masks, and one with data left undefined has. Where the notions differ
// stands in IsListed.
#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "oracle/compare.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

struct Masked {
  uint64_t elements = 0;
  uint64_t masked = 0;
  std::string first;  // an example
};

// Elements of a one-op case that the oracle leaves undefined. Cases beyond the specification have none to compare.
Masked CountMasked(const Case& test_case) {
  Masked result;
  const Program& program = test_case.program;
  const OpApplication& op = program.ops[0];
  for (size_t r = 0; r < test_case.runs.size(); ++r) {
    const auto sizes = SizesOfAllOps(program, test_case.runs[r]);
    EXPECT_TRUE(sizes.has_value()) << "run-time sizes that do not fit: " << test_case.origin;
    if (!sizes) continue;
    std::vector<const Tensor*> operands;
    for (ValueRef ref : op.operands) {
      operands.push_back(ref.kind == ValueRef::Kind::kArgument ? &test_case.runs[r][ref.index]
                                                               : &program.constants[ref.index]);
    }
    const std::vector<Expected> expected = Evaluate(program, op, operands, (*sizes)[0], {});
    result.elements += expected.size();
    for (size_t e = 0; e < expected.size(); ++e) {
      if (expected[e].kind != Expected::Kind::kUndefined) continue;
      if (result.masked++ > 0) continue;
      result.first = absl::StrCat(test_case.origin, ": ", Signature(program, op), ", run ", r, ", element ", e, " [",
                                  Name(RuleOf(Info(op.op), expected[e])), "]");
      for (size_t i = 0; i < operands.size(); ++i) {
        const size_t at =
            i < BroadcastOperandCount(Info(op.op)) ? BroadcastIndex(e, (*sizes)[0], operands[i]->sizes()) : 0;
        absl::StrAppend(&result.first, " ", ElementToString(operands[i]->element_type(), operands[i]->Bits(at)));
      }
    }
  }
  return result;
}

bool HasIntent(const Case& test_case, absl::string_view intent) {
  return absl::EndsWith(test_case.origin, absl::StrCat("intent=", intent));
}

GeneratorOptions Options(OpKind op) {
  GeneratorOptions options;
  options.ops = {op};
  options.illegal_percent = 0;
  options.beyond_spec_percent = 0;
  options.max_elements = 128;
  options.runs = 4;
  return options;
}

class RepairAgainstOracle : public testing::TestWithParam<OpKind> {};

TEST_P(RepairAgainstOracle, OnlyUndefinedDataIsMasked) {
  const GeneratorOptions options = Options(GetParam());
  uint64_t undefined_cases = 0, undefined_masked = 0;
  for (uint64_t number = 0; number < 300; ++number) {
    const Case test_case = GenerateCase(11, number, options);
    // An intermediate may be what makes an element undefined: composed_against_oracle_test.cpp.
    if (test_case.program.ops.size() > 1) continue;
    if (HasIntent(test_case, "trapping-constants")) continue;  // nobody mends them
    const Masked masked = CountMasked(test_case);
    if (HasIntent(test_case, "undefined-data")) {
      ++undefined_cases;
      undefined_masked += masked.masked > 0 ? 1 : 0;
      continue;
    }
    EXPECT_EQ(masked.masked, 0u) << masked.first;
  }
  if (undefined_cases > 5) {
    EXPECT_GT(undefined_masked, 0u) << undefined_cases << " cases";
  }
  // Ops that cannot be undefined have no such cases.
  if (Info(GetParam()).unpredictable == Unpredictable::kNever) {
    EXPECT_EQ(undefined_cases, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, RepairAgainstOracle, testing::ValuesIn([] {
                           std::vector<OpKind> kinds;
                           for (const OpInfo& op : AllOps()) kinds.push_back(op.kind);
                           return kinds;
                         }()),
                         [](const auto& info) { return std::string(Name(info.param)); });

// It leaves its whole run open, and may end the case.
TEST(DivisionsAgainstOracle, OnlyTheLastRunOfACaseHasOneWithoutAQuotient) {
  const GeneratorOptions options = Options(OpKind::kIntdiv);
  int without_quotient = 0;
  for (uint64_t number = 0; number < 900; ++number) {
    Case test_case = GenerateCase(12, number, options);
    if (test_case.program.ops.size() > 1 || !HasIntent(test_case, "undefined-data")) continue;
    without_quotient += CountMasked(test_case).masked > 0 ? 1 : 0;
    if (test_case.runs.size() == 1) continue;
    test_case.runs.pop_back();
    EXPECT_EQ(CountMasked(test_case).masked, 0u) << CountMasked(test_case).first;
  }
  EXPECT_GT(without_quotient, 3);
}

// The oracle decides as the generator intends, legal or illegal.
TEST(IntentAgainstOracle, TheOracleDecidesAsIntended) {
  GeneratorOptions options;
  options.illegal_percent = 50;
  options.max_elements = 32;
  options.runs = 1;
  for (uint64_t number = 0; number < 4000; ++number) {
    const Case test_case = GenerateCase(12, number, options);
    const Legality legality = JudgeLegality(test_case.program, {});
    const std::string about = absl::StrCat(
        test_case.origin, ": ", Signature(test_case.program, test_case.program.ops[0]), " [", legality.rule, "]");
    // A REQUIRE, and ERROR_IFs and a type that are left to tosa-validate: docs/policies.md.
    if (HasIntent(test_case, "shift-out-of-range") || HasIntent(test_case, "rescale-attributes") ||
        HasIntent(test_case, "table-type")) {
      EXPECT_EQ(Name(legality.answer), Name(Answer::kEither)) << about;
    } else if (test_case.runs.empty()) {
      EXPECT_EQ(Name(legality.answer), Name(Answer::kRefuse)) << about;
    } else {  // an illegal case may be beyond the specification too, whatever else its intent is
      EXPECT_NE(Name(legality.answer), Name(Answer::kRefuse)) << about;
      EXPECT_EQ(legality.beyond_spec, HasIntent(test_case, "beyond-spec")) << about;
    }
  }
}

}  // namespace
}  // namespace tosaic
