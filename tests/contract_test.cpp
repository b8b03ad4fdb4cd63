// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The RFC's contract against the real tosa-to-linalg, on the route `contract`: every combination of shapes up to rank 2
// for one, two and three operands, and every op of the catalogue on all kinds of dimension pairs.
#include "oracle/contract.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/spec_case.h"
#include "oracle/explain.h"
#include "oracle/judge.h"
#include "oracle/legality.h"
#include "tests/mlir_test.h"

namespace tosaic {
namespace {

std::vector<Shape> ShapesOf(size_t rank) {
  std::vector<Shape> shapes = {Shape()};
  for (size_t d = 0; d < rank; ++d) {
    std::vector<Shape> longer;
    for (const Shape& shape : shapes) {
      for (const Dim dim : {Dim::Dynamic(), Dim::Static(1), Dim::Static(2)}) {
        longer.push_back(shape);
        longer.back().mutable_dims().push_back(dim);
      }
    }
    shapes = std::move(longer);
  }
  return shapes;
}

// All runs whose dynamic dimensions are 1 or 2; the data are zeros.
std::vector<Run> RunsOf(const Program& program) {
  std::vector<Run> runs = {{}};
  for (const TensorType& type : program.arguments) {
    std::vector<std::vector<int64_t>> all_sizes = {{}};
    for (const Dim dim : type.shape.dims()) {
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t>& sizes : all_sizes) {
        for (const int64_t size : dim.IsStatic() ? std::vector<int64_t>{dim.size()} : std::vector<int64_t>{1, 2}) {
          longer.push_back(sizes);
          longer.back().push_back(size);
        }
      }
      all_sizes = std::move(longer);
    }
    std::vector<Run> longer;
    for (const Run& run : runs) {
      for (const std::vector<int64_t>& sizes : all_sizes) {
        longer.push_back(run);
        longer.back().push_back(Tensor(type.element_type, sizes));
      }
    }
    runs = std::move(longer);
  }
  return runs;
}

// Of those, the ones whose dynamic dimensions are all 1 or all 2.
std::vector<Run> UniformRunsOf(const Program& program) {
  std::vector<Run> runs;
  for (const int64_t size : {1, 2}) {
    Run& run = runs.emplace_back();
    for (const TensorType& type : program.arguments) {
      std::vector<int64_t> sizes;
      for (const Dim dim : type.shape.dims()) sizes.push_back(dim.IsStatic() ? dim.size() : size);
      run.push_back(Tensor(type.element_type, sizes));
    }
  }
  return runs;
}

// docs/findings.md, L1: once a dimension of an operand is broadcast at run time, so is every later dynamic one.
std::string ByL1(const Program& program) {
  std::vector<RuntimeBroadcast> broadcasts = PredictRuntimeBroadcasts(program, program.ops[0]);
  std::set<RuntimeBroadcast> all(broadcasts.begin(), broadcasts.end());
  for (const RuntimeBroadcast& broadcast : broadcasts) {
    const Shape shape = OperandTypes(program, program.ops[0])[static_cast<size_t>(broadcast.operand)].shape;
    for (size_t d = static_cast<size_t>(broadcast.dim); d < shape.rank(); ++d) {
      if (shape[d].IsDynamic()) all.insert({broadcast.operand, static_cast<int>(d)});
    }
  }
  return Compared(broadcasts, std::vector<RuntimeBroadcast>(all.begin(), all.end()));
}

class ContractTest : public MlirTest {
 protected:
  Judgement JudgeOne(Case test_case) {
    test_case.route = "contract";
    return Judge(test_case, toolchain_->Observe(test_case));
  }

  // Judges an op on arguments of these shapes, if it is legal.
  void Compare(const std::string& op, absl::Span<const Shape> operands, const Shape& result) {
    std::vector<std::string> types;
    for (const Shape& shape : operands) {
      const bool is_condition = op == "select" && types.empty();
      types.push_back(ToString(TensorType{shape, is_condition ? ElementType::kI1 : ElementType::kF32}));
    }
    const std::string signature =
        absl::StrCat(op, "(", absl::StrJoin(types, ", "), ") -> ", ToString(TensorType{result, ElementType::kF32}));
    Case test_case;
    test_case.program = ParseSignature(signature).value();
    if (JudgeLegality(test_case.program, {}).answer != Answer::kAccept) return;
    test_case.runs = result.rank() <= 2 ? RunsOf(test_case.program) : UniformRunsOf(test_case.program);
    const Judgement judgement = JudgeOne(test_case);
    ++compared_;
    if (judgement.rule == RuleId::kContractRuntimeBroadcastSuperfluous && judgement.actual == ByL1(test_case.program)) {
      ++l1_;
      return;
    }
    EXPECT_EQ(judgement.verdict, Verdict::kAgree)
        << signature << ": " << Name(judgement.verdict) << " [" << judgement.rule << "], expected "
        << judgement.expected << ", actual " << judgement.actual;
  }

  int compared_ = 0;
  int l1_ = 0;
};

TEST_F(ContractTest, EveryShapeOfOneOperand) {
  for (size_t rank = 0; rank <= 2; ++rank) {
    for (const Shape& operand : ShapesOf(rank)) {
      for (const Shape& result : ShapesOf(rank)) Compare("abs", {operand}, result);
    }
  }
  EXPECT_EQ(compared_, 57);
  EXPECT_EQ(l1_, 0);
}

TEST_F(ContractTest, EveryShapeOfTwoOperands) {
  for (size_t rank = 0; rank <= 2; ++rank) {
    for (const Shape& left : ShapesOf(rank)) {
      for (const Shape& right : ShapesOf(rank)) {
        for (const Shape& result : ShapesOf(rank)) Compare("add", {left, right}, result);
      }
    }
  }
  EXPECT_EQ(compared_, 463);
  EXPECT_EQ(l1_, 30);
}

TEST_F(ContractTest, EveryShapeOfThreeOperands) {
  for (size_t rank = 0; rank <= 2; ++rank) {
    for (const Shape& condition : ShapesOf(rank)) {
      for (const Shape& left : ShapesOf(rank)) {
        for (const Shape& right : ShapesOf(rank)) {
          for (const Shape& result : ShapesOf(rank)) Compare("select", {condition, left, right}, result);
        }
      }
    }
  }
  EXPECT_EQ(compared_, 3783);
  EXPECT_EQ(l1_, 171);
}

// Above rank 2, every choice of kinds of dimensions: two operands' dimensions and the result's, of which order matters
// only to L1. Each choice stands in rising and in falling order.
TEST_F(ContractTest, EveryChoiceOfDimensionsUpToRank4) {
  std::vector<std::array<Dim, 3>> kinds;
  for (const Shape& left : ShapesOf(1)) {
    for (const Shape& right : ShapesOf(1)) {
      for (const Shape& result : ShapesOf(1)) {
        const int before = compared_;
        Compare("add", {left, right}, result);
        if (compared_ > before) kinds.push_back({left[0], right[0], result[0]});
      }
    }
  }
  ASSERT_EQ(kinds.size(), 21u);
  compared_ = 0;
  std::vector<std::vector<size_t>> choices = {{}};
  for (size_t rank = 1; rank <= 4; ++rank) {
    std::vector<std::vector<size_t>> longer;
    for (const std::vector<size_t>& choice : choices) {
      for (size_t kind = choice.empty() ? 0 : choice.back(); kind < kinds.size(); ++kind) {
        longer.push_back(choice);
        longer.back().push_back(kind);
      }
    }
    choices = std::move(longer);
    for (const std::vector<size_t>& choice : choices) {
      if (rank <= 2) break;
      Shape shapes[3], reversed[3];
      for (size_t side = 0; side < 3; ++side) {
        for (const size_t kind : choice) shapes[side].mutable_dims().push_back(kinds[kind][side]);
        reversed[side] = shapes[side];
        std::reverse(reversed[side].mutable_dims().begin(), reversed[side].mutable_dims().end());
      }
      Compare("add", {shapes[0], shapes[1]}, shapes[2]);
      Compare("add", {reversed[0], reversed[1]}, reversed[2]);
    }
  }
  EXPECT_EQ(compared_, 2 * (1771 + 10626));
  EXPECT_GT(l1_, 1000);
}

// MLIR moves the constant to the right: the first input is then an op on the very value that is expected there.
TEST_F(ContractTest, ACommutedOperandMayBeMadeOfTheOther) {
  const TensorType scalar{Shape(), ElementType::kF16};
  Case test_case;
  test_case.route = "contract";
  test_case.program.constants = {Tensor(ElementType::kF16, {})};
  const ValueRef constant{ValueRef::Kind::kConstant, 0}, cos{ValueRef::Kind::kOp, 0};
  test_case.program.ops = {{OpKind::kCos, {constant}, {}, scalar}, {OpKind::kMaximum, {constant, cos}, {}, scalar}};
  test_case.program.results = {{ValueRef::Kind::kOp, 1}};
  test_case.runs = {{}};
  const Judgement judgement = Judge(test_case, toolchain_->Observe(test_case));
  EXPECT_EQ(judgement.verdict, Verdict::kAgree) << judgement.rule << ": " << judgement.actual;
  EXPECT_EQ(judgement.notes, std::vector<std::string>{"contract.commuted"});
}

// F6 of an op's result: cos times a constant 1 of two elements is folded to the cosine, whose lowering is none of mul.
TEST_F(ContractTest, AnOpFoldedToTheLoweringOfItsOperandIsJudgedAsFolded) {
  const TensorType two{Shape({Dim::Static(2)}), ElementType::kF32}, open{Shape({Dim::Dynamic()}), ElementType::kF32};
  Case test_case;
  test_case.route = "contract";
  Tensor ones(ElementType::kF32, {2});
  for (size_t i = 0; i < 2; ++i) ones.SetBits(i, 0x3f800000);
  test_case.program.arguments = {open};
  test_case.program.constants = {ones, Tensor(ElementType::kI8, {1})};
  const ValueRef argument{ValueRef::Kind::kArgument, 0}, cos{ValueRef::Kind::kOp, 0};
  const ValueRef one{ValueRef::Kind::kConstant, 0}, shift{ValueRef::Kind::kConstant, 1};
  test_case.program.ops = {{OpKind::kCos, {argument}, {}, open}, {OpKind::kMul, {cos, one, shift}, {}, open}};
  test_case.program.results = {{ValueRef::Kind::kOp, 1}};
  test_case.runs = {{ones}};
  const Judgement judgement = Judge(test_case, toolchain_->Observe(test_case));
  EXPECT_EQ(judgement.verdict, Verdict::kContractViolation);
  EXPECT_EQ(judgement.rule, RuleId::kContractFoldedExtents) << judgement.expected << ": " << judgement.actual;
}

// L1 under a folded op: abs of abs is one abs, and the select below it broadcasts too much.
TEST_F(ContractTest, TheFaultOfAnOperandIsNamedThroughAFoldedOp) {
  const TensorType column{Shape({Dim::Dynamic(), Dim::Static(1)}), ElementType::kF32};
  const TensorType open{Shape({Dim::Dynamic(), Dim::Dynamic()}), ElementType::kF32};
  const TensorType condition{open.shape, ElementType::kI1};
  const ValueRef value{ValueRef::Kind::kArgument, 0}, choice{ValueRef::Kind::kArgument, 1};
  Case test_case;
  test_case.route = "contract";
  test_case.program.arguments = {column, condition};
  test_case.program.ops = {{OpKind::kSelect, {choice, value, value}, {}, open},
                           {OpKind::kAbs, {{ValueRef::Kind::kOp, 0}}, {}, open},
                           {OpKind::kAbs, {{ValueRef::Kind::kOp, 1}}, {}, open}};
  test_case.program.results = {{ValueRef::Kind::kOp, 2}};
  test_case.runs = {{Tensor(ElementType::kF32, {1, 1}), Tensor(ElementType::kI1, {1, 1})}};
  const Judgement judgement = Judge(test_case, toolchain_->Observe(test_case));
  EXPECT_EQ(judgement.rule, RuleId::kContractRuntimeBroadcastSuperfluous)
      << judgement.expected << ": " << judgement.actual;
}

// Whatever the generator makes, programs of several ops included; but not what may end the process (findings.md, F2).
// MLIR 22 dies if it folds a comparison of constants with an unranked result (docs/findings.md, F15).
bool MayFoldUnrankedComparison(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const OpApplication& op) {
    const bool compares = op.op == OpKind::kEqual || op.op == OpKind::kGreater || op.op == OpKind::kGreaterEqual;
    return compares && !op.result.shape.IsRanked();
  });
}

TEST_F(ContractTest, GeneratedPrograms) {
  std::map<RuleId, int> violations;
  int agree = 0;
  for (uint64_t i = 0; i < 3000; ++i) {
    const Case test_case = GenerateCase(3, i, {});
    const Program& program = test_case.program;
    const bool is_f2 = std::any_of(program.ops.begin(), program.ops.end(),
                                   [&](const OpApplication& op) { return HasSpecialOperandAtRunTime(program, op); });
    if (is_f2 || MayFoldUnrankedComparison(program)) continue;
    const Judgement judgement = JudgeOne(test_case);
    agree += judgement.verdict == Verdict::kAgree ? 1 : 0;
    EXPECT_NE(judgement.verdict, Verdict::kHarnessFault) << judgement.actual;
    if (judgement.verdict == Verdict::kContractViolation) ++violations[judgement.rule];
  }
  EXPECT_GT(agree, 2000);
  for (const auto& [rule, count] : violations) {
    const bool is_listed = rule == RuleId::kContractRuntimeBroadcastSuperfluous ||
                           rule == RuleId::kContractFoldedConstant || rule == RuleId::kContractFoldedExtents ||
                           rule == RuleId::kContractLeftover;
    EXPECT_TRUE(is_listed) << rule << " " << count << " times (docs/findings.md, L1 to L3 and B5)";
  }
}

// corpus/rules: what is not kept is a finding, by the rule that the case is named after.
TEST_F(ContractTest, EveryRulesCase) {
  const std::set<RuleId> findings = {RuleId::kContractFoldedConstant, RuleId::kContractFoldedExtents};
  int cases = 0;
  for (const RuleInfo& rule : AllRules()) {
    if (rule.family != RuleFamily::kContract && rule.family != RuleFamily::kLinalg) continue;
    ++cases;
    std::ifstream in(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/rules/", rule.label, ".json"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Judgement judgement = JudgeOne(*SpecCaseFromText(text).value().test_case());
    if (rule.id == RuleId::kContractUnranked) {
      EXPECT_EQ(judgement.verdict, Verdict::kUnsupported);
    } else if (findings.contains(rule.id)) {
      EXPECT_EQ(judgement.verdict, Verdict::kContractViolation) << rule.label;
      EXPECT_EQ(judgement.rule, rule.id);
    } else {
      EXPECT_EQ(judgement.verdict, Verdict::kAgree) << rule.label << ": " << judgement.rule << ", " << judgement.actual;
    }
    // A case of a policy shows that it is needed.
    const bool is_policy = rule.id == RuleId::kContractApplyScale || rule.id == RuleId::kContractCommuted ||
                           rule.id == RuleId::kContractFolded || rule.id == RuleId::kContractMapOfOne;
    const std::vector<std::string>& notes = judgement.notes;
    EXPECT_EQ(std::find(notes.begin(), notes.end(), rule.label) != notes.end(), is_policy) << rule.label;
  }
  EXPECT_GT(cases, 20);
}

}  // namespace
}  // namespace tosaic
