// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/conformance/arm_suite.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/files.h"
#include "campaign/conformance/arm_program.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/npy.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "desc.json";

struct Requirements {
  std::vector<std::string> profiles, extensions;
};
void Fields(Visitor& v, Requirements& requirements) {
  v.MayLack("profiles_supported", requirements.profiles);
  v.MayLack("extensions_required", requirements.extensions);
}

struct Details {
  std::string op, error;
};
void Fields(Visitor& v, Details& details) {
  v.MayLack("operator", details.op);
  v.MayLack("ERRORIF", details.error);
}

struct Ulps {
  double outward = 0, inward = 0;
};
void Fields(Visitor& v, Ulps& ulps) {
  v("ulp", ulps.outward);
  v.MayLack("ulp_lower", ulps.inward);
}

// How a result is to be judged; of the modes, those that need no more than the true value.
struct Compliance {
  std::string mode;
  Ulps ulps;
};
void Fields(Visitor& v, Compliance& compliance) {
  v("mode", compliance.mode);
  v.MayLack("ulp_info", compliance.ulps);
}

struct Compliances {
  std::map<std::string, Compliance> by_result;
};
void Fields(Visitor& v, Compliances& compliances) { v.MayLack("tensors", compliances.by_result); }

struct Meta {
  Compliances compliance;
};
void Fields(Visitor& v, Meta& meta) { v.MayLack("compliance", meta.compliance); }

struct Description {
  std::string program;  // the binary flatbuffer; its JSON is called as it is
  std::vector<std::string> input_names, input_files;
  bool must_fail = false;
  std::vector<std::string> tags;
  Requirements requirements;
  Details details;
  Meta meta;
};
void Fields(Visitor& v, Description& description) {
  v("tosa_file", description.program);
  v("ifm_name", description.input_names);
  v("ifm_file", description.input_files);
  v.MayLack("expected_failure", description.must_fail);
  v.MayLack("tag", description.tags);
  v.MayLack("test_requirements", description.requirements);
  v.MayLack("test_details", description.details);
  v.MayLack("meta", description.meta);
  if (v.IsReading() && description.input_names.size() != description.input_files.size()) {
    v.Fail(absl::StrCat(Counted(description.input_files.size(), "file"), " for ",
                        Counted(description.input_names.size(), "input")),
           "ifm_file");
  }
}

std::optional<StatedTolerance> ToleranceOf(const Description& description) {
  const auto& by_result = description.meta.compliance.by_result;
  if (by_result.size() != 1) return std::nullopt;
  const auto& [mode, ulps] = by_result.begin()->second;
  if (mode == "EXACT") return StatedTolerance();
  if (mode != "ULP") return std::nullopt;
  return StatedTolerance{ulps.outward, ulps.inward == 0 ? ulps.outward : ulps.inward};
}

// The tensor that the description has for an argument.
absl::StatusOr<Tensor> ReadInput(const fs::path& folder, const Description& description, const std::string& name,
                                 const TensorType& type) {
  const auto found = absl::c_find(description.input_names, name);
  if (found == description.input_names.end()) {
    return absl::InvalidArgumentError(absl::StrCat((folder / kDescription).string(), ": ifm_name: no file for ", name));
  }
  const size_t index = static_cast<size_t>(found - description.input_names.begin());
  const std::string path = (folder / description.input_files[index]).string();
  TOSAIC_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  TOSAIC_ASSIGN_OR_RETURN(Tensor tensor, At(path, TensorFromNpy(bytes, type.element_type)));
  if (Admits(type.shape, tensor.sizes())) return tensor;
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": its shape is ", SizesToString(tensor.sizes()), ", and ", name, " is ", ToString(type)));
}

// The program's file: the JSON beside the binary, or the description itself names it.
absl::StatusOr<std::string> PathOfProgram(const fs::path& folder, const std::string& name) {
  const fs::path path = (folder / name).replace_extension(".json");
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path.string();
  return absl::NotFoundError(
      absl::StrCat(path.string(), ": there is no such file; Arm's generator writes it with --output-type both"));
}

}  // namespace

absl::StatusOr<ArmTest> ReadArmTest(const std::string& folder) {
  const std::string path = (fs::path(folder) / kDescription).string();
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  TOSAIC_ASSIGN_OR_RETURN(const Description description, At(path, FromText<Description>(text)));
  ArmTest test = {.name = folder,
                  .op = absl::AsciiStrToLower(description.details.op),
                  .tags = description.tags,
                  .profiles = description.requirements.profiles,
                  .extensions = description.requirements.extensions,
                  .must_fail = description.must_fail,
                  .error = description.details.error};
  if (test.must_fail && test.error.empty()) test.error = "unnamed";
  TOSAIC_ASSIGN_OR_RETURN(const std::string program_path, PathOfProgram(folder, description.program));
  TOSAIC_ASSIGN_OR_RETURN(const std::string program_text, ReadFile(program_path));
  absl::StatusOr<ArmProgram> program = ArmProgramFromText(program_text);
  if (absl::IsUnimplemented(program.status())) {
    test.not_representable = std::string(program.status().message());
    return test;
  }
  if (!program.ok()) return At(program_path, program.status());
  test.test_case.emplace().program = std::move(program->program);
  if (test.must_fail) return test;
  Run run;
  for (size_t i = 0; i < program->inputs.size(); ++i) {
    const TensorType& type = test.test_case->program.arguments[i];
    TOSAIC_ASSIGN_OR_RETURN(Tensor input, ReadInput(folder, description, program->inputs[i], type));
    run.push_back(std::move(input));
  }
  test.test_case->runs.push_back(std::move(run));
  test.tolerance = ToleranceOf(description);
  TOSAIC_RETURN_IF_ERROR(At(program_path, CheckWellFormed(*test.test_case)));
  return test;
}

absl::StatusOr<std::vector<ArmTest>> ReadArmSuite(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (auto at = fs::recursive_directory_iterator(folder, error); !error && at != fs::end(at); at.increment(error)) {
    if (at->path().filename() == kDescription) names.push_back(at->path().parent_path().string());
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
  if (names.empty()) return absl::NotFoundError(absl::StrCat(folder, ": there is no test (", kDescription, ") in it"));
  absl::c_sort(names);
  std::vector<ArmTest> tests;
  for (const std::string& name : names) {
    TOSAIC_ASSIGN_OR_RETURN(ArmTest test, ReadArmTest(name));
    test.name = fs::path(name).lexically_relative(folder).string();
    if (test.test_case) test.test_case->origin = test.name;
    tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace tosaic
