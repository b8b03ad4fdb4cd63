// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// corpus/spec: a case per example of the documents; corpus/rules: one for every rule that no example shows. Each file
// says what the documents decide; the oracle must say the same.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/spec_case.h"
#include "oracle/explain.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/rule_cases_testing.h"
#include "oracle/validation.h"

namespace tosaic {
namespace {

// The examples, in the documents' order, with the number of runs; a label is also the file's name.
struct CorpusExample {
  const char* label;
  size_t runs;  // only legal, ranked programs have some
};
constexpr CorpusExample kCorpusExamples[] = {
    {"rfc.case.dynxdyn-dynxdyn", 16},
    {"rfc.case.1xdyn-dynxdyn", 8},
    {"rfc.case.2x3-4x3", 0},
    {"rfc.case.1x5-3x5", 1},
    {"rfc.case.3x5-3x5", 1},
    {"rfc.case.2xdyn-dynxdyn", 8},
    {"rfc.case.2x2-dynxdyn", 4},
    {"rfc.case.dynx2-2xdyn", 4},
    {"rfc.case.rank-equality", 0},
    {"rfc.case.modification-1", 0},
    {"rfc.case.modification-1-instead", 1},
    {"rfc.case.modification-1-chain", 1},
    {"rfc.case.modification-2", 3},
    {"rfc.case.add-1d-matching-static", 1},
    {"rfc.case.abs-1d-dynamic", 2},
    {"rfc.case.abs-1d-cast-result", 1},
    {"rfc.case.add-1d-broadcast-static-to-static", 1},
    {"rfc.case.add-1d-broadcast-dynamic-to-static", 2},
    {"rfc.case.add-1d-broadcast-static-to-dynamic", 2},
    {"rfc.case.add-1d-all-dynamic", 4},
    {"rfc.case.add-2d-all-dynamic", 16},
    {"rfc.case.add-0d", 1},
    {"rfc.case.add-2d-different-ranks", 0},
    {"rfc.case.select-2d-one-dynamic", 8},
    {"rfc.case.reply-static", 1},
    {"rfc.case.example-dynamic", 4},
    {"bcast.example.exact-match", 1},
    {"bcast.example.dynamic-match", 4},
    {"bcast.example.broadcast-1-4", 1},
    {"bcast.example.relaxed-result", 1},
    {"bcast.example.rank-expansion", 0},
    {"bcast.example.unranked-result", 0},
    {"bcast.example.unranked-operands", 0},
    {"bcast.example.operands-differ", 0},
    {"bcast.example.result-rank", 0},
    {"bcast.example.static-result", 3},
    {"bcast.example.result-differs", 0},
    {"bcast.example.result-broadcast", 0},
    {"bcast.probe.broadcast-1-4", 0},
    {"bcast.probe.conflict-at-the-third", 0},
    {"bcast.probe.dynamic-and-larger", 0},
    {"bcast.probe.dynamic-match", 0},
    {"bcast.probe.element-types-differ", 0},
    {"bcast.probe.equal-and-larger", 0},
    {"bcast.probe.exact-match", 0},
    {"bcast.probe.mixed", 0},
    {"bcast.probe.modification-2", 0},
    {"bcast.probe.no-operand", 0},
    {"bcast.probe.one-of-1", 0},
    {"bcast.probe.operands-differ", 0},
    {"bcast.probe.rank-expansion", 0},
    {"bcast.probe.relaxed-result", 0},
    {"bcast.probe.result-broadcast", 0},
    {"bcast.probe.result-differs", 0},
    {"bcast.probe.result-rank", 0},
    {"bcast.probe.scalar", 0},
    {"bcast.probe.six-operands", 0},
    {"bcast.probe.static-result", 0},
    {"bcast.probe.unranked-among-ranked", 0},
    {"bcast.probe.unranked-operands", 0},
    {"bcast.probe.unranked-result", 0},
    {"bcast.probe.vectors", 0},
    {"bcast.probe.vectors-differ", 0},
    {"bcast.probe.zero", 0},
};

std::filesystem::path Corpus() { return std::filesystem::path(TOSAIC_SOURCE_DIR) / "corpus"; }

std::string Read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> FilesIn(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(Corpus() / folder)) files.push_back(entry.path());
  return files;
}

SpecCase ReadSpecCase(const std::filesystem::path& path) {
  absl::StatusOr<SpecCase> spec_case = SpecCaseFromText(Read(path));
  EXPECT_TRUE(spec_case.ok()) << path << ": " << spec_case.status();
  return spec_case.ok() ? *std::move(spec_case) : SpecCase{OpSignature(), "", std::nullopt};
}

Legality Decide(const SpecCase& spec_case, const Policies& policies) {
  return spec_case.probe() != nullptr ? JudgeProbe(*spec_case.probe(), policies)
                                      : JudgeLegality(spec_case.test_case()->program, policies);
}

Legality ValidityFor(const SpecCase& spec_case, const std::string& target) {
  return JudgeValidity(spec_case.test_case()->program, ParseValidationTarget(target).value(), {});
}

Explanation ExplainLastOp(const SpecCase& spec_case) {
  if (spec_case.probe() != nullptr) return ExplainProbe(*spec_case.probe(), {});
  const Program& program = spec_case.test_case()->program;
  return Explain(program, program.ops.back(), {});
}

// Cases of rules about element types and attributes that version 1.0 lacks.
bool IsBeyondSpec(absl::string_view name) {
  return absl::StartsWith(name, "extension.") || name == "beyond-spec" || name == "validate.element-type" ||
         name == "validate.version" || name == "legal.input-unsigned";
}

TEST(Corpus, EveryFileIsDecidedAsItSays) {
  for (const char* folder : {"spec", "rules"}) {
    for (const std::filesystem::path& path : FilesIn(folder)) {
      SCOPED_TRACE(path);
      const SpecCase spec_case = ReadSpecCase(path);
      EXPECT_EQ(SpecCaseToText(spec_case), Read(path)) << "the file is in the canonical form";
      EXPECT_TRUE(absl::StartsWith(spec_case.origin, absl::StrCat(path.stem().string(), " ("))) << "cites its passage";
      ASSERT_TRUE(spec_case.expected.has_value());
      const Legality legality = Decide(spec_case, {});
      EXPECT_EQ(Name(legality.answer), spec_case.expected->decision);
      EXPECT_EQ(legality.rule, spec_case.expected->rule);
      EXPECT_EQ(legality.beyond_spec, IsBeyondSpec(path.stem().string()));
      const std::optional<ValueType> inferred = ExplainLastOp(spec_case).inferred;
      EXPECT_EQ(inferred ? ToString(*inferred) : "none", spec_case.expected->inferred.value_or("none"));
      for (const auto& [target, rule] : spec_case.expected->validation) {
        EXPECT_EQ(ValidityFor(spec_case, target).rule, rule) << target;
      }
    }
  }
}

TEST(Corpus, StrictPolicyChangesOnlyDynamicToStatic) {
  for (const std::filesystem::path& path : FilesIn("spec")) {
    const SpecCase spec_case = ReadSpecCase(path);
    const Legality legality = Decide(spec_case, {.refuse_static_result_of_dynamic_inference = true});
    const bool changes = spec_case.expected->rule == RuleId::kBcastVerifyDynStatic;
    EXPECT_EQ(Name(legality.answer), changes ? "refuse" : spec_case.expected->decision) << path;
  }
}

TEST(Corpus, EveryExampleHasItsFileAndRuns) {
  std::set<std::string> in_table, in_folder;
  for (const CorpusExample& example : kCorpusExamples) {
    in_table.insert(absl::StrCat(example.label, ".json"));
    const SpecCase spec_case = ReadSpecCase(Corpus() / "spec" / absl::StrCat(example.label, ".json"));
    const Case* test_case = spec_case.test_case();
    EXPECT_EQ(test_case != nullptr ? test_case->runs.size() : 0, example.runs) << example.label;
    if (test_case == nullptr) continue;
    for (const tosaic::Run& run : test_case->runs) EXPECT_TRUE(SizesOfAllOps(test_case->program, run));
  }
  for (const std::filesystem::path& path : FilesIn("spec")) in_folder.insert(path.filename().string());
  EXPECT_EQ(in_table, in_folder);
}

// A dynamic dimension that is 1 at run time meets a larger one: what the RFC found lowered wrongly.
TEST(Corpus, DynamicDimensionsOf1MeetLargerOnes) {
  const SpecCase spec_case = ReadSpecCase(Corpus() / "spec" / "rfc.case.2xdyn-dynxdyn.json");
  std::set<std::vector<std::vector<int64_t>>> sizes;
  for (const tosaic::Run& run : spec_case.test_case()->runs) sizes.insert({run[0].sizes(), run[1].sizes()});
  EXPECT_TRUE(sizes.contains({{2, 3}, {2, 3}}));
  EXPECT_TRUE(sizes.contains({{2, 3}, {1, 1}}));
  EXPECT_TRUE(sizes.contains({{2, 1}, {2, 3}}));
  EXPECT_TRUE(sizes.contains({{2, 1}, {1, 3}}));
}

// ---- Every rule has a case ----

// The rules of a run of a program of one op: of its sizes, and of each element that has defined ones.
std::set<RuleId> RulesOf(const Program& program, const Run& run) {
  const OpApplication& op = program.ops[0];
  std::vector<const Tensor*> operands;
  std::vector<std::vector<int64_t>> sizes;
  for (const ValueRef operand : op.operands) {
    operands.push_back(&(operand.kind == ValueRef::Kind::kArgument ? run : program.constants)[operand.index]);
    if (sizes.size() < BroadcastOperandCount(Info(op.op))) sizes.push_back(operands.back()->sizes());
  }
  const RuntimeShape shape = ResultSizes(op, sizes);
  std::set<RuleId> rules = {shape.rule};
  if (!shape.defined) return rules;
  for (const Expected& element : Evaluate(program, op, operands, shape.sizes, {})) {
    rules.insert(ValueRule(op.op, element.value_case));
  }
  return rules;
}

// The rules that take part in deciding a case: those that `tosaic explain` names, by which tosa-validate decides, and
// of its runs.
std::set<RuleId> RulesOf(const SpecCase& spec_case) {
  std::set<RuleId> rules = {ExplainLastOp(spec_case).rule};
  for (const std::string& step : ExplainLastOp(spec_case).steps) {
    const size_t label = step.rfind('[') + 1;
    rules.insert(Find<RuleId>(step.substr(label, step.size() - label - 1)).value());
  }
  for (const auto& [target, rule] : spec_case.expected->validation) rules.insert(ValidityFor(spec_case, target).rule);
  const Case* test_case = spec_case.test_case();
  if (test_case == nullptr) return rules;
  for (const tosaic::Run& run : test_case->runs) rules.merge(RulesOf(test_case->program, run));
  return rules;
}

// Each rule and policy of the lowering's contract has a case of its name; tests/contract_test.cpp lowers them.
TEST(Corpus, EveryRuleOfTheContractHasACase) {
  for (const RuleInfo& rule : AllRules()) {
    if (rule.family != RuleFamily::kContract && rule.family != RuleFamily::kLinalg) continue;
    const std::filesystem::path path = Corpus() / "rules" / absl::StrCat(rule.label, ".json");
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_EQ(ReadSpecCase(path).test_case()->route, "contract") << path;
  }
}

TEST(Corpus, EveryOpHasACaseWithValues) {
  std::set<OpKind> ops;
  for (const std::filesystem::path& path : FilesIn("rules")) {
    const SpecCase spec_case = ReadSpecCase(path);
    if (!absl::StartsWith(path.filename().string(), "value.")) continue;
    EXPECT_FALSE(spec_case.test_case()->runs.empty());
    ops.insert(spec_case.test_case()->program.ops[0].op);
  }
  for (const OpInfo& info : AllOps()) EXPECT_TRUE(ops.contains(info.kind)) << info.name;
}

}  // namespace

std::set<RuleId> RulesOfCorpus() {
  std::set<RuleId> rules;
  for (const char* folder : {"spec", "rules"}) {
    for (const std::filesystem::path& path : FilesIn(folder)) rules.merge(RulesOf(ReadSpecCase(path)));
  }
  return rules;
}

}  // namespace tosaic
