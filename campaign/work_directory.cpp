#include "campaign/work_directory.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "campaign/checking/files.h"
#include "model/mlir_text.h"
#include "reports/campaign_report.h"

namespace tosaic {
namespace {

// FNV-1a: the same on every machine, unlike std::hash.
uint64_t Hash(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string FolderName(const std::string& signature) {
  std::string name;
  for (char c : signature) {
    if (name.size() >= 60) break;
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    if (plain) name += c;
    if (!plain && (name.empty() || name.back() != '-')) name += '-';
  }
  return absl::StrCat(name, "-", absl::Hex(Hash(signature) & 0xffffffff, absl::kZeroPad8));
}

WorkDirectory::WorkDirectory(WorkDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      identity_(std::move(other.identity_)),
      records_(std::move(other.records_)),
      journal_(std::exchange(other.journal_, nullptr)) {}

WorkDirectory::~WorkDirectory() {
  if (journal_ != nullptr) std::fclose(journal_);
}

absl::Status WorkDirectory::OpenJournal() {
  const std::string path = path_ + "/journal.jsonl";
  journal_ = std::fopen(path.c_str(), "ab");
  if (journal_ == nullptr) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot write: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::StatusOr<WorkDirectory> WorkDirectory::Open(const std::string& path, const Json& identity) {
  WorkDirectory directory;
  directory.path_ = path;
  directory.identity_ = identity;
  if (absl::Status status = MakeDirectories(path); !status.ok()) return status;
  const std::string journal = path + "/journal.jsonl";
  if (std::filesystem::exists(journal)) {
    absl::StatusOr<std::string> text = ReadFile(journal);
    if (!text.ok()) return text.status();
    const std::vector<absl::string_view> lines = absl::StrSplit(*text, '\n', absl::SkipEmpty());
    const absl::StatusOr<Json> first = lines.empty() ? identity : ParseJson(lines[0]);
    if (!first.ok() || *first != identity) {
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": holds another campaign (", first.ok() ? Dump(*first, -1) : "its journal is no journal",
                       "; asked for: ", Dump(identity, -1), "): give another --out, or remove it"));
    }
    for (size_t i = 1; i < lines.size(); ++i) {
      absl::StatusOr<CaseRecord> record = RecordFromLine(lines[i]);
      if (!record.ok()) continue;
      const uint64_t number = record->number;
      directory.records_[number] = *std::move(record);
    }
  } else {
    for (const char* name : {"/findings", "/summary.json"}) {
      if (!std::filesystem::exists(path + name)) continue;
      return absl::FailedPreconditionError(
          absl::StrCat(path, name, ": is in the way, and no campaign's journal beside it: give another --out"));
    }
  }
  // Writing it anew drops a line that a crash cut short.
  absl::Status status = directory.Replace(std::map<uint64_t, CaseRecord>(directory.records_));
  if (!status.ok()) return status;
  return directory;
}

absl::Status WorkDirectory::Append(const CaseRecord& record) {
  const std::string line = ToLine(record) + "\n";
  records_[record.number] = record;
  if (std::fwrite(line.data(), 1, line.size(), journal_) != line.size() || std::fflush(journal_) != 0) {
    return absl::UnavailableError(absl::StrCat(path_, "/journal.jsonl: cannot write: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status WorkDirectory::Replace(const std::map<uint64_t, CaseRecord>& records) {
  records_ = records;
  std::string text = Dump(identity_, -1) + "\n";
  for (const auto& [number, record] : records_) absl::StrAppend(&text, ToLine(record), "\n");
  if (absl::Status status = WriteFile(path_ + "/journal.jsonl", text); !status.ok()) return status;
  if (journal_ != nullptr) std::fclose(journal_);
  return OpenJournal();
}

absl::Status WorkDirectory::WriteResults(CampaignSummary* summary, Dialect dialect) {
  // Beside the old ones first, so that a full disk loses nothing.
  const std::string findings = path_ + "/findings", fresh = path_ + "/findings.new";
  std::error_code error;
  std::filesystem::remove_all(fresh, error);
  summary->finding_directories.clear();
  for (const Finding& finding : summary->findings) {
    const std::string name = FolderName(finding.signature);
    const std::string folder = absl::StrCat(fresh, "/", name);
    summary->finding_directories.push_back("findings/" + name);
    if (absl::Status status = MakeDirectories(folder); !status.ok()) return status;
    const std::pair<const char*, std::string> files[] = {
        {"original.json", CaseToText(finding.original)},
        {"original.mlir", ToMlir(finding.original.program, dialect)},
        {"reduced.json", CaseToText(finding.reduced)},
        {"reduced.mlir", ToMlir(finding.reduced.program, dialect)},
        {"finding.json", Dump(FindingToJson(finding), 2) + "\n"},
        {"finding.txt", FindingToText(finding, dialect)},
    };
    for (const auto& [name, content] : files) {
      if (absl::Status status = WriteFile(absl::StrCat(folder, "/", name), content); !status.ok()) return status;
    }
    if (absl::Status status = WriteReproducer(folder, finding.reproducer); !status.ok()) return status;
  }
  std::filesystem::remove_all(findings, error);
  if (!summary->findings.empty()) std::filesystem::rename(fresh, findings, error);
  if (error) return absl::UnavailableError(absl::StrCat(findings, ": cannot write: ", error.message()));
  return WriteFile(path_ + "/summary.json", Dump(SummaryToJson(*summary), 2) + "\n");
}

}  // namespace tosaic
