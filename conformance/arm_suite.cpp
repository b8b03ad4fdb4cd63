// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_suite.h"

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "conformance/arm_description.h"
#include "conformance/arm_program.h"
#include "model/digest.h"
#include "model/npy.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// The tolerance that the test states of its only result.
std::optional<StatedTolerance> ToleranceOf(const ArmDescription& description) {
  if (!description.meta.compliance) return std::nullopt;
  const auto& by_result = description.meta.compliance->by_result;
  return by_result.size() == 1 ? ToleranceOf(by_result.begin()->second) : std::nullopt;
}

// The path of a file that the description names.
absl::StatusOr<std::string> Named(const fs::path& folder, absl::string_view key, const std::string& name) {
  return At(absl::StrCat((folder / kArmDescription).string(), ": ", key), PathBelow(folder.string(), name));
}

// The tensor that the description has for an argument; its bytes go into the digest.
absl::StatusOr<Tensor> ReadInput(const fs::path& folder, const ArmDescription& description, const std::string& name,
                                 const TensorType& type, uint64_t* digest) {
  const auto found = absl::c_find(description.input_names, name);
  if (found == description.input_names.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat((folder / kArmDescription).string(), ": ifm_name: no file for ", name));
  }
  const size_t index = static_cast<size_t>(found - description.input_names.begin());
  TOSAIC_ASSIGN_OR_RETURN(const std::string path, Named(folder, "ifm_file", description.input_files[index]));
  TOSAIC_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  *digest = Digest(bytes, *digest);
  TOSAIC_ASSIGN_OR_RETURN(Tensor tensor, At(path, TensorFromNpy(bytes, type.element_type)));
  if (Admits(type.shape, tensor.sizes())) return tensor;
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": its shape is ", SizesToString(tensor.sizes()), ", and ", name, " is ", ToString(type)));
}

// The program's file: the JSON beside the binary, or the description itself names it.
absl::StatusOr<std::string> PathOfProgram(const fs::path& folder, const std::string& name) {
  TOSAIC_ASSIGN_OR_RETURN(const std::string path,
                          Named(folder, "tosa_file", fs::path(name).replace_extension(".json").string()));
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  return absl::NotFoundError(
      absl::StrCat(path, ": there is no such file; Arm's generator writes it with --output-type both"));
}

struct Described {
  std::string text;
  ArmDescription description;
};

absl::StatusOr<Described> ReadDescription(const fs::path& folder) {
  const std::string path = (folder / kArmDescription).string();
  TOSAIC_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  TOSAIC_ASSIGN_OR_RETURN(ArmDescription description, At(path, FromText<ArmDescription>(text)));
  return Described{std::move(text), std::move(description)};
}

bool IsOf(absl::Span<const OpKind> ops, const ArmDescription& description) {
  const std::string name = absl::AsciiStrToLower(description.details.op);
  return ops.empty() || absl::c_any_of(ops, [&](OpKind op) { return Name(op) == name; });
}

// The test with what its description names.
absl::StatusOr<ArmTest> ReadTest(const std::string& folder, const Described& described) {
  const auto& [text, description] = described;
  ArmTest test = {.folder = folder,
                  .name = folder,
                  .op = absl::AsciiStrToLower(description.details.op),
                  .tags = description.tags,
                  .profiles = description.requirements.profiles,
                  .extensions = description.requirements.extensions,
                  .must_fail = description.must_fail,
                  .error = description.details.error};
  if (test.must_fail && test.error.empty()) test.error = "unnamed";
  TOSAIC_ASSIGN_OR_RETURN(const std::string program_path, PathOfProgram(folder, description.program));
  TOSAIC_ASSIGN_OR_RETURN(const std::string program_text, ReadFile(program_path));
  test.digest = Digest(program_text, Digest(text));
  std::optional<LooseOp> miscounted;
  absl::StatusOr<ArmProgram> program = ArmProgramFromText(program_text, &miscounted);
  if (absl::IsUnimplemented(program.status())) {
    test.not_representable = std::string(program.status().message());
    if (test.must_fail) test.miscounted = std::move(miscounted);
    return test;
  }
  if (!program.ok()) return At(program_path, program.status());
  test.test_case.emplace().program = std::move(program->program);
  if (test.must_fail) return test;
  Run run;
  for (size_t i = 0; i < program->inputs.size(); ++i) {
    const TensorType& type = test.test_case->program.arguments[i];
    TOSAIC_ASSIGN_OR_RETURN(Tensor input, ReadInput(folder, description, program->inputs[i], type, &test.digest));
    run.push_back(std::move(input));
  }
  test.test_case->runs.push_back(std::move(run));
  test.tolerance = ToleranceOf(description);
  TOSAIC_RETURN_IF_ERROR(At(program_path, CheckWellFormed(*test.test_case)));
  return test;
}

}  // namespace

absl::StatusOr<ArmTest> ReadArmTest(const std::string& folder) {
  TOSAIC_ASSIGN_OR_RETURN(const Described described, ReadDescription(folder));
  return ReadTest(folder, described);
}

absl::StatusOr<std::vector<ArmTest>> ReadArmSuite(const std::string& folder, absl::Span<const OpKind> ops) {
  std::error_code error;
  std::vector<std::string> names;
  for (auto at = fs::recursive_directory_iterator(folder, error); !error && at != fs::end(at); at.increment(error)) {
    if (at->path().filename() == kArmDescription) names.push_back(at->path().parent_path().string());
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
  if (names.empty())
    return absl::NotFoundError(absl::StrCat(folder, ": there is no test (", kArmDescription, ") in it"));
  absl::c_sort(names);
  std::vector<ArmTest> tests;
  for (const std::string& name : names) {
    TOSAIC_ASSIGN_OR_RETURN(const Described described, ReadDescription(name));
    if (!IsOf(ops, described.description)) continue;
    TOSAIC_ASSIGN_OR_RETURN(ArmTest test, ReadTest(name, described));
    test.name = fs::path(name).lexically_relative(folder).string();
    if (test.test_case) {
      test.test_case->origin = test.name;
      for (Run& run : test.test_case->runs) run.clear();
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

absl::StatusOr<Case> WholeCase(const ArmTest& test) {
  if (test.folder.empty()) return *test.test_case;
  TOSAIC_ASSIGN_OR_RETURN(ArmTest again, ReadArmTest(test.folder));
  if (!again.test_case || again.digest != test.digest) {
    return absl::FailedPreconditionError(absl::StrCat(test.folder, ": the test has changed since it was first read"));
  }
  Case whole = *test.test_case;
  whole.runs = std::move(again.test_case->runs);
  return whole;
}

}  // namespace tosaic
