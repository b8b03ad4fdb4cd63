// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/merging.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/campaign_part.h"
#include "campaign/counting.h"
#include "campaign/finding_group.h"
#include "campaign/findings.h"
#include "campaign/identity.h"
#include "campaign/journals.h"
#include "campaign/tally.h"
#include "campaign/work_directory.h"
#include "checking/files.h"
#include "checking/provenance.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/sort_unique.h"

namespace tosaic {
namespace {

Identity OfAllShards(Identity identity) {
  identity.shard = 0;
  identity.shards = 1;
  return identity;
}

// The generator's options that say what is possible: all, if a journal of before does not say what was asked for.
GeneratorOptions OptionsIn(const Identity& identity) {
  GeneratorOptions options;
  if (const std::optional<AskedFor>& asked = identity.asked_for) {
    for (const std::string& name : asked->ops) {
      if (const auto op = FindOp(name)) options.ops.push_back(*op);
    }
    options.types = asked->types;
    options.spec_version = asked->spec;
  }
  options.routes.clear();
  for (const std::string& route : RoutesOf(identity)) options.routes.emplace_back(route, 1);
  return options;
}

class Merge {
 public:
  Merge(const CampaignRun& run, Naming naming, std::vector<CampaignPart> parts, std::vector<std::string> missing)
      : run_(run), naming_(naming), parts_(std::move(parts)) {
    merged_.missing = std::move(missing);
    is_one_ = absl::c_all_of(parts_, [&](const CampaignPart& part) {
      return OfAllShards(part.identity) == OfAllShards(parts_[0].identity);
    });
    absl::c_sort(parts_, [](const CampaignPart& a, const CampaignPart& b) {
      return std::tie(a.identity.shard, a.paths.root) < std::tie(b.identity.shard, b.paths.root);
    });
  }

  absl::StatusOr<Merged> Run() {
    TOSAIC_RETURN_IF_ERROR(CheckParts());
    const Json identity = is_one_ ? ToJson(OfAllShards(parts_[0].identity)) : IdentityOfMany();
    for (CampaignPart& part : parts_) TOSAIC_RETURN_IF_ERROR(Take(&part));
    TOSAIC_ASSIGN_OR_RETURN(WorkDirectory directory, WorkDirectory::OpenWithoutRecords(run_.options.out, identity));
    TOSAIC_RETURN_IF_ERROR(UniteJournals(identity));
    for (const CampaignPart& part : parts_) {
      if (!part.problem.empty()) merged_.missing.push_back(absl::StrCat(part.paths.root, ": ", part.problem));
    }
    Conclude();
    merged_.summary.missing = merged_.missing;
    merged_.summary.interrupted = !merged_.missing.empty();
    TOSAIC_RETURN_IF_ERROR(
        directory.WriteResults(&merged_.summary, groups_, tally_, run_.toolchain.description().dialect));
    TOSAIC_RETURN_IF_ERROR(UniteCorpora());
    return std::move(merged_);
  }

 private:
  // Each campaign's shards must be there once, or their cases would count twice. Those of a single one become its work
  // directory, and must be of this toolchain.
  absl::Status CheckParts() {
    std::map<std::string, std::vector<const CampaignPart*>> campaigns;  // by identity
    for (const CampaignPart& part : parts_) campaigns[ToLine(OfAllShards(part.identity))].push_back(&part);
    for (const auto& [identity, shards] : campaigns) TOSAIC_RETURN_IF_ERROR(CheckShards(shards));
    if (!is_one_) return CheckToolchain();
    const Identity ours = OnThisToolchain(parts_[0]);
    if (run_.stopped()) return absl::CancelledError("interrupted");
    if (parts_[0].identity == ours) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(parts_[0].paths.root, ": of another Tosaic or toolchain (",
                                                   DifferenceInWords(parts_[0].identity, ours),
                                                   "): merge with the same"));
  }

  // What this toolchain could have reached is said of the campaigns, so at least one must be of it. The pipelines of
  // another revision of Tosaic may differ, but for those that flags asked for.
  absl::Status CheckToolchain() const {
    const ToolchainDescription& description = run_.toolchain.description();
    const bool by_flags = !description.custom_flags.empty() || run_.options.judge.validation.has_value();
    const auto is_ours = [&](const CampaignPart& part) {
      const Provenance& theirs = part.identity.versions;
      const Provenance ours = VersionsFor(part);
      return theirs.toolchain == ours.toolchain && theirs.toolchain_version == ours.toolchain_version &&
             theirs.cpu == ours.cpu && (!by_flags || theirs.pipeline == ours.pipeline);
    };
    if (absl::c_any_of(parts_, is_ours)) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "none of these campaigns is of this toolchain, ", parts_[0].paths.root, " for instance (",
        DifferenceInWords(parts_[0].identity, OnThisToolchain(parts_[0])), "): merge with the flags of one of them"));
  }

  // Of one campaign.
  absl::Status CheckShards(const std::vector<const CampaignPart*>& parts) {
    const CampaignPart& first = *parts.front();
    const auto place = [](const Identity& of) { return absl::StrCat(of.shard + 1, " of ", of.shards); };
    std::set<uint64_t> seen;
    for (const CampaignPart* part : parts) {
      if (part->identity.shards != first.identity.shards) {
        return absl::InvalidArgumentError(absl::StrCat(part->paths.root, ": its cases are those of ", first.paths.root,
                                                       " too, which is shard ", place(first.identity),
                                                       " of the same campaign, and this one ", place(part->identity)));
      }
      if (seen.insert(part->identity.shard).second) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(part->paths.root, ": shard ", place(part->identity), " is there twice"));
    }
    NameMissing(seen, first);
    return absl::OkStatus();
  }

  // The versions that a campaign with the part's routes and this toolchain has.
  Provenance VersionsFor(const CampaignPart& part) const { return VersionsOf(run_.toolchain, RoutesOf(part.identity)); }

  // The identity of such a campaign.
  Identity OnThisToolchain(const CampaignPart& part) const {
    Identity identity = part.identity;
    identity.versions = VersionsFor(part);
    return identity;
  }

  // Shards side by side share a line, because there may be any number of them. `other`: a shard that is there.
  void NameMissing(std::set<uint64_t> seen, const CampaignPart& other) {
    const std::string of = absl::StrCat(" of ", other.identity.shards, is_one_ ? "" : " of the campaign of ",
                                        is_one_ ? "" : other.paths.root);
    seen.insert(other.identity.shards);
    uint64_t first = 0;
    for (const uint64_t shard : seen) {
      if (shard == first + 1) {
        merged_.missing.push_back(absl::StrCat("shard ", first + 1, of, ": it is not there"));
      } else if (shard > first) {
        merged_.missing.push_back(absl::StrCat("shards ", first + 1, " to ", shard, of, ": they are not there"));
      }
      first = shard + 1;
    }
  }

  Json IdentityOfMany() const {
    std::vector<Identity> all;
    for (const CampaignPart& part : parts_) all.push_back(part.identity);
    return Json{{"tosaic_campaign", 1}, {"merged", ToJson(all)}};
  }

  // One part's results are in memory at a time.
  absl::Status Take(CampaignPart* part) {
    PartResults results;
    TOSAIC_RETURN_IF_ERROR(ReadResults(part, &results));
    if (!part->has_results) return absl::OkStatus();
    CampaignSummary& summary = merged_.summary;
    if (summary.provenance == Provenance()) summary.provenance = part->summary.provenance;
    if (const absl::Status alike = CheckReplayedAlike(summary.provenance, part->summary.provenance); !alike.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(part->paths.root, ": ", alike.message()));
    }
    if (naming_ == Naming::kByThisList) NameAnew(*part, &results);
    if (!is_one_) CallByName(&results);
    Add(results.tally, &tally_);
    groups_ = United(std::move(groups_), std::move(results.groups));
    absl::c_move(part->summary.untested_routes, std::back_inserter(summary.untested_routes));
    summary.elapsed_seconds += part->summary.elapsed_seconds;
    const double observed = part->summary.cases_per_second * part->summary.elapsed_seconds;
    summary.cases_observed += static_cast<uint64_t>(std::max(0.0, observed) + 0.5);
    return absl::OkStatus();
  }

  // A list is of one toolchain's versions, so what another one shows keeps its name. So does what a patch's base shows
  // too, and what it has right, which no list says.
  void NameAnew(const CampaignPart& part, PartResults* results) const {
    if (part.identity.versions != VersionsFor(part)) return;
    for (FindingGroup& group : results->groups) {
      if (!part.identity.changed_from.empty() && group.finding.cases().base_agrees) continue;
      if (part.identity.changed_from.empty()) group.finding.known_reason.clear();
      group.finding = Named({std::move(group.finding)}, run_.options.known, run_.toolchain).front();
    }
  }

  // The journals of one campaign are united; of several campaigns there is only the identity. Results that are not
  // the journal's, which a later start has continued, do not count as finished.
  absl::Status UniteJournals(const Json& identity) {
    std::vector<ShardJournal> journals;
    std::vector<CampaignPart*> parts;
    for (CampaignPart& part : parts_) {
      if (!is_one_ || !part.has_results) continue;
      journals.push_back({part.paths.journal(), part.identity.shard, part.identity.shards});
      parts.push_back(&part);
    }
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<MergedLines> merged,
                            MergeJournals(journals, identity, WorkPaths{run_.options.out}.journal()));
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto& [lines, verdicts, problem] = merged[i];
      const uint64_t cases = parts[i]->cases;
      const bool went_on = problem.empty() && lines > cases;  // says more than that it was interrupted
      if (!parts[i]->problem.empty() && !went_on) continue;
      parts[i]->problem = problem;
      if (problem.empty() && lines != cases) {
        parts[i]->problem = absl::StrCat("its journal has ", Counted(lines, "case"), ", its results are of ", cases);
      } else if (problem.empty() && verdicts != parts[i]->verdicts) {
        parts[i]->problem = "its journal has other verdicts than its tally.json counts";
      }
    }
    return absl::OkStatus();
  }

  // Sums up all parts.
  void Conclude() {
    CampaignSummary& summary = merged_.summary;
    summary.provenance.command_line = run_.options.command_line;
    std::set<uint64_t> seeds;
    for (const CampaignPart& part : parts_) seeds.insert(part.identity.seed.value_or(0));
    summary.seed = seeds.size() == 1 ? *seeds.begin() : 0;
    if (seeds.size() > 1) summary.seeds.assign(seeds.begin(), seeds.end());
    summary.findings = FindingsOf(groups_);
    if (is_one_) KeepReproducersOf(summary.findings);
    Summarize(tally_, groups_, OptionsIn(parts_[0].identity), run_.toolchain, &summary);
    std::vector<UntestedRoute>& untested = summary.untested_routes;  // by none of them
    SortUnique(&untested);
    std::erase_if(untested, [&](const UntestedRoute& one) { return summary.coverage.routes.contains(one.route); });
    if (is_one_) summary.unseen_known = UnseenKnownOf(run_, tally_.kinds, summary.findings);
  }

  // A file's name is a digest of its case, so that one which two have found is there once.
  absl::Status UniteCorpora() const {
    const std::string united = WorkPaths{run_.options.out}.corpus();
    for (const CampaignPart& part : parts_) {
      if (!std::filesystem::exists(part.paths.corpus())) continue;
      TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, JsonCaseFilesAt({part.paths.corpus()}));
      TOSAIC_RETURN_IF_ERROR(MakeDirectories(united));
      for (const std::string& file : files) {
        TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
        const std::string name = std::filesystem::path(file).filename().string();
        TOSAIC_RETURN_IF_ERROR(WriteFile(Below(united, name), text));
      }
    }
    return absl::OkStatus();
  }

  // The first case of a group is not the first of different campaigns, so each group keeps the name that it has.
  static void CallByName(PartResults* results) {
    std::map<std::string, std::string> names;  // by key
    for (FindingGroup& group : results->groups) {
      const std::string name = ToString(group.finding.signature);
      names[group.key] = name;
      group.key = name;
    }
    for (CountedTile& tile : results->tally.tiles) {
      std::set<std::string> keys;
      for (const std::string& key : tile.keys) keys.insert(names.contains(key) ? names.at(key) : key);
      tile.keys = std::move(keys);
    }
  }

  // On one machine a group that is part of another's finding has none.
  void KeepReproducersOf(const std::vector<Finding>& findings) {
    std::set<uint64_t> first;  // cases
    for (const Finding& finding : findings) first.insert(finding.cases().case_number);
    for (FindingGroup& group : groups_) {
      if (!first.contains(group.finding.cases().case_number)) group.finding.cases().reproducer.clear();
    }
  }

  const CampaignRun run_;
  const Naming naming_;
  std::vector<CampaignPart> parts_;
  bool is_one_ = true;
  Merged merged_;
  Tally tally_;
  std::vector<FindingGroup> groups_;
};

}  // namespace

absl::StatusOr<Merged> MergeCampaigns(Toolchain& toolchain, const CampaignOptions& options, Naming naming,
                                      const std::vector<std::string>& directories, const std::atomic<bool>* stop) {
  std::vector<CampaignPart> parts;
  std::vector<std::string> missing;
  for (const std::string& directory : directories) {
    absl::StatusOr<CampaignPart> part = ReadPart(directory);
    // A shard that was killed before its first line.
    if (absl::IsNotFound(part.status())) {
      missing.push_back(std::string(part.status().message()));
    } else if (!part.ok()) {
      return part.status();
    } else {
      parts.push_back(*std::move(part));
    }
  }
  if (parts.empty()) return absl::NotFoundError(missing.front());
  CampaignOptions fitting = options;
  fitting.judge = ForToolchain(toolchain, options.judge);
  return Merge({toolchain, fitting, stop}, naming, std::move(parts), std::move(missing)).Run();
}

}  // namespace tosaic
