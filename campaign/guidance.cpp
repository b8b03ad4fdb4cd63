// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/guidance.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "checking/files.h"
#include "checking/signature.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "generators/steering.h"
#include "model/digest.h"
#include "model/json.h"
#include "model/work_paths.h"
#include "mutation/mutation.h"

namespace tosaic {
namespace {

constexpr char kStartFile[] = "corpus-at-start.jsonl";  // of a work directory

// The choices of a mutant are not those of the case that its number would have been.
constexpr uint64_t kMutants = 0x6d7574616e7473;

// Draws two entries and takes the later one, because later cases reached rarer blocks.
size_t DrawRare(ChoiceSource& choices, size_t count) { return std::max(choices.Below(count), choices.Below(count)); }

}  // namespace

absl::StatusOr<std::vector<Case>> StartOf(const std::string& directory, const std::string& out) {
  const WorkPaths paths{out};
  const std::string start_file = Below(out, kStartFile);
  std::vector<Case> start;
  if (std::filesystem::exists(paths.journal())) {
    if (!std::filesystem::exists(start_file)) return start;
    TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(start_file));
    for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
      TOSAIC_ASSIGN_OR_RETURN(Case test_case, At(start_file, FromText<Case>(line)));
      start.push_back(std::move(test_case));
    }
    return start;
  }
  std::error_code error;
  if (!std::filesystem::exists(directory) || std::filesystem::is_empty(directory, error)) return start;
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, JsonCaseFilesAt({directory}));
  std::string lines;
  for (const std::string& file : files) {
    TOSAIC_ASSIGN_OR_RETURN(Case test_case, ReadCase(file));
    absl::StrAppend(&lines, ToLine(test_case), "\n");
    start.push_back(std::move(test_case));
  }
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(out));
  TOSAIC_RETURN_IF_ERROR(WriteFile(start_file, lines));
  return start;
}

std::string BlockText(uint32_t block) { return absl::StrCat(block); }

Guidance::Guidance(const CampaignOptions& options) : options_(options) {
  for (const Case& test_case : options.guided->start) entries_.push_back({0, test_case});
}

void Guidance::LearnFromStart(const std::vector<uint32_t>& blocks) {
  for (const uint32_t block : blocks) blocks_reached_ += seen_.insert(BlockText(block)).second ? 1 : 0;
}

void Guidance::Learn(const std::vector<CaseRecord>& round, const std::function<Case(uint64_t)>& case_of) {
  BlockWatcher* watcher = options_.guided->blocks;
  std::vector<uint32_t> blocks;
  for (const CaseRecord& record : round) {
    bool any = false, has_block = watcher == nullptr;
    for (const std::string& novelty : record.reached) {
      if (!seen_.insert(novelty).second) continue;
      any = true;
      uint32_t block = 0;
      if (watcher != nullptr && absl::SimpleAtoi(novelty, &block) && block < watcher->count()) {
        blocks.push_back(block);
        has_block = true;
      }
    }
    if (any) entries_.push_back({record.number, case_of(record.number), has_block});
  }
  blocks_reached_ += blocks.size();
  if (watcher != nullptr) watcher->Forget(blocks);
}

void Guidance::AddIfNew(std::string novelty, CaseRecord* record) const {
  if (!seen_.contains(novelty)) record->reached.push_back(std::move(novelty));
}

void Guidance::AddNews(CaseRecord* record) const {
  if (record->rule.id != RuleId::kNone) AddIfNew(absl::StrCat("rule ", Name(record->rule.id)), record);
  if (!record->category.empty()) AddIfNew(absl::StrCat("refused ", record->category), record);
  if (record->shapes == ShapeClass::kSeveralOps) return;
  AddIfNew(absl::StrCat("tile ", Name(record->op), " ", ToString(record->types), " ", Name(record->shapes)), record);
}

void Guidance::AddNews(const std::set<std::string>& patterns, const Observation& observation,
                       CaseRecord* record) const {
  for (const std::string& pattern : patterns) AddIfNew(absl::StrCat("pattern ", pattern), record);
  if (observation.diagnostics.empty()) return;
  AddIfNew(absl::StrCat("said ", NormalizeDiagnostic(observation.diagnostics.front())), record);
}

size_t Guidance::CorpusFor(uint64_t number) const {
  const auto own = entries_.begin() + static_cast<std::ptrdiff_t>(options_.guided->start.size());
  const auto is_before = [](const Entry& entry, uint64_t begin) { return entry.number < begin; };
  const auto end = std::lower_bound(own, entries_.end(), RoundBegin(number), is_before);
  return static_cast<size_t>(end - entries_.begin());
}

bool Guidance::IsMutant(uint64_t number) const {
  if (CorpusFor(number) == 0) return false;
  return SeededChoices(options_.seed ^ kMutants, number)
      .Chance(static_cast<uint64_t>(options_.guided->mutant_percent), 100);
}

// These reached blocks more often than the others, of which there are more.
const Case& Guidance::DrawFrom(size_t count, ChoiceSource& choices) const {
  size_t drawn = DrawRare(choices, count);
  for (int again = 0; again < 4 && !entries_[drawn].has_block; ++again) drawn = DrawRare(choices, count);
  return entries_[drawn].test_case;
}

Case Guidance::MutantOf(uint64_t number, const GeneratorOptions& generator) const {
  SeededChoices choices(options_.seed ^ kMutants, number);
  choices.Bits();  // that said it is one
  choices.Favour(generator.numbers);
  const size_t count = CorpusFor(number);
  Case parent = DrawFrom(count, choices);
  const Case& other = DrawFrom(count, choices);
  const std::string from = parent.origin.substr(0, parent.origin.find(" intent="));
  parent.origin =
      absl::StrCat("seed=", options_.seed, " case=", number, " intent=mutant of (", from.substr(0, 60), ")");
  return Mutated({choices, generator, other}, parent);
}

GuidedOutcome Guidance::outcome() const {
  const BlockWatcher* blocks = options_.guided->blocks;
  return {.blocks_reached = blocks_reached_,
          .blocks = blocks != nullptr ? blocks->count() : 0,
          .corpus = entries_.size() - options_.guided->start.size()};
}

absl::Status Guidance::Write() const {
  for (const std::string& directory : {WorkPaths{options_.out}.corpus(), options_.guided->directory}) {
    if (directory.empty()) continue;
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(directory));
    for (size_t i = options_.guided->start.size(); i < entries_.size(); ++i) {
      Case nameless = entries_[i].test_case;
      nameless.origin.clear();
      const std::string name = absl::StrFormat("case-%016x.json", Digest(CaseToText(nameless)));
      TOSAIC_RETURN_IF_ERROR(WriteFile(absl::StrCat(directory, "/", name), CaseToText(entries_[i].test_case)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tosaic
