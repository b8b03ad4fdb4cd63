// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: does whatever reads what others wrote (case files, result files, lists, journals, arrays, Arm's
// tests, the messages of adapters, what MLIR's tools print, and the short texts that flags take) refuse what is wrong
// with an error, and read what it wrote as what it was? Each input is given to every reader, so that files of any kind
// are seeds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "campaign/case_record.h"
#include "campaign/finding_group.h"
#include "campaign/tally.h"
#include "checking/known_divergences.h"
#include "codec/codec.h"
#include "conformance/arm_description.h"
#include "conformance/arm_program.h"
#include "model/json.h"
#include "model/npy.h"
#include "model/op_signature.h"
#include "model/pass_pipeline.h"
#include "model/pass_sequence.h"
#include "model/shape.h"
#include "model/signature.h"
#include "model/spec_case.h"
#include "model/validation_target.h"
#include "mutants/broken_lowering.h"
#include "oracle/explain.h"
#include "oracle/policy.h"
#include "reports/formats.h"
#include "results/nights.h"
#include "results/report.h"
#include "toolchain/adapter/protocol.h"
#include "toolchain/external/tool_output.h"

namespace tosaic {
namespace {

// Checks that a written value is read again as the same.
template <typename T, typename Read, typename Write>
void ExpectTheSameAgain(const absl::StatusOr<T>& value, Read read, Write write) {
  if (!value.ok()) return;
  const std::string once = write(*value);
  const absl::StatusOr<T> again = read(once);
  if (again.ok() && write(*again) == once) return;
  std::fprintf(stderr, "tosaic: what was written does not read as the same:\n%s\n", once.c_str());
  std::abort();
}

template <typename T>
void ExpectTheSameLine(const Json& json) {
  ExpectTheSameAgain(FromJson<T>(json), &FromText<T>, &ToLine<T>);
}

// Lines of a journal, and those whose checksum is of another line, which hardly any change of a line leaves right.
void ReadJournalLine(absl::string_view text, const Json& json) {
  ExpectTheSameAgain(RecordIn(text), &RecordIn, &JournalLine);
  absl::StatusOr<CaseRecord> record = FromJson<CaseRecord>(json);
  if (record.ok()) record->sum.clear();
  ExpectTheSameAgain(record, &RecordIn, &JournalLine);
}

void ReadDocuments(absl::string_view text) {
  // Every reader of documents begins with this parser, and gives its error on.
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return;
  ExpectTheSameAgain(CaseFromJson(*json), &CaseFromText, &CaseToText);
  ExpectTheSameAgain(SpecCaseFromText(text), &SpecCaseFromText, &SpecCaseToText);
  ReadJournalLine(text, *json);
  ExpectTheSameLine<FindingGroup>(*json);
  ExpectTheSameLine<Tally>(*json);
  ExpectTheSameLine<NightHistory>(*json);
  ExpectTheSameLine<ArmDescription>(*json);
  ExpectTheSameLine<AdapterGreeting>(*json);
  ExpectTheSameLine<AdapterReply>(*json);
  (void)ArmProgramFromText(text);
  (void)KnownDivergences::FromText(text);
  (void)BrokenLoweringsFromText(text);
  const auto nothing_beside = [](const std::string&) { return std::optional<std::string>(); };
  const absl::StatusOr<ResultReport> report = ReadReport(text, "results.json", nothing_beside);
  if (!report.ok()) return;
  for (const ReportFormat& format : AllReportFormats()) (void)format.write(*report);
}

void ReadTexts(absl::string_view text) {
  (void)ParseTensorType(text);
  (void)ParseOpSignature(text);
  (void)ParseFindingSignature(text);
  (void)SplitPipeline(text);
  (void)ParseSequence(text);
  (void)ParseValidationTarget(text);
  (void)Explain(text, Policies());
}

// Reads the text as output of mlir-opt and mlir-translate.
void ReadToolOutput(absl::string_view text) {
  const std::vector<std::string> modules = SplitModules(text);
  for (const ToolError& error : ErrorsIn(text, modules)) {
    if (error.module && *error.module >= modules.size()) std::abort();
  }
  (void)SplitLlvmModules(text);
  (void)FailedPass(text);
  (void)PassWithLooseConstant(text);
  (void)LastPass(text);
  (void)LastWords(text);
  (void)ResultTypes(text);
}

void ReadArrays(absl::string_view bytes) {
  for (const ElementTypeInfo& type : AllElementTypes()) {
    const absl::StatusOr<Tensor> tensor = TensorFromNpy(bytes, type.type);
    if (!tensor.ok()) continue;
    const absl::StatusOr<Tensor> again = TensorFromNpy(ToNpy(*tensor), type.type);
    if (!again.ok() || !(*again == *tensor)) std::abort();
  }
}

}  // namespace
}  // namespace tosaic

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  tosaic::ReadDocuments(input);
  if (size < 4096) tosaic::ReadTexts(input);  // a line
  tosaic::ReadToolOutput(input);
  tosaic::ReadArrays(input);
  return 0;
}
