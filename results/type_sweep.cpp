#include "results/type_sweep.h"

#include "absl/status/status.h"

namespace tosaic {

void SweepCounts::Add(const SweepCounts& other) {
  decisions += other.decisions;
  accepted += other.accepted;
  auto add = [](const std::map<std::string, uint64_t>& from, std::map<std::string, uint64_t>* to) {
    for (const auto& [name, count] : from) (*to)[name] += count;
  };
  add(other.rules, &rules);
  add(other.categories, &categories);
  add(other.notes, &notes);
  for (const auto& [signature, disagreement] : other.disagreements) {
    const auto [at, is_new] = disagreements.emplace(signature, disagreement);
    if (is_new) continue;
    std::vector<std::string>& cases = at->second.cases;
    cases.insert(cases.end(), disagreement.cases.begin(), disagreement.cases.end());
  }
}

Json ToJson(const SweepDisagreement& disagreement) {
  return Json{{"signature", disagreement.signature},
              {"verdict", std::string(Name(disagreement.verdict))},
              {"op", disagreement.op},
              {"beyond_spec", disagreement.beyond_spec},
              {"known_reason", disagreement.known_reason},
              {"count", disagreement.cases.size()},
              {"expected", disagreement.expected},
              {"actual", disagreement.actual},
              {"cases", disagreement.cases}};
}

Json ToJson(const SweepCounts& counts) {
  Json disagreements = Json::array();
  for (const auto& [signature, disagreement] : counts.disagreements) disagreements.push_back(ToJson(disagreement));
  return Json{{"decisions", counts.decisions},   {"accepted", counts.accepted}, {"rules", counts.rules},
              {"categories", counts.categories}, {"notes", counts.notes},       {"disagreements", disagreements}};
}

absl::StatusOr<SweepCounts> SweepCountsFromJson(const Json& json) {
  SweepCounts counts;
  try {
    counts.decisions = json.at("decisions").get<uint64_t>();
    counts.accepted = json.at("accepted").get<uint64_t>();
    json.at("rules").get_to(counts.rules);
    json.at("categories").get_to(counts.categories);
    json.at("notes").get_to(counts.notes);
    for (const Json& entry : json.at("disagreements")) {
      SweepDisagreement disagreement;
      entry.at("signature").get_to(disagreement.signature);
      const std::optional<Verdict> verdict = Find<Verdict>(entry.at("verdict").get<std::string>());
      if (!verdict) return absl::InternalError("a sweep's counts name no verdict");
      disagreement.verdict = *verdict;
      entry.at("op").get_to(disagreement.op);
      entry.at("beyond_spec").get_to(disagreement.beyond_spec);
      entry.at("known_reason").get_to(disagreement.known_reason);
      entry.at("expected").get_to(disagreement.expected);
      entry.at("actual").get_to(disagreement.actual);
      entry.at("cases").get_to(disagreement.cases);
      if (disagreement.cases.empty()) return absl::InternalError("a sweep's counts have a disagreement of no case");
      counts.disagreements[disagreement.signature] = std::move(disagreement);
    }
  } catch (const Json::exception& error) {
    return absl::InternalError(std::string("a sweep's counts: ") + error.what());
  }
  return counts;
}

}  // namespace tosaic
