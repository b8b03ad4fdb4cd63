// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosa-infer-shapes against the oracle: single ops as they are generated, and chains with unranked and dynamic
// intermediates.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generators/choice_source.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/mlir_text.h"
#include "oracle/broadcast.h"
#include "oracle/legality.h"
#include "oracle/refinement.h"
#include "tests/mlir_test.h"

namespace tosaic {
namespace {

std::string Text(const Program& program) {
  std::string text;
  for (const OpApplication& op : program.ops) absl::StrAppend(&text, Signature(program, op), "; ");
  return text;
}

// docs/findings.md, I1: an operand that becomes ranked beside one that does not, of size 1 where the result has
// another.
bool CanShowI1(const Program& program) {
  const std::vector<Shape> known = *RefineShapes(program);
  for (const OpApplication& op : program.ops) {
    if (!op.result.shape.IsRanked() || BroadcastOperandCount(Info(op.op)) < 2) continue;
    bool unranked = false, has_one = false;
    for (ValueRef ref : op.operands) {
      unranked |= !TypeOf(program, ref).shape.IsRanked();
      const Shape shape = ref.kind == ValueRef::Kind::kOp ? known[ref.index] : TypeOf(program, ref).shape;
      for (size_t d = 0; shape.IsRanked() && d < shape.rank(); ++d) {
        has_one |= shape[d].Is(1) && op.result.shape[d].IsStatic() && !op.result.shape[d].Is(1);
      }
    }
    if (unranked && has_one) return true;
  }
  return false;
}

constexpr char kInferShapes[] = "builtin.module(func.func(tosa-infer-shapes))";

// The types of the ops' results, constants aside, in a module's text.
std::vector<TensorType> ResultTypes(const std::string& module) {
  std::vector<TensorType> types;
  for (const absl::string_view line : absl::StrSplit(module, '\n')) {
    const size_t arrow = line.rfind("-> ");
    if (!absl::StrContains(line, " = tosa.") || absl::StrContains(line, " = tosa.const") || arrow == line.npos)
      continue;
    const absl::StatusOr<TensorType> type = ParseTensorType(line.substr(arrow + 3));
    if (type.ok()) types.push_back(*type);
  }
  return types;
}

class InferShapesTest : public MlirTest {
 protected:
  absl::StatusOr<std::string> InferShapes(const Program& program) {
    return toolchain_->lowering()->LowerText(ToMlir(program), kInferShapes, /*to_llvm_ir=*/false);
  }
  // Programs that are illegal, or have no defined shape, say nothing here.
  void Compare(const Program& program) {
    if (JudgeLegality(program, {}).answer != Answer::kAccept) return;
    const std::optional<std::vector<Shape>> known = RefineShapes(program);
    if (!known) return;
    ++compared_;
    const absl::StatusOr<std::string> module = InferShapes(program);
    if (!module.ok() && CanShowI1(program)) {
      ++i1_;
      return;
    }
    ASSERT_TRUE(module.ok()) << Text(program) << module.status();
    const std::vector<TensorType> refined = ResultTypes(*module);
    ASSERT_EQ(refined.size(), program.ops.size()) << *module;
    bool is_less_precise = false;
    for (size_t i = 0; i < refined.size(); ++i) {
      const std::optional<Shape> expected = (*known)[i].IsRanked() ? std::optional((*known)[i]) : std::nullopt;
      const InferenceGrade grade = GradeInference(expected, program.ops[i].result.element_type, refined[i]);
      is_less_precise |= grade == InferenceGrade::kLessPrecise;
      EXPECT_TRUE(grade == InferenceGrade::kEqual || grade == InferenceGrade::kLessPrecise)
          << Text(program) << "%" << i << ": expected " << ToString((*known)[i]) << ", actual " << ToString(refined[i]);
    }
    less_precise_ += is_less_precise ? 1 : 0;
  }

  int compared_ = 0;
  int less_precise_ = 0;
  int i1_ = 0;
};

TEST_F(InferShapesTest, GeneratedOps) {
  GeneratorOptions options;
  options.illegal_percent = 0;
  options.runs = 0;
  for (uint64_t i = 0; i < 20000; ++i) Compare(GenerateCase(11, i, options).program);
  EXPECT_GT(compared_, 15000);
  RecordProperty("compared", compared_);
  RecordProperty("less_precise", less_precise_);
}

// --- Chains --------------------------------------------------------------------------------------------------------

Dim DrawDim(ChoiceSource& choices) {
  const Dim dims[] = {Dim::Static(1), Dim::Static(2), Dim::Static(3), Dim::Dynamic()};
  return dims[choices.Below(4)];
}

Shape DrawShape(ChoiceSource& choices, size_t rank) {
  if (choices.Chance(1, 6)) return Shape::Unranked();
  std::vector<Dim> dims;
  for (size_t i = 0; i < rank; ++i) dims.push_back(DrawDim(choices));
  return Shape(std::move(dims));
}

// A type that says no more than `shape`.
Shape Weakened(ChoiceSource& choices, Shape shape) {
  if (!shape.IsRanked() || choices.Chance(1, 4)) return Shape::Unranked();
  for (Dim& dim : shape.mutable_dims()) {
    if (choices.Chance(1, 2)) dim = Dim::Dynamic();
  }
  return shape;
}

// Ops of one and of two operands on f32, each on values before it.
Program DrawChain(ChoiceSource& choices) {
  constexpr OpKind kOps[] = {OpKind::kAdd, OpKind::kMaximum, OpKind::kPow, OpKind::kAbs, OpKind::kTanh, OpKind::kCast};
  Program program;
  const size_t rank = choices.Below(3);
  for (int i = 0; i < 3; ++i) program.arguments.push_back({DrawShape(choices, rank), ElementType::kF32});
  const int count = static_cast<int>(choices.Between(2, 5));
  for (int i = 0; i < count; ++i) {
    OpApplication op{.op = kOps[choices.Below(6)], .operands = {}, .attributes = {}, .result = {}};
    for (size_t k = 0; k < Info(op.op).operands.size(); ++k) {
      const bool earlier = i > 0 && choices.Chance(2, 3);
      op.operands.push_back(earlier ? ValueRef{ValueRef::Kind::kOp, static_cast<int>(choices.Below(i))}
                                    : ValueRef{ValueRef::Kind::kArgument, static_cast<int>(choices.Below(3))});
    }
    program.ops.push_back(op);
    program.ops.back().result = {Shape::Unranked(), ElementType::kF32};
    const std::optional<std::vector<Shape>> known = RefineShapes(program);
    if (!known) {  // operands that do not fit end the chain
      program.ops.pop_back();
      break;
    }
    program.ops.back().result.shape = Weakened(choices, known->back());
  }
  if (program.ops.empty()) return program;
  program.results = {{ValueRef::Kind::kOp, static_cast<int>(program.ops.size()) - 1}};
  if (choices.Chance(1, 2)) program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

TEST_F(InferShapesTest, OneOperandOfTwoBecomesRanked) {
  Program program;
  program.arguments = {{Shape({Dim::Dynamic(), Dim::Static(1)}), ElementType::kF32},
                       {Shape::Unranked(), ElementType::kF32}};
  const ValueRef arg0{ValueRef::Kind::kArgument, 0}, arg1{ValueRef::Kind::kArgument, 1}, abs{ValueRef::Kind::kOp, 0};
  program.ops = {{OpKind::kAbs, {arg0}, {}, {Shape::Unranked(), ElementType::kF32}},
                 {OpKind::kAdd, {abs, arg1}, {}, {Shape::OfSizes({2, 2}), ElementType::kF32}}};
  program.results = {{ValueRef::Kind::kOp, 1}};
  EXPECT_EQ(JudgeLegality(program, {}).answer, Answer::kAccept);
  const absl::StatusOr<std::string> module = InferShapes(program);
  ASSERT_FALSE(module.ok()) << "finding I1 is gone";
  EXPECT_TRUE(absl::StrContains(module.status().message(), "'tosa.add' op result type '2x2'")) << module.status();
}

TEST_F(InferShapesTest, Chains) {
  for (uint64_t i = 0; i < 20000; ++i) {
    SeededChoices choices(12, i);
    const Program program = DrawChain(choices);
    if (!program.ops.empty()) Compare(program);
  }
  EXPECT_GT(compared_, 8000);
  EXPECT_LT(i1_, compared_ / 100);
  RecordProperty("compared", compared_);
  RecordProperty("less_precise", less_precise_);
}

}  // namespace
}  // namespace tosaic
