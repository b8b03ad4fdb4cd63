// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosa-validate against the oracle: generated and systematic programs, legal and not, for all targets. Every
// disagreement is one of docs/findings.md.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/validation_target.h"
#include "oracle/judge.h"
#include "tests/mlir_test.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

using Capabilities = std::set<Capability>;
using Level = ValidationTarget::Level;
using Version = ValidationTarget::Version;

std::vector<ValidationTarget> Targets(const std::vector<Level>& levels) {
  using enum Capability;
  const Capabilities sets[] = {{},
                               {kProInt},
                               {kProFp},
                               {kProInt, kProFp, kDynamic},
                               {kProInt, kInt4, kInt16, kBf16},
                               {kProFp, kInt16, kBf16},
                               {kProFp, kFp8E4M3, kFp8E5M2},
                               {kProInt, kProFp, kInt16, kBf16, kFp8E4M3, kFp8E5M2}};
  std::vector<ValidationTarget> targets;
  for (const Capabilities& capabilities : sets) {
    for (Level level : levels) {
      for (bool strict : {false, true}) {
        targets.push_back({Version::k1_0, capabilities, level, strict});
        targets.push_back({Version::k1_1Draft, capabilities, level, strict});
        Capabilities more = capabilities;
        more.insert(kInt64);
        targets.push_back({Version::k1_1Draft, more, level, strict});
      }
    }
  }
  return targets;
}

std::vector<ValidationTarget> AllTargets() { return Targets({Level::k8K, Level::kNone}); }

// Where MLIR 22 says something else than the documents.
struct Finding {
  const char* name;
  Verdict verdict;
  RuleId rule;
  bool (*is_for)(const ValidationTarget& target);
  absl::string_view op = "";  // empty: any
};
constexpr Finding kFindings[] = {
    {"F1", Verdict::kFalseAccept, RuleId::kBcastVerifyDifferent, [](const ValidationTarget&) { return true; }},
    {"F17", Verdict::kFalseAccept, RuleId::kLegalResultShape, [](const ValidationTarget&) { return true; }},
    {"F21", Verdict::kFalseAccept, RuleId::kLegalReshape, [](const ValidationTarget&) { return true; }},
    {"V1", Verdict::kFalseAccept, RuleId::kValidateProfile,
     [](const ValidationTarget& target) { return !target.strict; }},
    {"V1", Verdict::kFalseAccept, RuleId::kValidateVersion,
     [](const ValidationTarget& target) { return !target.strict; }},
    {"V3", Verdict::kFalseAccept, RuleId::kValidateProfile,
     [](const ValidationTarget& target) {
       return target.version == Version::k1_1Draft && target.capabilities.count(Capability::kProInt) == 0;
     },
     "arithmetic_right_shift"},
    {"V4", Verdict::kFalseAccept, RuleId::kValidateNewShape,
     [](const ValidationTarget& target) { return target.strict; }},
    {"V2", Verdict::kFalseAccept, RuleId::kValidateUnranked,
     [](const ValidationTarget& target) { return target.level == Level::kNone; }},
    {"V2", Verdict::kFalseAccept, RuleId::kValidateDynamic,
     [](const ValidationTarget& target) { return target.level == Level::kNone; }},
    {"V2", Verdict::kFalseAccept, RuleId::kValidateLevelRank,
     [](const ValidationTarget& target) { return target.level == Level::kNone; }},
};

class ValidationTest : public MlirTest {
 protected:
  // Compares for one target; disagreements must be listed.
  void Compare(const Program& program, const ValidationTarget& target) {
    Case test_case;
    test_case.program = program;
    JudgeOptions options;
    options.validation = target;
    const Observation observation = toolchain_->verifier()->ObserveValidation(program, target);
    const Judgement judgement = Judge(test_case, observation, options);
    ++verdicts_[std::string(Name(judgement.verdict))];
    rules_.insert(judgement.rule);
    const std::string about = absl::StrCat(Signature(program, program.ops.back()), " for ", ToString(target), ": ",
                                           Name(judgement.verdict), " [", Name(judgement.rule), "] ", judgement.actual);
    EXPECT_EQ(absl::StrJoin(judgement.notes, "; "), "") << about;
    if (judgement.verdict == Verdict::kAgree || judgement.verdict == Verdict::kUndefined) return;
    for (const Finding& finding : kFindings) {
      if (judgement.verdict != finding.verdict || judgement.rule != finding.rule || !finding.is_for(target)) continue;
      if (!absl::StartsWith(about, finding.op)) continue;
      seen_.insert(finding.rule);
      return;
    }
    ADD_FAILURE() << about;
  }

  std::map<std::string, int> verdicts_;
  std::set<RuleId> rules_;
  std::set<RuleId> seen_;
};

Shape Ones(size_t rank) { return Shape(std::vector<Dim>(rank, Dim::Static(1))); }

// The special operands of an op as arguments.
Program WithSpecialsAtRunTime(Program program) {
  for (ValueRef& operand : program.ops[0].operands) {
    const Tensor* constant = AsConstant(program, operand);
    if (constant == nullptr) continue;
    program.arguments.push_back({Shape::OfSizes(constant->sizes()), constant->element_type()});
    operand = {ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size()) - 1};
  }
  program.constants.clear();
  return program;
}

TEST(ValidationTargetOfMlir, OneThatMlirDoesNotKnowIsRefusedAndNotEachProgram) {
  constexpr char kTarget[] = "1.1.draft,pro_fp+mx_common,8k";
  ToolchainOptions options;
  options.validation = ParseValidationTarget(kTarget).value();
  const absl::Status status = CreateMlirToolchain(options).status();
  EXPECT_TRUE(absl::StartsWith(status.message(), absl::StrCat("mlir-22 does not take the target ", kTarget, ": ")))
      << status;
}

// The level has no part in it.
TEST_F(ValidationTest, EveryOpAndTypeForEveryVersionAndProfile) {
  const std::vector<ValidationTarget> targets = Targets({Level::k8K});
  for (const OpInfo& op : AllOps()) {
    for (const ElementTypeInfo& input : AllElementTypes()) {
      for (const ElementTypeInfo& result : AllElementTypes()) {
        if (!DialectAccepts(op, input.type, result.type)) continue;
        const Program program = OneOp(op, input.type, result.type, Shape::OfSizes({2, 3}));
        for (const ValidationTarget& target : targets) Compare(program, target);
      }
    }
  }
  EXPECT_TRUE(rules_.count(RuleId::kValidateElementType) > 0 && rules_.count(RuleId::kValidateProfile) > 0 &&
              rules_.count(RuleId::kValidateVersion) > 0);
  EXPECT_EQ(seen_, (std::set<RuleId>{RuleId::kValidateProfile, RuleId::kValidateVersion}));
}

// The types have no part in it, but for the size of a tensor.
TEST_F(ValidationTest, EveryShapeForEveryTarget) {
  constexpr int64_t kMany = int64_t{1} << 29;  // of f32: 2^31 bytes
  const Shape shapes[] = {Shape(),
                          Ones(6),
                          Ones(7),
                          Ones(32),
                          Ones(33),
                          Dynamic(2),
                          Dynamic(7),
                          Shape::Unranked(),
                          Shape({Dim::Static(kMany - 1)}),
                          Shape({Dim::Static(kMany)}),
                          Shape({Dim::Static(kMany), Dim::Dynamic()})};
  const std::vector<ValidationTarget> targets = AllTargets();
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      if (tuple.input != ElementType::kF32 && tuple.input != ElementType::kI32) continue;
      if (op.kind == OpKind::kCast && BitWidth(tuple.result) != 32) continue;  // which has many
      for (const Shape& shape : shapes) {
        const Program program = OneOp(op, tuple, shape);
        for (const ValidationTarget& target : targets) Compare(program, target);
      }
    }
  }
  EXPECT_EQ(seen_, (std::set<RuleId>{RuleId::kValidateProfile, RuleId::kValidateNewShape, RuleId::kValidateUnranked,
                                     RuleId::kValidateDynamic, RuleId::kValidateLevelRank}));
  EXPECT_GT(rules_.count(RuleId::kValidateLevelSize), 0u);
}

TEST_F(ValidationTest, SpecialOperandsForEveryTarget) {
  for (OpKind kind : {OpKind::kMul, OpKind::kNegate}) {
    const OpInfo& op = Info(kind);
    for (const TypeTuple& tuple : op.spec_types) {
      const Program program = OneOp(op, tuple, Shape::OfSizes({2}));
      for (const ValidationTarget& target : AllTargets()) {
        Compare(WithSpecialsAtRunTime(program), target);
        for (uint64_t bits : {1u, 63u, 64u, 255u}) {
          Program other = program;
          other.constants.back().SetBits(0, bits);
          Compare(other, target);
        }
      }
    }
  }
  EXPECT_TRUE(rules_.count(RuleId::kValidateConstantOperand) > 0 && rules_.count(RuleId::kLegalShift) > 0 &&
              rules_.count(RuleId::kLegalZeroPoint) > 0);
}

TEST_F(ValidationTest, GeneratedPrograms) {
  GeneratorOptions options;
  options.illegal_percent = 40;
  options.beyond_spec_percent = 10;
  options.runs = 0;
  const std::vector<ValidationTarget> targets = AllTargets();
  for (uint64_t i = 0; i < 6000; ++i) {
    const Program program = GenerateCase(7, i, options).program;
    const std::optional<std::vector<int64_t>>& sizes = program.ops.front().attributes.new_shape;
    if (sizes && absl::c_linear_search(*sizes, 0) && absl::c_linear_search(*sizes, -1)) continue;  // findings.md, F22
    for (size_t k = 0; k < 4; ++k) Compare(program, targets[(4 * i + k) % targets.size()]);
  }
  EXPECT_EQ(verdicts_.count("harness-fault"), 0u);
  EXPECT_GT(verdicts_["agree"], 10000);
}

}  // namespace
}  // namespace tosaic
