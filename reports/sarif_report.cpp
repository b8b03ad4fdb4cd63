// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=sarif: the Static Analysis Results Interchange Format, 2.1.0 (OASIS).
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/digest.h"
#include "model/escape.h"
#include "model/rules.h"
#include "reports/formats.h"
#include "results/view.h"

namespace tosaic {
namespace {

constexpr char kSchema[] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr char kUnknownRule[] = "unknown";  // of a finding whose folder is gone

// A path as a reference of a URI: relative ones stay so.
std::string ToUri(const std::string& path) {
  std::string uri = absl::StartsWith(path, "/") ? "file://" : "";
  for (const char c : EscapeControls(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || absl::StrContains("-._~/", c)) {
      uri += c;
    } else {
      absl::StrAppendFormat(&uri, "%%%02X", byte);
    }
  }
  return uri;
}

// New or regressed is an error, what is beyond the specification or known a note.
const char* LevelOf(const ReportFinding& finding) { return IsUrgent(finding) ? "error" : "note"; }

std::string MessageOf(const ReportFinding& finding) {
  std::string message =
      absl::StrCat(Name(finding.judgement.verdict), " in tosa.", finding.op, ", ", Counted(finding.count, "case"));
  if (!finding.judgement.expected.empty()) {
    absl::StrAppend(&message, ": expected ", finding.judgement.expected, ", actual ", finding.judgement.actual);
  }
  if (finding.status == Finding::Status::kNotReduced) absl::StrAppend(&message, " (not reduced: it may be known)");
  if (!finding.known_reason.empty())
    absl::StrAppend(&message, " (", Name(finding.status), ": ", finding.known_reason, ")");
  if (!finding.program.empty()) absl::StrAppend(&message, "\n\n", finding.program, finding.data);
  return EscapeControls(message);
}

// The rule with the sentences of its row; a label that this build does not have stands alone.
Json Descriptor(const std::string& label) {
  Json descriptor{{"id", label},
                  {"shortDescription", {{"text", absl::StrCat("Tosaic's rule ", label)}}},
                  {"defaultConfiguration", {{"level", "error"}}}};
  const std::optional<RuleId> known = Find<RuleId>(label);
  if (!known) return descriptor;
  const RuleInfo& rule = Info(*known);
  descriptor["shortDescription"]["text"] = rule.states;
  descriptor["help"]["text"] =
      absl::StrCat(rule.states, " Broken: ", rule.broken, " (", rule.document, ", ", rule.section, ")");
  if (!rule.is_ours()) descriptor["helpUri"] = rule.link;
  return descriptor;
}

// Where a finding is: its op, and the file of its case. A comparison that leaves no reports has none.
Json LocationOf(const ReportFinding& finding) {
  Json location{{"logicalLocations", {{{"name", EscapeControls(finding.op)}, {"kind", "function"}}}}};
  if (finding.location.empty()) return location;
  location["physicalLocation"] = {{"artifactLocation", {{"uri", ToUri(finding.location)}}},
                                  {"region", {{"startLine", 1}}}};
  return location;
}

// GitHub tells results apart by the second alone, as it computes it of source lines: here of the signature.
Json FingerprintsOf(const std::string& signature) {
  return Json{{"tosaicSignature/v1", signature},
              {"primaryLocationLineHash", absl::StrFormat("%016x:1", Digest(signature))}};
}

Json ResultOf(const ReportFinding& finding, const std::string& rule, size_t rule_index) {
  return Json{{"ruleId", rule},
              {"ruleIndex", rule_index},
              {"level", LevelOf(finding)},
              {"message", {{"text", MessageOf(finding)}}},
              {"locations", Json::array({LocationOf(finding)})},
              {"partialFingerprints", FingerprintsOf(ToString(finding.signature))},
              {"occurrenceCount", finding.count > 0 ? finding.count : 1},
              {"properties",
               {{"status", std::string(Name(finding.status))}, {"cause", finding.cause}, {"route", finding.route}}}};
}

}  // namespace

Json ReportToSarif(const ResultReport& report) {
  std::map<std::string, size_t> places;
  Json rules = Json::array(), results = Json::array();
  const auto add = [&](const ReportFinding& finding) {
    const std::string rule = RuleOf(finding).empty() ? kUnknownRule : RuleOf(finding);
    const auto [at, is_new] = places.emplace(rule, rules.size());
    if (is_new) rules.push_back(Descriptor(rule));
    results.push_back(ResultOf(finding, rule, at->second));
  };
  for (const ReportFinding& finding : report.findings) add(finding);
  for (const ReportFinding& finding : RegressionsWithoutFinding(report)) add(finding);
  Json properties{{"title", report.title}, {"headline", Headline(report)}};
  for (const Side& side : report.sides) {
    Json provenance = Json::object();
    for (const Fact& fact : FactsOf(side.provenance)) provenance[fact.name] = fact.value;
    properties[side.name.empty() ? "provenance" : side.name] = std::move(provenance);
  }
  Json notifications = Json::array();
  for (const std::string& fault : report.harness_faults) {
    notifications.push_back(Json{{"level", "error"}, {"message", {{"text", EscapeControls(fault)}}}});
  }
  for (const std::string& part : report.not_run) {
    notifications.push_back(Json{{"level", "note"}, {"message", {{"text", EscapeControls(part)}}}});
  }
  const bool done = !report.interrupted && report.harness_faults.empty();
  Json run{{"tool",
            {{"driver",
              {{"name", "Tosaic"},
               {"shortDescription", {{"text", "Differential fuzzer and conformance harness for MLIR's TOSA"}}},
               {"rules", std::move(rules)}}}}},
           {"invocations", {{{"executionSuccessful", done}, {"toolExecutionNotifications", std::move(notifications)}}}},
           {"results", std::move(results)},
           {"properties", std::move(properties)}};
  return Json{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
}

}  // namespace tosaic
