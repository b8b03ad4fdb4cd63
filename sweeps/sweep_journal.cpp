// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/sweep_journal.h"

#include <cerrno>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "checking/identity_difference.h"
#include "checking/summed_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/work_paths.h"

namespace tosaic {
namespace {

std::string LineOf(const SweepRecord& record) { return WithSum(ToLine(record)) + "\n"; }

// The record of a line; nullopt if it was cut short or changed.
std::optional<SweepRecord> SweepRecordIn(const std::string& line) {
  if (SumOf(line) != LineSum::kRight) return std::nullopt;
  absl::StatusOr<SweepRecord> record = FromText<SweepRecord>(line);
  if (!record.ok()) return std::nullopt;
  record->sum.clear();
  return *std::move(record);
}

struct Identity {
  IdentityFacts facts;
};
void Fields(Visitor& v, Identity& identity) {
  v.Constant("tosaic_sweep", 1);
  v("asked_for", identity.facts.asked_for);
  v("routes", identity.facts.routes);
  v("versions", identity.facts.versions);
}

}  // namespace

Json SweepIdentity(const ValueSweepRunOptions& options, const Provenance& versions) {
  std::vector<std::string> ops, types;
  for (const OpKind op : options.plan.ops) ops.emplace_back(Name(op));
  for (const ElementType type : options.plan.types) types.emplace_back(Name(type));
  const auto& [policies, mlir_version, validation] = options.judge;
  const Json asked_for = {{"ops", ops},
                          {"types", types},
                          {"all", options.plan.all},
                          {"inputs", options.plan.inputs},
                          {"spec", std::string(Name(options.plan.spec_version))},
                          {"strict_values", policies.strict_values},
                          {"mlir_version", mlir_version}};
  return ToJson(Identity{{.asked_for = asked_for, .routes = {options.route}, .versions = versions}});
}

absl::StatusOr<SweepRecords> ReadSweepRecords(const std::string& directory, const Json& identity) {
  const std::string path = WorkPaths{directory}.journal();
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no journal of a sweep"));
  }
  const absl::StatusOr<Json> first = ParseJson(line);
  if (!first.ok() || *first != identity) {
    const absl::StatusOr<Identity> there = FromText<Identity>(line), ours = FromJson<Identity>(identity);
    return absl::FailedPreconditionError(absl::StrCat(
        directory, ": it holds another sweep (",
        there.ok() && ours.ok() ? DifferenceInWords(there->facts, ours->facts) : "its journal is none of a sweep",
        "): give another directory, or remove it"));
  }
  SweepRecords records;
  uint64_t dropped = 0;
  while (std::getline(in, line)) {
    std::optional<SweepRecord> record = SweepRecordIn(line);
    if (!record) {
      dropped += in.eof() ? 0 : 1;  // what is at the end was cut short
      continue;
    }
    const uint64_t program = record->program;
    records.insert_or_assign(program, *std::move(record));
  }
  if (dropped > 0) {
    std::fprintf(stderr, "tosaic: %s: %s dropped, whose programs run again\n", path.c_str(),
                 Counted(dropped, "line").c_str());
  }
  return records;
}

absl::StatusOr<SweepJournal> SweepJournal::Open(const std::string& directory, const Json& identity) {
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(directory));
  TOSAIC_ASSIGN_OR_RETURN(DirectoryLock lock, DirectoryLock::Take(directory));
  SweepJournal journal(std::move(lock));
  journal.path_ = WorkPaths{directory}.journal();
  absl::StatusOr<SweepRecords> records = ReadSweepRecords(directory, identity);
  if (records.ok()) {
    journal.records_ = *std::move(records);
  } else if (!absl::IsNotFound(records.status())) {
    return records.status();
  }
  TOSAIC_RETURN_IF_ERROR(journal.Rewrite(identity));
  return journal;
}

absl::Status SweepJournal::Rewrite(const Json& identity) {
  TOSAIC_ASSIGN_OR_RETURN(FileWriter writer, FileWriter::Create(path_));
  TOSAIC_RETURN_IF_ERROR(writer.Append(Dump(identity, -1) + "\n"));
  for (const auto& [program, record] : records_) TOSAIC_RETURN_IF_ERROR(writer.Append(LineOf(record)));
  TOSAIC_RETURN_IF_ERROR(writer.Commit());
  file_.reset(std::fopen(path_.c_str(), "abe"));
  return file_ == nullptr ? WriteError(path_, errno) : absl::OkStatus();
}

absl::Status SweepJournal::Append(const SweepRecord& record) {
  const std::string line = LineOf(record);
  errno = 0;
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() && std::fflush(file_.get()) == 0) {
    return absl::OkStatus();
  }
  return WriteError(path_, errno, "; what was done before is safe in it, and the same command goes on with it");
}

void Fields(Visitor& v, SweepRecord& record) {
  v("program", record.program);
  v.Optional("confirmed", record.is_confirmed);
  v("chunk", record.chunk);
  v.Optional("sum", record.sum);
}

}  // namespace tosaic
