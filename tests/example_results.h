// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result files of every kind, made from literals. For tests only.
#ifndef TOSAIC_TESTS_EXAMPLE_RESULTS_H_
#define TOSAIC_TESTS_EXAMPLE_RESULTS_H_

#include <map>
#include <string>
#include <utility>

#include "model/json.h"
#include "results/block_report.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/proofs.h"
#include "results/result_file.h"
#include "results/type_sweep.h"
#include "results/value_sweep.h"

namespace tosaic {

// Text that must be harmless everywhere: markup, control characters, no UTF-8, fences, mentions, quotes, turned order.
inline const std::string kNasty =
    "<script>document.title='boom'</script><img src=x onerror=document.title='boom'>\x1b[31m\x01\x7f ``` | & \" ' \xff "
    "</pre>\n\n# @all \\ ]]> \xe2\x80\xae \xef\xbf\xbf";

inline Case ExampleCase() {
  Case test_case;
  test_case.program.arguments = {{Shape::OfSizes({2}), ElementType::kF32}};
  test_case.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, test_case.program.arguments.front()}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {2})}};
  return test_case;
}

// A finding with `text` wherever a finding has words of its own.
inline Finding ExampleFinding(const std::string& signature, const std::string& text, bool known) {
  Finding finding;
  finding.signature = ParseFindingSignature(signature);
  finding.op = "abs";
  finding.route = "loops";
  finding.cause = known ? "F1" : signature;
  finding.known_reason = known ? "because " + text : "";
  finding.count = 3;
  finding.cases().case_number = 17;
  finding.cases().original = finding.cases().reduced = ExampleCase();
  finding.judgement.verdict = Verdict::kWrongValue;
  finding.judgement.rule = RuleId::kValueAbsPlain;
  finding.judgement.expected = "1.5 " + text;
  finding.judgement.actual = "-1.5 " + text;
  finding.judgement.notes = {"noted " + text};
  ElementMismatch& mismatch = finding.judgement.mismatch.emplace();
  mismatch.inputs = {"-1.5"};
  mismatch.expected = "1.5";
  mismatch.actual = "-1.5";
  mismatch.bound = "exact";
  return finding;
}

inline Tile ExampleTile(const std::string& op, const std::string& types, const std::string& shapes,
                        VerdictCounts verdicts, const std::vector<std::string>& signatures = {}) {
  Tile tile;
  tile.op = op, tile.types = types, tile.shapes = shapes;
  for (const auto& [verdict, count] : verdicts) tile.cases += count;
  tile.runs = 2 * tile.cases;
  tile.verdicts = std::move(verdicts);
  for (const std::string& signature : signatures) tile.signatures.push_back(ParseFindingSignature(signature));
  return tile;
}

// Tiles of every outcome, with findings of these signatures.
inline std::vector<Tile> ExampleTiles(const std::string& fresh, const std::string& known) {
  return {ExampleTile("abs", "f32", "static-equal", {{Verdict::kAgree, 5}, {Verdict::kWrongValue, 3}}, {fresh}),
          ExampleTile("abs", "f32", "dynamic", {{Verdict::kWrongValue, 2}}, {known}),
          ExampleTile("abs", "i32", "dynamic", {{Verdict::kAgree, 2}}),
          ExampleTile("abs", "i4", "dynamic", {{Verdict::kUnsupported, 2}}),
          ExampleTile("cast", "i8-f32", "rank-0", {{Verdict::kUndefined, 2}}),
          ExampleTile("cast", "i8-i16", "chains", {})};
}

inline Provenance ExampleProvenance(const std::string& text) {
  return {.tosaic_revision = "0123",
          .toolchain = "mlir-22",
          .toolchain_version = "LLVM 22.1.8 " + text,
          .pipeline = "builtin.module(" + text + ")",
          .runtime = "glibc",
          .command_line = "tosaic " + text};
}

// By the name of its kind, the text of a result file with a new and a known finding. `text`: words in it.
inline std::map<std::string, std::string> ExampleResults(const std::string& text) {
  const std::string fresh = "wrong-value/abs/" + text, known = "wrong-value/known/" + text;
  std::map<std::string, std::string> results;

  CampaignSummary campaign;
  campaign.provenance = ExampleProvenance(text);
  campaign.seed = 18446744073709551615u;
  campaign.cases = 12;
  campaign.runs = 32;
  campaign.verdicts = {{Verdict::kAgree, 7}, {Verdict::kWrongValue, 5}};
  campaign.tiles = ExampleTiles(fresh, known);
  campaign.findings = {ExampleFinding(fresh, text, false), ExampleFinding(known, text, true)};
  campaign.judged_ops = {{.computed = "abs", .types = "f32", .elements = 40}};
  campaign.judged_chains = {{.computed = "abs(exp)", .elements = 20, .open = 3}, {.computed = "others", .elements = 2}};
  for (int i = 0; i < 15; ++i) campaign.judged_chains[0].widths.Add(6);
  campaign.findings[0].cases().folder = "findings/fresh";
  campaign.findings[1].cases().folder = "findings/known";
  campaign.harness_faults = {{5, "harness " + text, 2}};
  campaign.notes = {{"noted " + text, 2}};
  campaign.unseen_known = {"crash/* " + text};
  campaign.untested_routes = {{"fused", "not there: pass " + text}};
  campaign.elapsed_seconds = 2.5;
  results[kCampaignKind] = Dump(ToJson(campaign), 2);

  ConformanceReport conformance;
  conformance.provenance = ExampleProvenance(text);
  conformance.suite = {1, "all " + text, "loops", 3, "0123"};
  conformance.tiles = ExampleTiles(fresh, known);
  conformance.cases = {{{"abs", "f32", "static-equal"},
                        "abs/f32/static-equal/0",
                        Verdict::kWrongValue,
                        {RuleId::kNone, "rule " + text},
                        ParseFindingSignature(fresh),
                        2},
                       {{"abs", "f32", "dynamic"},
                        "abs/f32/dynamic/0",
                        Verdict::kWrongValue,
                        {RuleId::kNone, "rule"},
                        ParseFindingSignature(known),
                        2},
                       {{"abs", "i32", "dynamic"}, "corpus/" + text, Verdict::kAgree, {RuleId::kNone, "rule"}, {}, 2}};
  conformance.findings = campaign.findings;
  conformance.findings[0].cases().case_name = "abs/f32/static-equal/0";
  conformance.findings[1].cases().case_name = "abs/f32/dynamic/0";
  conformance.unseen_known = {"crash/* " + text};
  results[kConformanceKind] = Dump(ToJson(conformance), 2);

  // Before the patch the first case was right, the second wrong in another way, the third unsupported.
  ConformanceReport base = conformance;
  base.cases[0].verdict = Verdict::kAgree;
  base.cases[0].signature = {};
  base.cases[1].signature = ParseFindingSignature("crash/abs");
  base.cases[2].verdict = Verdict::kUnsupported;
  results[kComparisonKind] = Dump(ToJson(Compare(base, conformance).value()), 2);

  SweepSummary sweep;
  sweep.provenance = ExampleProvenance(text);
  sweep.options = {.max_rank = 1, .dims = {"?", text}};
  SweepCounts& counts = sweep.by_op["abs"];
  counts.decisions = 9;
  counts.accepted = 4;
  counts.notes = {{"noted " + text, 2}};
  Finding& accepted = counts.disagreements[ParseFindingSignature(fresh)] = ExampleFinding(fresh, text, false);
  accepted.judgement.verdict = Verdict::kFalseAccept;
  accepted.judgement.expected = "refuse " + text;
  accepted.judgement.actual = text;
  accepted.types().decisions = {"abs(tensor<f32>) -> " + text};
  Finding& refused = counts.disagreements[ParseFindingSignature(known)] = ExampleFinding(known, text, true);
  refused.judgement.verdict = Verdict::kFalseReject;
  refused.judgement.expected = "accept";
  refused.judgement.actual = text;
  refused.types().decisions = {"abs(tensor<i8>)"};
  sweep.by_op["add"].decisions = 4;
  sweep.total = counts;
  sweep.total.decisions += 4;
  results[kSweepKind] = Dump(ToJson(sweep), 2);

  ValueSweepSummary values;
  values.provenance = ExampleProvenance(text);
  values.route = "loops";
  values.inputs_wanted = 100;
  ValueSweepRow row{"abs", "f32", "round=" + text, "0.5 ulp " + text, true, 65536, {{Verdict::kWrongValue, 1}}, {}};
  row.profile.compared = row.profile.measured = 65536;
  row.profile.error_sum = 6553.6;
  row.profile.error = {0.5, {"0x3f800000"}, "0x3f800001"};
  row.profile.bound_used = {0.25, {"0x3f800000"}, "0x3f800001"};
  ValueSweepRow exact{"negate", "i8", "", "exact", true, 256, {{Verdict::kAgree, 1}}, {}};
  exact.profile.compared = 256;
  values.rows = {row, exact};
  values.findings = {ExampleFinding(fresh, text, false), ExampleFinding(known, text, true)};
  for (Finding& finding : values.findings) {
    finding.evidence = ValuesEvidence{.types = "f32", .listed = {}, .example = ExampleCase()};
    finding.count = 4;
  }
  values.findings[0].values().listed = {{values.findings[0].judgement, {"0xbfc00000"}}};
  values.harness_faults = {"harness " + text};
  values.notes = {"noted " + text};
  results[kValuesKind] = Dump(ToJson(values), 2);

  ProofSummary proofs;
  proofs.provenance = ExampleProvenance(text);
  proofs.route = "contract";
  proofs.rows = {{.op = "abs",
                  .types = "f32",
                  .verdict = ProofVerdict::kRefuted,
                  .why = "another value " + text,
                  .settings = 1,
                  .bodies = 1,
                  .inputs = {"0xbfc00000"},
                  .execution = "wrong-value"},
                 {.op = "negate", .types = "i8", .verdict = ProofVerdict::kProved, .settings = 1, .bodies = 1},
                 {.op = "exp", .types = "f32", .why = "open " + text}};
  proofs.findings = values.findings;
  proofs.harness_faults = {"harness " + text};
  results[kProofsKind] = Dump(ToJson(proofs), 2);

  BlockReport blocks;
  blocks.provenance = ExampleProvenance(text);
  blocks.library = "libMLIR.so";
  blocks.of = "seed " + text;
  blocks.cases = 2;
  blocks.functions = {{"fold", "Part " + text, 64, 3, 2, "", {{8, {"Called " + text}}}},
                      {"fold", "Never " + text, 128, 1, 0, "because " + text, {}}};
  blocks.left_out = {"odd " + text};
  results[kCoverageKind] = Dump(ToJson(blocks), 2);
  return results;
}

// The files that lie beside the campaign's summary.
inline std::map<std::string, std::string> ExampleFindingFiles(const std::string& text) {
  const Finding fresh = ExampleFinding("wrong-value/abs/" + text, text, false);
  return {{"findings/fresh/reduced.json", CaseToText(fresh.cases().reduced)},
          {"findings/fresh/finding.json", Dump(ToJson(fresh), 2)},
          {"findings/fresh/repro.sh", "#!/bin/sh\n# " + text + "\nmlir-opt repro.mlir\n"}};
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_EXAMPLE_RESULTS_H_
