// Named illegalities of the generator against the oracle's rules and MLIR's diagnostics: each breaks the one rule that
// it is meant to break, and MLIR refuses it for that reason, or the exception is listed.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/generator.h"
#include "generators/illegality.h"
#include "gtest/gtest.h"
#include "oracle/category.h"
#include "oracle/legality.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

constexpr uint64_t kSeeds[] = {1, 2, 3, 4};
constexpr uint64_t kCasesPerSeed = 3000;

// The rule that each illegality breaks.
const std::map<std::string, std::string>& IntendedRules() {
  static const auto& rules = *new std::map<std::string, std::string>{
      {"bcast-conflict", "bcast.infer.conflict"},       {"operand-rank-mismatch", "legal.rank"},
      {"result-rank-mismatch", "legal.rank"},           {"result-size-wrong", "bcast.verify.different"},
      {"result-broadcast", "bcast.verify.different"},   {"zero-size", "legal.dimension"},
      {"zero-result-size", "legal.dimension"},          {"input-types-differ", "legal.element-type"},
      {"result-type-wrong", "legal.element-type"},      {"foreign-element-type", "legal.element-type"},
      {"condition-not-i1", "legal.element-type"},       {"clamp-max-below-min", "legal.attribute.bounds"},
      {"clamp-nan-bound", "legal.attribute.bounds"},    {"clamp-bound-type", "legal.attribute.bounds"},
      {"missing-attribute", "legal.attribute.missing"}, {"shift-type", "legal.special-operand.type"},
      {"shift-shape", "legal.special-operand"},         {"shift-out-of-range", "legal.shift"},
      {"zero-point-nonzero", "legal.zero-point"},       {"zero-point-type", "legal.special-operand.type"},
      {"zero-point-shape", "legal.special-operand"},
  };
  return rules;
}

// What the trait says of shapes that are broken already: it expands ranks, so that unequal ranks may leave its
// verification unsatisfied too (bcast.verify.rank, and what follows from the shifted dimensions), and a dimension of 0
// fits no other. Which shifts and zero points are right depends on the input's element type.
bool FollowsFrom(absl::string_view intended, absl::string_view rule) {
  if (intended == "legal.rank") return absl::StartsWith(rule, "bcast.");
  if (intended == "legal.dimension") return rule == "bcast.verify.different";
  if (intended == "legal.element-type") return rule == "legal.shift" || rule == "legal.zero-point";
  return false;
}

struct IllegalCase {
  Program program;
  std::string illegality;
};

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
      if (IntendedRules().count(name) > 0) cases.push_back({std::move(generated.program), name});
    }
  }
  return cases;
}

std::string About(const IllegalCase& one) {
  return absl::StrCat(one.illegality, " ", Signature(one.program, one.program.ops.front()));
}

TEST(RefusalReasonsTest, EveryIllegalityHasAnIntendedRule) {
  std::set<std::string> names;
  for (const Illegality& illegality : AllIllegalities()) names.emplace(illegality.name);
  for (const std::string& name : names) EXPECT_EQ(IntendedRules().count(name), 1u) << name;
  EXPECT_EQ(names.size(), IntendedRules().size());
}

TEST(RefusalReasonsTest, EachIllegalityBreaksExactlyTheIntendedRule) {
  std::set<std::string> seen;
  for (const IllegalCase& one : IllegalCases()) {
    seen.insert(one.illegality);
    const std::string& intended = IntendedRules().at(one.illegality);
    EXPECT_EQ(JudgeLegality(one.program, {}).rule, intended) << About(one);
    std::vector<absl::string_view> others;
    for (absl::string_view rule : BrokenRules(one.program, one.program.ops.front(), {})) {
      if (rule != intended && !FollowsFrom(intended, rule)) others.push_back(rule);
    }
    EXPECT_EQ(absl::StrJoin(others, " "), "") << About(one);
  }
  EXPECT_EQ(seen.size(), AllIllegalities().size());
}

// Accepted against the rule; each is a finding or an open choice of the documents.
bool MayBeAccepted(const IllegalCase& one) {
  const OpKind op = one.program.ops.front().op;
  if (one.illegality == "shift-out-of-range") return true;  // a REQUIRE: docs/policies.md
  // docs/findings.md, F1.
  return op == OpKind::kMul && (one.illegality == "result-size-wrong" || one.illegality == "result-broadcast");
}

TEST(RefusalReasonsTest, MlirRefusesEachForTheIntendedReason) {
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain();
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  std::set<std::string> refused;
  for (const IllegalCase& one : IllegalCases()) {
    const Observation observation = (*toolchain)->ObserveDecision(one.program);
    if (observation.outcome == Outcome::kCompleted) {
      EXPECT_TRUE(MayBeAccepted(one)) << About(one);
      continue;
    }
    ASSERT_EQ(observation.outcome, Outcome::kRefused) << About(one);
    ASSERT_TRUE(observation.category) << About(one);
    refused.insert(one.illegality);
    const std::vector<Category> broken = BrokenCategories(one.program, {});
    EXPECT_NE(std::find(broken.begin(), broken.end(), *observation.category), broken.end())
        << About(one) << ": " << Name(*observation.category) << ": " << absl::StrJoin(observation.diagnostics, "; ");
  }
  EXPECT_EQ(refused.size(), AllIllegalities().size());
}

}  // namespace
}  // namespace tosaic
