// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/case_record.h"

#include "absl/algorithm/container.h"
#include "checking/summed_line.h"
#include "codec/status.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

constexpr char kKilledNote[] = "killed from outside";

}  // namespace

std::string JournalLine(const CaseRecord& record) { return WithSum(ToLine(record)); }

absl::Status CheckJournalLine(absl::string_view line) {
  switch (SumOf(line)) {
    case LineSum::kRight:
      return absl::OkStatus();
    case LineSum::kWrong:
      return absl::DataLossError("its checksum is of another line: somebody or something has changed it");
    case LineSum::kNone:
      break;
  }
  TOSAIC_ASSIGN_OR_RETURN(const CaseRecord record, FromText<CaseRecord>(line));
  return record.sum.empty() ? absl::OkStatus() : absl::DataLossError("its checksum is no longer at its end");
}

absl::StatusOr<CaseRecord> RecordIn(absl::string_view line) {
  TOSAIC_RETURN_IF_ERROR(CheckJournalLine(line));
  absl::StatusOr<CaseRecord> record = FromText<CaseRecord>(line);
  if (record.ok()) record->sum.clear();
  return record;
}

CaseRecord RecordOf(uint64_t number, const Case& test_case, const CheckedCase& checked) {
  const Case& judged = checked.twin ? *checked.twin : test_case;
  const Judgement& judgement = checked.judgement;
  const OpApplication& op = judged.program.ops.back();
  CaseRecord record;
  record.number = number;
  record.verdict = judgement.verdict;
  record.op = op.op;
  record.types = TypesOf(judged.program, op);
  record.shapes = judged.program.ops.size() > 1 ? ShapeClass::kSeveralOps : ClassOf(judged.program, op);
  record.route = judged.route;
  record.twin = checked.twin ? checked.twin_name : test_case.twin;
  if (checked.observation.category) record.category = std::string(Name(*checked.observation.category));
  record.rule.id = judgement.rule;
  if (judgement.verdict == Verdict::kHarnessFault) record.rule.fault = judgement.actual;
  record.signature = checked.signature;
  record.beyond_spec = judgement.beyond_spec;
  record.of_twin = checked.twin.has_value();
  record.runs = checked.observation.runs.size();
  record.compared = judgement.compared;
  record.masked = judgement.masked;
  record.open = judgement.open;
  record.judged = judgement.judged;
  record.notes = judgement.notes;
  if (IsOfKillFromOutside(checked.observation)) record.notes.emplace_back(kKilledNote);
  return record;
}

bool IsKilled(const CaseRecord& record) {
  return record.verdict == Verdict::kHarnessFault && absl::c_linear_search(record.notes, kKilledNote);
}

void Fields(Visitor& v, CaseRecord& record) {
  v("case", record.number);
  v("verdict", record.verdict);
  v("op", record.op);
  v("types", record.types);
  v("shapes", record.shapes, "the class of shapes of its only op, or `several-ops`");
  v("route", record.route);
  v("twin", record.twin);
  v("category", record.category, "the subject of a refusal by the verifier, if it is known");
  v("rule", record.rule);
  v("signature", record.signature, "the signature, if the case diverges");
  v("beyond_spec", record.beyond_spec);
  v.Optional("base_agrees", record.base_agrees,
             "true if the MLIR without the patch under review has right what is wrong here: no cause of that MLIR "
             "explains it");
  v("of_twin", record.of_twin, "true if the case's twin diverges");
  v("runs", record.runs, "executed");
  v("compared", record.compared);
  v("masked", record.masked);
  v.MayLack("open", record.open);
  v.MayLack("judged", Each<CountsOfElements>(record.judged), "the elements of all three, by what computed them");
  v("notes", record.notes);
  v.Optional("opinion", record.opinion, "what the tolerance that a test of another suite states says of the result");
  v("patterns", record.patterns, "patterns that changed the IR for the first time in this worker");
  v.Optional("reached", record.reached,
             "of a guided campaign: blocks, rules, refusals, diagnostics, patterns and tiles that no case before its "
             "round reached");
  v.Optional("new_numbers", record.new_numbers,
             "of a campaign about a patch: numbers of constants that the case's IR has with the patch alone");
  v("first_preceding", record.first_preceding, "the first case that the same worker process had run");
  v.Optional("sum", record.sum,
             "the checksum of the line without this key: FNV-1a of 64 bits, its halves combined by exclusive or, in "
             "hexadecimal");
}

}  // namespace tosaic
