// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/one_op.h"

#include "generators/generator.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

// A tensor of rank 0 has one element, which a dynamic type does not say of its own.
TEST(OneOp, DynamicOperandsAreReshapedToScalars) {
  GeneratorOptions options;
  options.ops = {OpKind::kReshape};
  options.illegal_percent = options.chain_percent = options.graph_percent = options.identity_percent = 0;
  int scalars = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    const Case generated = GenerateCase(1, i, options);
    const OpApplication& op = generated.program.ops.front();
    const Shape operand = TypeOf(generated.program, op.operands[0]).shape;
    if (!op.result.shape.IsRanked() || op.result.shape.rank() > 0 || operand.IsStatic()) continue;
    ++scalars;
    for (const auto& run : generated.runs) EXPECT_EQ(run[0].element_count(), 1u) << generated.origin;
  }
  EXPECT_GT(scalars, 3);
}

}  // namespace
}  // namespace tosaic
