// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/journals.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "campaign/case_record.h"
#include "checking/file_writer.h"
#include "codec/codec.h"
#include "codec/status.h"

namespace tosaic {
namespace {

struct Source {
  ShardJournal journal;
  std::ifstream in;
  std::string line;
  uint64_t at = 1;  // the line's number
  std::optional<uint64_t> number;
  Verdict verdict = Verdict::kAgree;  // the line's
  MergedLines merged;

  absl::Status Open() {
    in.open(journal.path);
    if (!in) return absl::UnavailableError(absl::StrCat(journal.path, ": cannot open: ", std::strerror(errno)));
    std::getline(in, line);  // the identity
    return absl::OkStatus();
  }

  absl::Status Broken(absl::string_view defect) const {
    return absl::DataLossError(absl::StrCat(journal.path, ":", at, ": ", defect));
  }

  // Whether there is another line.
  absl::StatusOr<bool> Next() {
    if (!std::getline(in, line)) return false;
    ++at;
    const absl::Status checked = CheckJournalLine(line);
    if (!checked.ok() && in.eof()) {
      merged.problem = absl::StrCat("line ", at, " of its journal is cut short");
      return false;
    }
    if (!checked.ok()) return Broken(checked.message());
    absl::string_view rest = line;
    uint64_t next = 0;
    if (!absl::ConsumePrefix(&rest, "{\"case\":") || !absl::SimpleAtoi(rest.substr(0, rest.find(',')), &next)) {
      return Broken("its first key is not 'case'");
    }
    rest.remove_prefix(std::min(rest.find(','), rest.size()));
    const bool has_key = absl::ConsumePrefix(&rest, ",\"verdict\":\"");
    const std::optional<Verdict> known = Find<Verdict>(rest.substr(0, rest.find('"')));
    if (!has_key || !known) return Broken("its second key is not a known 'verdict'");
    verdict = *known;
    if (next % journal.shards != journal.shard) return Broken(absl::StrCat("case ", next, " is another shard's"));
    if (number && next <= *number) {
      merged.problem = absl::StrCat("line ", at, " of its journal has case ", next, " behind case ", *number);
      return false;
    }
    number = next;
    return true;
  }
};

// Without the patterns that an earlier case has.
absl::StatusOr<std::string> WithNewPatterns(const std::string& line, std::set<std::string>* seen) {
  if (absl::StrContains(line, "\"patterns\":[],")) return line;
  TOSAIC_ASSIGN_OR_RETURN(CaseRecord record, RecordIn(line));
  std::erase_if(record.patterns, [&](const std::string& pattern) { return !seen->insert(pattern).second; });
  return JournalLine(record);
}

}  // namespace

absl::StatusOr<Json> IdentityIn(const std::string& journal) {
  std::error_code ignored;
  if (!std::filesystem::exists(journal, ignored)) {
    return absl::NotFoundError(absl::StrCat(journal, ": there is no such file"));
  }
  // A pipe would be waited for.
  std::ifstream in;
  if (std::filesystem::is_regular_file(journal, ignored)) in.open(journal);
  std::string line;
  const absl::StatusOr<Json> identity =
      in.is_open() && std::getline(in, line) ? ParseJson(line) : absl::NotFoundError("it has no first line");
  if (identity.ok() && identity->is_object() && identity->contains("versions")) return identity;
  if (identity.ok() && identity->is_object() && identity->contains("merged")) {
    return absl::InvalidArgumentError(absl::StrCat(
        journal, ": different campaigns are merged there, which leaves no journal: merge their directories"));
  }
  return absl::NotFoundError(absl::StrCat(journal, ": this is no journal of a campaign"));
}

absl::StatusOr<std::vector<MergedLines>> MergeJournals(const std::vector<ShardJournal>& journals, const Json& identity,
                                                       const std::string& out) {
  TOSAIC_ASSIGN_OR_RETURN(FileWriter writer, FileWriter::Create(out));
  TOSAIC_RETURN_IF_ERROR(writer.Append(Dump(identity, -1) + "\n"));
  std::vector<std::unique_ptr<Source>> sources;
  std::priority_queue<std::pair<uint64_t, size_t>, std::vector<std::pair<uint64_t, size_t>>, std::greater<>> first;
  const auto advance = [&](size_t i) -> absl::Status {
    TOSAIC_ASSIGN_OR_RETURN(const bool there, sources[i]->Next());
    if (there) first.emplace(*sources[i]->number, i);
    return absl::OkStatus();
  };
  for (const ShardJournal& journal : journals) {
    sources.push_back(std::make_unique<Source>(Source{.journal = journal}));
    TOSAIC_RETURN_IF_ERROR(sources.back()->Open());
    TOSAIC_RETURN_IF_ERROR(advance(sources.size() - 1));
  }
  std::set<std::string> seen;
  while (!first.empty()) {
    const size_t i = first.top().second;
    first.pop();
    TOSAIC_ASSIGN_OR_RETURN(const std::string line, WithNewPatterns(sources[i]->line, &seen));
    TOSAIC_RETURN_IF_ERROR(writer.Append(line + "\n"));
    ++sources[i]->merged.lines;
    ++sources[i]->merged.verdicts[sources[i]->verdict];
    TOSAIC_RETURN_IF_ERROR(advance(i));
  }
  TOSAIC_RETURN_IF_ERROR(writer.Commit());
  std::vector<MergedLines> merged;
  for (const auto& source : sources) merged.push_back(source->merged);
  return merged;
}

}  // namespace tosaic
