// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/work_directory.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/digest.h"
#include "model/escape.h"
#include "model/mlir_text.h"
#include "results/text.h"

namespace tosaic {
namespace {

// The bytes of the longest name below a work directory: a finding's folder with its longest file, and room to spare.
constexpr size_t kLongestBelow = 160;

}  // namespace

std::string FolderName(const std::string& signature) {
  std::string name;
  for (char c : signature) {
    if (name.size() >= 60) break;
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    if (plain) name += c;
    if (!plain && (name.empty() || name.back() != '-')) name += '-';
  }
  return absl::StrCat(name, "-", absl::Hex(Digest(signature) & 0xffffffff, absl::kZeroPad8));
}

WorkDirectory::Place WorkDirectory::PlaceOf(const CaseRecord& record, uint64_t offset, const std::string& line) {
  return {offset, static_cast<uint32_t>(line.size()), IsDivergence(record.verdict) || IsKilled(record)};
}

absl::Status WorkDirectory::JournalError(int why) const {
  return WriteError(
      paths_.journal(), why,
      absl::StrCat("; the ", Counted(places_.size(), "case"),
                   " before are safe in it, and the same command goes on with them once it can be written"));
}

absl::Status WorkDirectory::OpenJournal(int flags) {
  journal_.reset();
  const int fd = open(paths_.journal().c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
  journal_.reset(fd < 0 ? nullptr : fdopen(fd, flags == O_RDONLY ? "rb" : "a+b"));
  return journal_ == nullptr ? JournalError(errno) : absl::OkStatus();
}

// Whether the directory is this campaign's or empty, and has files where files will be.
absl::Status WorkDirectory::CheckJournal() const {
  for (const std::string& path : {paths_.journal(), paths_.summary(), paths_.groups(), paths_.tally()}) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored)) continue;
    return absl::FailedPreconditionError(absl::StrCat(path, ": this is not a file: give another --out, or remove it"));
  }
  std::ifstream in(paths_.journal());
  std::string line;
  if (in && !std::getline(in, line)) return absl::OkStatus();
  const absl::StatusOr<Json> first = ParseJson(line);
  if (first.ok() && *first == first_line_) return absl::OkStatus();
  const absl::StatusOr<Identity> there = FromText<Identity>(line), ours = FromJson<Identity>(first_line_);
  return absl::FailedPreconditionError(
      absl::StrCat(paths_.root, ": it holds another campaign (",
                   there.ok() && ours.ok() ? DifferenceInWords(*there, *ours) : "its journal cannot be read",
                   "): give another --out, or remove it"));
}

absl::Status WorkDirectory::ReadJournal(const Identity& identity) {
  TOSAIC_RETURN_IF_ERROR(OpenJournal(O_RDONLY));
  std::ifstream in(paths_.journal());
  std::string line;
  std::getline(in, line);            // the identity
  uint64_t number = 1, dropped = 0;  // lines
  std::string first;
  for (end_ = line.size() + 1; std::getline(in, line); end_ += line.size() + 1) {
    ++number;
    const absl::StatusOr<CaseRecord> record = RecordIn(line);
    const bool is_ours = record.ok() && record->number % identity.shards == identity.shard;
    if (is_ours && record->verdict == Verdict::kHarnessFault) {
      places_.erase(record->number);  // what Tosaic failed to do, it tries again
    } else if (is_ours) {
      places_[record->number] = PlaceOf(*record, end_, line);
    } else if (!in.eof() && ++dropped == 1) {  // what is at the end was cut short
      first = absl::StrCat(paths_.journal(), ":", number, ": ",
                           record.ok() ? "it is no line of this campaign" : record.status().message());
    }
  }
  if (in.bad()) return absl::UnavailableError(absl::StrCat(paths_.journal(), ": cannot read"));
  if (dropped > 0) {
    std::fprintf(stderr, "tosaic: %s; %s dropped, whose cases run again\n", OneLine(first).c_str(),
                 Counted(dropped, "line").c_str());
  }
  return absl::OkStatus();
}

std::vector<uint64_t> WorkDirectory::Divergent() const {
  std::vector<uint64_t> numbers;
  for (const auto& [number, place] : places_) {
    if (place.is_divergent) numbers.push_back(number);
  }
  return numbers;
}

absl::StatusOr<CaseRecord> WorkDirectory::Read(uint64_t number) const {
  const Place& place = places_.at(number);
  std::string line(place.size, '\0');
  const ssize_t got = pread(fileno(journal_.get()), line.data(), line.size(), static_cast<off_t>(place.offset));
  if (got == static_cast<ssize_t>(line.size())) {
    absl::StatusOr<CaseRecord> record = RecordIn(absl::StripSuffix(line, "\n"));
    if (record.ok() && record->number == number) return record;
  }
  return absl::DataLossError(absl::StrCat(paths_.journal(), ": somebody has changed the line of case ", number));
}

absl::Status WorkDirectory::ForEach(absl::FunctionRef<void(CaseRecord)> take) const {
  for (const auto& [number, place] : places_) {
    TOSAIC_ASSIGN_OR_RETURN(CaseRecord record, Read(number));
    take(std::move(record));
  }
  return absl::OkStatus();
}

absl::StatusOr<WorkDirectory> WorkDirectory::OpenWithoutRecords(const std::string& path, const Json& first_line) {
  if (path.size() + kLongestBelow > PATH_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": this is too long a path for the files of findings below it"));
  }
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(path));
  TOSAIC_ASSIGN_OR_RETURN(DirectoryLock lock, DirectoryLock::Take(path));
  WorkDirectory directory(std::move(lock));
  directory.paths_ = {path};
  directory.first_line_ = first_line;
  if (std::filesystem::exists(directory.paths_.journal())) {
    TOSAIC_RETURN_IF_ERROR(directory.CheckJournal());
    return directory;
  }
  for (const std::string& there : {directory.paths_.findings(), directory.paths_.summary()}) {
    if (!std::filesystem::exists(there)) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(there, ": it exists, but the journal of a campaign is not beside it: give another --out"));
  }
  return directory;
}

absl::StatusOr<WorkDirectory> WorkDirectory::Open(const std::string& path, const Identity& identity) {
  TOSAIC_ASSIGN_OR_RETURN(WorkDirectory directory, OpenWithoutRecords(path, ToJson(identity)));
  if (std::filesystem::exists(directory.paths_.journal())) TOSAIC_RETURN_IF_ERROR(directory.ReadJournal(identity));
  // Writing it again drops a line that a crash cut short.
  TOSAIC_RETURN_IF_ERROR(directory.Rewrite([](CaseRecord&) {}));
  return directory;
}

absl::Status WorkDirectory::Append(const CaseRecord& record) {
  const std::string line = JournalLine(record) + "\n";
  errno = 0;
  const bool written =
      std::fwrite(line.data(), 1, line.size(), journal_.get()) == line.size() && std::fflush(journal_.get()) == 0;
  if (!written) return JournalError(errno);
  // If somebody has removed the file, everything that is written to it is lost.
  struct stat status = {};
  if (fstat(fileno(journal_.get()), &status) == 0 && status.st_nlink == 0) {
    return absl::UnavailableError(absl::StrCat(paths_.journal(), ": was removed while the campaign was at work"));
  }
  places_[record.number] = PlaceOf(record, end_, line);
  end_ += line.size();
  return absl::OkStatus();
}

absl::Status WorkDirectory::Rewrite(absl::FunctionRef<void(CaseRecord&)> change) {
  TOSAIC_ASSIGN_OR_RETURN(FileWriter writer, FileWriter::Create(paths_.journal()));
  absl::btree_map<uint64_t, Place> places;
  uint64_t end = 0;
  const auto append = [&](const std::string& line) {
    end += line.size();
    return writer.Append(line);
  };
  TOSAIC_RETURN_IF_ERROR(append(Dump(first_line_, -1) + "\n"));
  for (const auto& [number, place] : places_) {
    TOSAIC_ASSIGN_OR_RETURN(CaseRecord record, Read(number));
    change(record);
    const std::string line = JournalLine(record) + "\n";
    places.emplace_hint(places.end(), number, PlaceOf(record, end, line));
    TOSAIC_RETURN_IF_ERROR(append(line));
  }
  TOSAIC_RETURN_IF_ERROR(writer.Commit());
  places_ = std::move(places);
  end_ = end;
  return OpenJournal(O_RDWR | O_APPEND);
}

absl::Status WorkDirectory::WriteResults(CampaignSummary* summary, const std::vector<FindingGroup>& groups,
                                         const Tally& tally, Dialect dialect) {
  // Beside the old ones first, so that a full disk loses nothing.
  const std::string findings = paths_.findings(), fresh = findings + ".new";
  std::error_code error;
  std::filesystem::remove_all(fresh, error);
  std::map<FindingSignature, int> of_signature;
  for (const Finding& finding : summary->findings) ++of_signature[finding.signature];
  for (Finding& finding : summary->findings) {
    const bool is_one_of_several = of_signature[finding.signature] > 1 && !finding.known_reason.empty();
    const std::string signature = ToString(finding.signature);
    const std::string name = FolderName(is_one_of_several ? absl::StrCat(signature, " of ", finding.cause) : signature);
    const FindingPaths paths = {absl::StrCat(fresh, "/", name)};
    finding.cases().folder = "findings/" + name;
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(paths.folder));
    const std::pair<std::string, std::string> files[] = {
        {paths.original_case(), CaseToText(finding.cases().original)},
        {paths.original_mlir(), ToMlir(finding.cases().original.program, dialect)},
        {paths.reduced_case(), CaseToText(finding.cases().reduced)},
        {paths.reduced_mlir(), ToMlir(finding.cases().reduced.program, dialect)},
        {paths.description(), Dump(ToJson(finding), 2) + "\n"},
        {paths.text(), EscapeControls(FindingToText(finding, dialect))},
    };
    for (const auto& [path, content] : files) {
      TOSAIC_RETURN_IF_ERROR(WriteFile(path, content));
    }
    TOSAIC_RETURN_IF_ERROR(WriteReproducer(paths.folder, finding.cases().reproducer));
  }
  std::filesystem::remove_all(findings, error);
  if (!summary->findings.empty()) std::filesystem::rename(fresh, findings, error);
  if (error) return absl::UnavailableError(absl::StrCat(findings, ": cannot write: ", error.message()));
  std::string lines;
  for (FindingGroup group : groups) absl::StrAppend(&lines, ToLine(group), "\n");
  TOSAIC_RETURN_IF_ERROR(WriteFile(paths_.groups(), lines));
  TOSAIC_RETURN_IF_ERROR(WriteFile(paths_.tally(), ToLine(tally) + "\n"));
  return WriteFile(paths_.summary(), Dump(ToJson(*summary), 2) + "\n");
}

void RemoveWork(const std::string& path) {
  const WorkPaths paths = {path};
  std::error_code ignored;
  for (const std::string& written :
       {paths.journal(), paths.summary(), paths.groups(), paths.tally(), paths.findings(), paths.corpus()}) {
    std::filesystem::remove_all(written, ignored);
  }
  if (!std::filesystem::is_symlink(path, ignored)) std::filesystem::remove(path, ignored);
}

}  // namespace tosaic
