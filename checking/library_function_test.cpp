// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/library_function.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "oracle/reference.h"

namespace tosaic {
namespace {

// Every bit pattern of 8 bits, and of wider types those that sit at limits: 0, 1, all ones, and each single bit.
std::vector<uint64_t> Patterns(ElementType type) {
  const uint64_t mask = BitMask(type);
  std::vector<uint64_t> patterns = {0, 1, mask, mask >> 1, mask - 1};
  for (int bit = 1; bit < BitWidth(type); ++bit) {
    patterns.push_back(uint64_t{1} << bit);
    patterns.push_back(mask ^ (uint64_t{1} << bit));
    patterns.push_back((mask >> 1) ^ (uint64_t{1} << (bit - 1)));
  }
  return patterns;
}

TEST(OracleLibrary, ComputesWhatTheOracleAccepts) {
  uint64_t compared = 0;
  for (const OpInfo& op : AllOps()) {
    if (!IsElementwise(op)) continue;  // linalg ops of one input per operand alone call the library
    for (const TypeTuple& tuple : op.spec_types) {
      Program program;
      OpApplication application{.op = op.kind, .operands = {}, .attributes = {}, .result = {}};
      application.result = {Shape({Dim::Dynamic(), Dim::Dynamic()}), tuple.result};
      if (HasAttribute(op, Attribute::kMinVal)) application.attributes.min_val = TypedBits{tuple.input, 0};
      if (HasAttribute(op, Attribute::kMaxVal)) application.attributes.max_val = TypedBits{tuple.input, 1};
      // The first input of a column, the second of a row: each against each.
      const std::vector<uint64_t> patterns = Patterns(tuple.input);
      const auto count = static_cast<int64_t>(patterns.size());
      std::vector<Tensor> tensors;
      for (size_t i = 0; i < op.operands.size(); ++i) {
        const OperandRole role = op.operands[i];
        ElementType type = tuple.input;
        if (role == OperandRole::kCondition) type = ElementType::kI1;
        if (role == OperandRole::kShift) type = ElementType::kI8;
        const bool is_special = role == OperandRole::kShift || role == OperandRole::kZeroPoint;
        Tensor tensor(type, is_special   ? std::vector<int64_t>{1}
                            : i % 2 == 0 ? std::vector<int64_t>{count, 1}
                                         : std::vector<int64_t>{1, count});
        for (size_t e = 0; !is_special && e < tensor.element_count(); ++e) {
          tensor.SetBits(e, patterns[e] & BitMask(type));
        }
        application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
        program.arguments.push_back({Shape::OfSizes(tensor.sizes()), type});
        tensors.push_back(std::move(tensor));
      }
      program.ops = {application};
      std::vector<const Tensor*> operands;
      for (const Tensor& tensor : tensors) operands.push_back(&tensor);
      const Tensor result = OracleLibrary()(program, application, operands, {count, count});
      EXPECT_EQ(result.sizes(), (std::vector<int64_t>{count, count}));
      FlushingRecord flushing;
      const ValueComparison values = CompareValues(program, application, operands, result, Policies{}, {}, &flushing);
      EXPECT_FALSE(values.first) << op.name << " " << ToString(TypePair{tuple.input, tuple.result}) << ": expected "
                                 << values.first->expected << ", actual " << values.first->actual << " of "
                                 << values.first->inputs[0];
      EXPECT_TRUE(flushing.open().HasTheOneThatKeepsAll()) << op.name;
      EXPECT_EQ(values.implausible, 0u) << op.name;
      compared += values.compared;
    }
  }
  EXPECT_GT(compared, 100000u);
}

TEST(OracleLibrary, SaysZeroWhereAnythingIsAllowed) {
  const Program program = ParseSignature("intdiv(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>").value();
  Tensor seven(ElementType::kI32, {1}), zero(ElementType::kI32, {1});
  seven.SetBits(0, 7);
  EXPECT_EQ(OracleLibrary()(program, program.ops[0], {&seven, &zero}, {1}), zero);
  EXPECT_EQ(OracleLibrary()(program, program.ops[0], {&seven, &seven}, {1}).Bits(0), 1u);
}

}  // namespace
}  // namespace tosaic
