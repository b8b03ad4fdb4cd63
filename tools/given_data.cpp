// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/given_data.h"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "checking/case_limits.h"
#include "checking/files.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/escape.h"
#include "model/npy.h"
#include "model/verdict.h"
#include "toolchain/mlir/mlir_import.h"
#include "toolchain/observe_isolated.h"

namespace tosaic {
namespace {

absl::Status Error(absl::string_view flag, absl::string_view reason) {
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", reason));
}

// Reads a tensor from each file. `types` are those of the arguments or results that they are for, and `noun` names
// these in errors: "argument".
absl::StatusOr<std::vector<Tensor>> ReadAll(absl::string_view flag, const std::vector<std::string>& files,
                                            const std::vector<TensorType>& types, absl::string_view noun) {
  if (files.size() != types.size()) {
    return Error(flag, absl::StrCat(Counted(files.size(), "file"), " for ", Counted(types.size(), noun)));
  }
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < files.size(); ++i) {
    TOSAIC_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(files[i]));
    absl::StatusOr<Tensor> tensor = TensorFromNpy(bytes, types[i].element_type);
    if (!tensor.ok()) return Error(flag, absl::StrCat(files[i], ": ", tensor.status().message()));
    if (types[i].shape.IsRanked() && !Admits(types[i].shape, tensor->sizes())) {
      return Error(flag, absl::StrCat(files[i], ": its shape is ", SizesToString(tensor->sizes()), ", and ", noun, " ",
                                      i, " is ", ToString(types[i])));
    }
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

// "differs from FILE in 2 of 10 elements, first in element 3: 1.5 instead of 2"; a NaN is as good as another.
std::string Difference(const Tensor& actual, const Tensor& expected, const std::string& file) {
  if (actual.sizes() != expected.sizes()) {
    return absl::StrCat("has the shape ", SizesToString(actual.sizes()), ", and ", file, " ",
                        SizesToString(expected.sizes()));
  }
  const ElementType type = actual.element_type();
  size_t differ = 0, first = 0;
  for (size_t i = actual.element_count(); i-- > 0;) {
    const uint64_t a = actual.Bits(i), b = expected.Bits(i);
    if (a == b || (std::isnan(ElementToDouble(type, a)) && std::isnan(ElementToDouble(type, b)))) continue;
    ++differ;
    first = i;
  }
  if (differ == 0) return absl::StrCat("is what ", file, " has");
  return absl::StrCat("differs from ", file, " in ", differ, " of ", Counted(actual.element_count(), "element"),
                      ", first in element ", first, ": ", ElementToString(type, actual.Bits(first)), " instead of ",
                      ElementToString(type, expected.Bits(first)));
}

// "@f.behind (the ops after tosa.reduce_sum, for whose results Tosaic draws data)".
std::string PartOf(const LoadedCase& loaded_case) {
  return absl::StrCat(OneLine(loaded_case.name.substr(loaded_case.name.rfind(":@") + 1)), " (",
                      OneLine(PartInWords(loaded_case.part)), ")");
}

std::string ByTheDocuments(const Judgement& judgement) {
  if (judgement.verdict == Verdict::kAgree) return "what the documents allow";
  return absl::StrCat(Name(judgement.verdict), " by the documents [", Name(judgement.rule), "]: expected ",
                      judgement.expected, ", actual ", judgement.actual);
}

}  // namespace

void GivenData::AddTo(CLI::App& app) {
  app.option_defaults()->group("Data of your own");
  app.add_option("--inputs", inputs, "the inputs of a run: a .npy file for each argument: a.npy,b.npy")
      ->delimiter(',')
      ->type_name("FILES");
  app.add_option("--expect", expect, "what should come out of that run: a .npy file for each result")
      ->delimiter(',')
      ->type_name("FILES");
  app.add_option("--outputs", outputs, "write what came out of that run into this directory: 0.npy, ...")
      ->type_name("DIR");
  app.option_defaults()->group("Options");
}

absl::Status GivenData::CheckRuns(const ToolchainFlags& toolchain) const {
  if (!IsGiven() || toolchain.target.empty()) return absl::OkStatus();
  return Error(!inputs.empty() ? "--inputs" : !expect.empty() ? "--expect" : "--outputs", "with --target nothing runs");
}

absl::Status GivenData::AddRunTo(std::vector<LoadedCase>* subjects) const {
  std::vector<LoadedCase*> cases;
  for (LoadedCase& loaded_case : *subjects) {
    if (loaded_case.skipped.empty() && loaded_case.spec_case.test_case() != nullptr) cases.push_back(&loaded_case);
  }
  if (cases.empty()) return Error("--inputs", "there is no function to run");
  if (cases.size() == 2 && cases[1]->name == absl::StrCat(cases[0]->name, kBehind)) {
    return Error("--inputs", absl::StrCat("the function is split into two cases, ", PartOf(*cases[0]), " and ",
                                          PartOf(*cases[1]), "; --function picks one"));
  }
  if (cases.size() > 1) return Error("--inputs", "there are several functions; --function picks one");
  if (cases[0]->has_other_results && (!expect.empty() || !outputs.empty())) {
    const std::string part = cases[0]->part.empty() ? "" : absl::StrCat(", which is ", PartOf(*cases[0]));
    return Error(expect.empty() ? "--outputs" : "--expect",
                 absl::StrCat("what the function returns is not what the case", part, ", returns"));
  }
  Case* only = &std::get<Case>(cases[0]->spec_case.subject);
  TOSAIC_ASSIGN_OR_RETURN(Run run, ReadAll("--inputs", inputs, only->program.arguments, "argument"));
  only->runs.insert(only->runs.begin(), std::move(run));
  const std::string beyond = BeyondLimits(*only);
  return beyond.empty() ? absl::OkStatus() : Error("--inputs", beyond);
}

std::string GivenData::OutputFile(size_t result) const {
  return (std::filesystem::path(outputs) / absl::StrCat(result, ".npy")).string();
}

absl::Status GivenData::MakeRoomForOutputs(size_t results) const {
  if (outputs.empty()) return absl::OkStatus();
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(outputs));
  for (size_t i = 0; i < results; ++i) {
    std::error_code error;
    std::filesystem::remove(OutputFile(i), error);
    if (error) return Error("--outputs", absl::StrCat(OutputFile(i), ": cannot remove: ", error.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> GivenData::Compare(const Case& test_case, Toolchain& toolchain, const WorkerLimits& limits,
                                               const JudgeOptions& judge) const {
  Case given = test_case;
  given.twin.clear();
  given.runs.resize(1);
  std::vector<TensorType> types;
  for (const ValueRef result : given.program.results) types.push_back(TypeOf(given.program, result));
  std::vector<Tensor> expected;
  if (!expect.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(expected, ReadAll("--expect", expect, types, "result"));
  }
  TOSAIC_RETURN_IF_ERROR(MakeRoomForOutputs(types.size()));
  const Observation observation = ObserveIsolated(toolchain, given, limits);
  if (observation.runs.empty() || observation.runs.front().results.empty()) {
    return absl::StrCat("given:     nothing came out: ", Summarize(observation), "\n");
  }
  const std::vector<ResultObservation>& results = observation.runs.front().results;
  std::string text =
      absl::StrCat("given:     what came out is ", ByTheDocuments(Judge(given, observation, judge)), "\n");
  for (size_t i = 0; !outputs.empty() && i < results.size(); ++i) {
    TOSAIC_RETURN_IF_ERROR(WriteFile(OutputFile(i), ToNpy(results[i].tensor)));
  }
  if (expect.empty()) return text;
  Observation as_expected = observation;
  for (size_t i = 0; i < results.size(); ++i) {
    as_expected.runs.front().results[i] = {.tensor = expected[i]};
    absl::StrAppend(&text, "           result ", i, " ", Difference(results[i].tensor, expected[i], expect[i]), "\n");
  }
  absl::StrAppend(&text, "           what is expected is ", ByTheDocuments(Judge(given, as_expected, judge)), "\n");
  return text;
}

}  // namespace tosaic
