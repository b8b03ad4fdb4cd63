// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of legality.h's tests: programs of one op, and checks of the decision on them. For tests only.
#ifndef TOSAIC_ORACLE_LEGALITY_TESTING_H_
#define TOSAIC_ORACLE_LEGALITY_TESTING_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "oracle/explain.h"
#include "oracle/legality.h"

namespace tosaic {

// A program of one op whose broadcast operands and result have these shapes ("2x3"); special operands are zeros.
inline Program PlainProgram(const OpInfo& op, ElementType input, ElementType result, absl::string_view operand_shape,
                            absl::string_view result_shape) {
  auto type = [](absl::string_view shape, ElementType element) {
    return absl::StrCat("tensor<", shape, shape.empty() ? "" : "x", Name(element), ">");
  };
  std::vector<std::string> operands;
  for (OperandRole role : op.operands.first(BroadcastOperandCount(op))) {
    operands.push_back(type(operand_shape, TypeOfOperand(role, input, result)));
  }
  absl::StatusOr<Program> program =
      ParseSignature(absl::StrCat(op.name, "(", absl::StrJoin(operands, ", "), ") -> ", type(result_shape, result)));
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

inline Program Parse(absl::string_view signature) {
  absl::StatusOr<Program> program = ParseSignature(signature);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

inline Legality Judge(const Program& program, const Policies& policies = {}) {
  return JudgeLegality(program, program.ops[0], policies);
}
inline Legality Judge(absl::string_view signature, const Policies& policies = {}) {
  return Judge(Parse(signature), policies);
}

inline void ExpectDecision(const Legality& legality, Answer answer, RuleId rule, absl::string_view about) {
  EXPECT_EQ(Name(legality.answer), Name(answer)) << about;
  EXPECT_EQ(legality.rule, rule) << about;
}
inline void ExpectRefused(const Legality& legality, RuleId rule, absl::string_view about) {
  ExpectDecision(legality, Answer::kRefuse, rule, about);
}

// Calls body(op, tuple) for every tuple of the specification, with a trace that names it.
template <typename Body>
void ForEverySpecTuple(Body body) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      SCOPED_TRACE(absl::StrCat(op.name, " ", Name(tuple.input), " -> ", Name(tuple.result)));
      body(op, tuple);
    }
  }
}

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LEGALITY_TESTING_H_
