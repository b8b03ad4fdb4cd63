// All rows of the catalogue, by the table of scalar functions.
#include "oracle/scalar_ops.h"

#include <vector>

#include "gtest/gtest.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

TEST(ScalarOpsTest, EveryTupleOfTheCatalogueHasAValueForOnes) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      Attributes attributes;
      attributes.min_val = TypedBits{tuple.input, BitsOf(tuple.input, 0)};
      attributes.max_val = TypedBits{tuple.input, BitsOf(tuple.input, 2)};
      std::vector<double> operands;
      for (OperandRole role : op.operands) {
        operands.push_back(role == OperandRole::kInput || role == OperandRole::kCondition ? 1 : 0);
      }
      const Expected expected = Eval(op.kind, tuple.input, tuple.result, operands, attributes);
      EXPECT_TRUE(expected.kind == Expected::Kind::kBits || expected.kind == Expected::Kind::kRange)
          << op.name << " " << Name(tuple.input) << " -> " << Name(tuple.result);
    }
  }
}

TEST(ScalarOpsTest, BeyondTheSpecificationEverythingIsUndefined) {
  for (const OpInfo& op : AllOps()) {
    EXPECT_EQ(RuleOf(op, Eval(op.kind, E::kF64, E::kF64, {1, 1})), RuleId::kBeyondSpec) << op.name;
    EXPECT_EQ(RuleOf(op, Eval(op.kind, E::kI64, E::kI64, {1, 1})), RuleId::kBeyondSpec) << op.name;
  }
}

}  // namespace
}  // namespace tosaic
