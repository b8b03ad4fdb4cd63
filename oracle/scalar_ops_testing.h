// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of scalar_ops.h's tests, which give operands as doubles and compare the allowed values as text. For tests
// only.
#ifndef TOSAIC_ORACLE_SCALAR_OPS_TESTING_H_
#define TOSAIC_ORACLE_SCALAR_OPS_TESTING_H_

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

using E = ElementType;
using K = OpKind;
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kMin32 = -2147483648.0, kMax32 = 2147483647.0;
inline constexpr E kFloats[] = {E::kF16, E::kBF16, E::kF32};

inline uint64_t BitsOf(E type, double value) {
  if (IsFloat(type)) return NearestBits(type, value);
  return static_cast<uint64_t>(static_cast<Wide>(value)) & BitMask(type);
}

// All element types on which the op has values: those of the specification, of its draft, and of the extension rules.
inline std::vector<TypeTuple> TuplesWithValues(const OpInfo& op) {
  std::vector<TypeTuple> tuples;
  for (const ElementTypeInfo& input : AllElementTypes()) {
    for (const ElementTypeInfo& result : AllElementTypes()) {
      if (HasValues(op, input.type, result.type)) tuples.push_back({input.type, result.type, Profile::kProIntOrFp});
    }
  }
  return tuples;
}

inline Expected Eval(K op, E input, E result, const std::vector<double>& operands, const Attributes& attributes = {},
                     const Policies& policies = {}) {
  ScalarInput in = {
      .op = Info(op), .input_type = input, .result_type = result, .attributes = attributes, .policies = policies};
  for (size_t i = 0; i < std::min(operands.size(), in.op.operands.size()); ++i)
    in.bits[i] = BitsOf(in.OperandType(i), operands[i]);
  return EvaluateScalar(in);
}

struct Row {
  K op;
  E input, result;
  std::vector<double> operands;
  std::string expected;  // DescribeExpected
  Attributes attributes = {};
};

inline void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::string name = absl::StrCat(Name(row.op), " ", Name(row.input), " -> ", Name(row.result), ":");
    for (double x : row.operands) absl::StrAppend(&name, " ", x);
    EXPECT_EQ(DescribeExpected(row.result, Eval(row.op, row.input, row.result, row.operands, row.attributes)),
              row.expected)
        << name;
  }
}

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SCALAR_OPS_TESTING_H_
