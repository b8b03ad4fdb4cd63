// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named illegalities of the generator against the oracle's rules and MLIR's diagnostics: each breaks the one rule that
// it is meant to break, and MLIR refuses it for that reason, or the exception is listed.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/generator.h"
#include "generators/illegality.h"
#include "generators/probe.h"
#include "gtest/gtest.h"
#include "model/support_table.h"
#include "oracle/category.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"
#include "oracle/validation.h"
#include "tests/mlir_test.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

constexpr uint64_t kSeeds[] = {1, 2, 3, 4};
constexpr uint64_t kCasesPerSeed = 3000;

// Whether the trait breaks `rule` on shapes that break `intended` already: it expands ranks, so that unequal ranks may
// leave its verification unsatisfied too (bcast.verify.rank, and what follows from the shifted dimensions), and a
// dimension of 0 fits no other. Which shifts and zero points are right depends on the input's element type.
bool FollowsFrom(RuleId intended, RuleId rule) {
  if (intended == RuleId::kLegalRank) return FamilyOf(rule) == RuleFamily::kBroadcastable;
  if (intended == RuleId::kLegalDimension) return rule == RuleId::kBcastVerifyDifferent;
  // The rules on rescale's attributes and zero points depend on its types, and on the attribute that is missing.
  const bool is_of_types = intended == RuleId::kLegalElementType || intended == RuleId::kLegalAttributeMissing;
  if (is_of_types && (rule == RuleId::kLegalRescale || rule == RuleId::kLegalZeroPoint)) return true;
  if (intended == RuleId::kLegalElementType) return rule == RuleId::kLegalShift;
  return false;
}

// Of an op that has its input's shape, a static size may stand for a dynamic one whatever else is wrong.
bool MayStandBeside(RuleId intended, RuleId rule) { return rule == RuleId::kLegalResultShape && intended != rule; }

struct IllegalCase {
  Program program;
  std::string illegality;
  RuleId intended;  // the rule that the illegality breaks
};

const Illegality* Find(absl::string_view name, absl::Span<const Illegality> illegalities) {
  const auto found =
      absl::c_find_if(illegalities, [&](const Illegality& illegality) { return illegality.name == name; });
  return found == illegalities.end() ? nullptr : &*found;
}

std::vector<IllegalCase> IllegalCases() {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.runs = 0;
  std::vector<IllegalCase> cases;
  for (uint64_t seed : kSeeds) {
    for (uint64_t i = 0; i < kCasesPerSeed; ++i) {
      Case generated = GenerateCase(seed, i, options);
      const std::string name = generated.origin.substr(generated.origin.find("intent=") + 7);
      const Illegality* illegality = Find(name, AllIllegalities());
      if (illegality == nullptr) continue;
      cases.push_back({std::move(generated.program), name, illegality->rule});
    }
  }
  return cases;
}

std::string About(const IllegalCase& illegal_case) {
  return absl::StrCat(illegal_case.illegality, " ", Signature(illegal_case.program, illegal_case.program.ops.front()));
}

TEST(RefusalReasonsTest, EachIllegalityBreaksExactlyTheIntendedRule) {
  std::set<std::string> seen;
  for (const IllegalCase& illegal_case : IllegalCases()) {
    seen.insert(illegal_case.illegality);
    EXPECT_EQ(JudgeLegality(illegal_case.program, {}).rule, illegal_case.intended) << About(illegal_case);
    std::vector<absl::string_view> others;
    for (const RuleId rule : BrokenRules(illegal_case.program, illegal_case.program.ops.front(), {})) {
      if (rule != illegal_case.intended && !FollowsFrom(illegal_case.intended, rule) &&
          !MayStandBeside(illegal_case.intended, rule))
        others.push_back(Name(rule));
    }
    EXPECT_EQ(absl::StrJoin(others, " "), "") << About(illegal_case);
  }
  EXPECT_EQ(seen.size(), AllIllegalities().size());
}

// Accepted against the rule; each is a finding or an open choice of the documents.
bool MayBeAccepted(const IllegalCase& illegal_case) {
  const OpKind op = illegal_case.program.ops.front().op;
  // A REQUIRE, and ERROR_IFs that are left to tosa-validate: docs/policies.md.
  if (illegal_case.illegality == "shift-out-of-range" || illegal_case.illegality == "rescale-attributes") return true;
  if (illegal_case.illegality == "table-type") return true;  // docs/policies.md: any table suits the op's verifier
  if (op == OpKind::kRescale && illegal_case.intended == RuleId::kLegalResultShape)
    return true;  // docs/findings.md, F26
  // docs/findings.md, F1, F17 and F21.
  if (op == OpKind::kIdentity || illegal_case.illegality == "new-shape") return true;
  return op == OpKind::kMul &&
         (illegal_case.illegality == "result-size-wrong" || illegal_case.illegality == "result-broadcast");
}

// Of unequal ranks the trait, which is asked first, may say as well that they do not broadcast; a result of another
// rank than is inferred breaks the trait's verification (bcast.verify.rank) with TOSA's.
bool IsAnotherWordForIt(const std::string& illegality, Category category) {
  if (illegality == "result-rank-mismatch") return category == Category::kResultIncompatible;
  return illegality == "operand-rank-mismatch" &&
         (category == Category::kResultIncompatible || category == Category::kNotBroadcastable);
}

using MlirsReasonsTest = MlirTest;

TEST_F(MlirsReasonsTest, EachIsRefusedForTheIntendedReason) {
  std::set<std::string> refused;
  for (const IllegalCase& illegal_case : IllegalCases()) {
    const std::optional<std::vector<int64_t>>& sizes = illegal_case.program.ops.front().attributes.new_shape;
    if (sizes && absl::c_linear_search(*sizes, 0)) continue;  // findings.md, F22: beside a -1 it ends this process
    const Observation observation = toolchain_->verifier()->ObserveDecision(illegal_case.program);
    // An open table may come with a size that MLIR refuses beside it (MayStandBeside).
    const bool is_of_size = illegal_case.intended == RuleId::kLegalSpecialOperandType &&
                            observation.category == Category::kResultIncompatible;
    if (observation.outcome == Outcome::kCompleted || is_of_size) {
      EXPECT_TRUE(MayBeAccepted(illegal_case)) << About(illegal_case);
      continue;
    }
    ASSERT_EQ(observation.outcome, Outcome::kRefused) << About(illegal_case);
    ASSERT_TRUE(observation.category) << About(illegal_case);
    refused.insert(illegal_case.illegality);
    EXPECT_TRUE(observation.category == Info(illegal_case.intended).refusal ||
                IsAnotherWordForIt(illegal_case.illegality, *observation.category))
        << About(illegal_case) << ": " << Name(*observation.category) << ": "
        << absl::StrJoin(observation.diagnostics, "; ");
  }
  EXPECT_EQ(refused.size(), AllIllegalities().size() - 2);  // rescale-attributes and table-type
}

// ---- tosa-validate ----

// Everything that 1.0 has, but for the extension that lets special operands be known at run time.
ValidationTarget FullTarget() {
  ValidationTarget target{.version = ValidationTarget::Version::k1_0, .strict = true};
  for (const Capability capability : All<Capability>()) {
    const bool rounds = capability == Capability::kDoubleRound || capability == Capability::kInexactRound;
    const bool is_of_types = capability < Capability::kDynamic && capability != Capability::kInt64;
    if (is_of_types || rounds) target.capabilities.insert(capability);
  }
  return target;
}

// Gives new shapes the result's sizes in place of a -1, which is refused for a reason of its own; false: they are not
// known.
bool SayNewShapes(Program* program) {
  for (OpApplication& op : program->ops) {
    if (!op.attributes.new_shape || !absl::c_linear_search(*op.attributes.new_shape, -1)) continue;
    if (!op.result.shape.IsStatic()) return false;
    op.attributes.new_shape->clear();
    for (const Dim dim : op.result.shape.dims()) op.attributes.new_shape->push_back(dim.size());
  }
  return true;
}

class ValidatorReasonsTest : public MlirTest {
 protected:
  // Both the oracle and MLIR refuse it for this rule and no other. Element types of the draft need an extension that
  // only the draft has: MLIR may name either.
  void ExpectRefusedFor(const Program& program, const ValidationTarget& target, RuleId rule) {
    const std::string about =
        absl::StrCat(Name(rule), ": ", Signature(program, program.ops[0]), " for ", ToString(target));
    const Legality legality = JudgeLegality(program, {});
    EXPECT_NE(legality.answer, Answer::kRefuse) << about;
    EXPECT_EQ(JudgeValidity(program, target, {}).rule, rule) << about;
    std::vector<Category> broken = {*Info(rule).refusal};
    // Constants of i64, which zero points are of then, need an extension of their own.
    const bool has_i64 = absl::c_any_of(
        program.constants, [](const Tensor& constant) { return constant.element_type() == ElementType::kI64; });
    const bool needs_extension = rule == RuleId::kValidateElementType && has_i64;
    if (rule == RuleId::kValidateVersion || needs_extension) broken.push_back(Category::kProfile);
    if (IsLaterDraft(program, program.ops[0], kCanonicalDialect)) {
      // MLIR 22 has not got the types at all; i1 and f32 need no extension.
      broken = BrokenCategories(program, target, {});
      EXPECT_EQ(std::count(broken.begin(), broken.end(), *Info(rule).refusal), 1) << about;
      EXPECT_EQ(std::count(broken.begin(), broken.end(), Category::kElementType), 1) << about;
    }
    if (legality.answer == Answer::kEither && legality.rule != rule)
      broken.insert(broken.begin(), *Info(legality.rule).refusal);
    EXPECT_EQ(BrokenCategories(program, target, {}), broken) << about;
    const Observation observation = toolchain_->verifier()->ObserveValidation(program, target);
    ASSERT_EQ(observation.outcome, Outcome::kRefused) << about;
    EXPECT_EQ(std::count(broken.begin(), broken.end(), *observation.category), 1)
        << about << ": " << observation.diagnostics.front();
  }
};

TEST_F(ValidatorReasonsTest, EachIllegalityIsRefusedForTheIntendedReason) {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.runs = 0;
  options.for_validator = true;
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 6000; ++i) {
    const Case generated = GenerateCase(1, i, options);
    const std::string name = generated.origin.substr(generated.origin.find("intent=") + 7);
    const Illegality* illegality = Find(name, AllValidatorIllegalities());
    if (illegality == nullptr) continue;
    Program program = generated.program;
    if (!SayNewShapes(&program)) continue;
    seen.insert(name);
    ExpectRefusedFor(program, FullTarget(), illegality->rule);
  }
  EXPECT_EQ(seen.size(), AllValidatorIllegalities().size());
}

TEST_F(ValidatorReasonsTest, EachTupleOfAnOpNeedsItsProfile) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      const Program program = OneOp(op, tuple, Shape::OfSizes({2, 3}));
      EXPECT_EQ(JudgeValidity(program, FullTarget(), {}).answer, Answer::kAccept);
      EXPECT_EQ(toolchain_->verifier()->ObserveValidation(program, FullTarget()).outcome, Outcome::kCompleted);
      ValidationTarget bare = FullTarget();
      bare.capabilities.clear();
      ExpectRefusedFor(program, bare, RuleId::kValidateProfile);
    }
  }
}

// ---- The Broadcastable trait alone ----

// Why MLIR 22 may accept what is broken all the same (docs/findings.md).
struct ProbeFinding {
  const char* illegality;
  const char* finding;
};
constexpr ProbeFinding kProbeFindings[] = {
    {"probe-no-operand", "T3"}, {"probe-scalar-operand", "T4"},     {"probe-scalar-result", "T4"},
    {"probe-conflict", ""},     {"probe-result-rank-higher", "T1"}, {"probe-result-rank-lower", ""},
    {"probe-result-size", ""},
};

using ProbeReasonsTest = MlirTest;

TEST_F(ProbeReasonsTest, EachIllegalityBreaksItsRuleAndIsRefusedForItOrAFinding) {
  ASSERT_EQ(AllProbeIllegalities().size(), std::size(kProbeFindings));
  for (size_t i = 0; i < std::size(kProbeFindings); ++i) {
    const ProbeIllegality& illegality = AllProbeIllegalities()[i];
    ASSERT_EQ(illegality.name, kProbeFindings[i].illegality);
    int accepted = 0, refused = 0;
    for (uint64_t stream = 0; stream < 1000; ++stream) {
      SeededChoices choices(i, stream);
      OpSignature probe = DrawLegalProbe(choices);
      EXPECT_EQ(JudgeProbe(probe, {}).answer, Answer::kAccept) << ToString(probe);
      illegality.apply(choices, probe);
      const Legality legality = JudgeProbe(probe, {});
      EXPECT_EQ(legality.answer, Answer::kRefuse) << illegality.name << " " << ToString(probe);
      EXPECT_EQ(legality.rule, illegality.rule) << illegality.name << " " << ToString(probe);
      const Observation observation = toolchain_->verifier()->ObserveProbe(probe);
      const bool has_vector = std::any_of(probe.operands.begin(), probe.operands.end(), [](const ValueType& operand) {
        return operand.container == Container::kVector;
      });
      if (observation.outcome == Outcome::kCompleted) {
        ++accepted;
        EXPECT_TRUE(has_vector || *kProbeFindings[i].finding != 0) << ToString(probe);  // T2: any vectors
        continue;
      }
      ++refused;
      ASSERT_EQ(observation.outcome, Outcome::kRefused);
      EXPECT_EQ(WrongReason(*observation.category, BrokenCategories(probe, {}), legality.rule), "")
          << ToString(probe) << ": " << observation.diagnostics.front();
    }
    EXPECT_GT(*kProbeFindings[i].finding == 0 ? refused : accepted, 0) << illegality.name;
  }
}

}  // namespace
}  // namespace tosaic
