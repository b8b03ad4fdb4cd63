// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads whole files, and writes files atomically (under a temporary name that is then renamed).
#ifndef TOSAIC_CHECKING_FILES_H_
#define TOSAIC_CHECKING_FILES_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/status.h"
#include "model/program.h"
#include "model/spec_case.h"

namespace tosaic {

absl::StatusOr<std::string> ReadFile(const std::string& path);
// If it fails, the old file does not change. Devices and pipes are written in place.
absl::Status WriteFile(const std::string& path, absl::string_view content);
absl::Status MakeDirectories(const std::string& path);
// Whether a path lies in a folder, or is it. REQUIRES: both are canonical.
bool LiesIn(const std::filesystem::path& folder, const std::filesystem::path& path);
// The path below `folder` of a name that was read from a file, a toolchain or an adapter, and that nobody vouches for.
// Every such name is resolved here. Errors: it is not a plain relative name ("", "/x", "../x", control characters), a
// link leads out of the folder, or a pipe or a device is there.
absl::StatusOr<std::string> PathBelow(const std::string& folder, absl::string_view name);
// Writes the files of a reproducer folder by name, and makes repro.sh executable.
absl::Status WriteReproducer(const std::string& directory, const std::map<std::string, std::string>& files);

// The content of a file as `parse` reads it; errors name the file.
template <typename T>
absl::StatusOr<T> ReadAs(const std::string& path, absl::StatusOr<T> (*parse)(absl::string_view)) {
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  return At(path, parse(text));
}
// The case in a file, and the case or probe with what is expected of it; the error names the file.
absl::StatusOr<Case> ReadCase(const std::string& path);
absl::StatusOr<SpecCase> ReadSpecCase(const std::string& path);

// The files among the paths, and for each directory every .json file below it that holds a case or is broken, and every
// .mlir file; sorted. The .mlir files of findings and reproducers are left out: they repeat the case of a .json file
// beside them. Errors: a directory without any.
absl::StatusOr<std::vector<std::string>> CaseFilesAt(const std::vector<std::string>& paths);
// The same without the .mlir files of directories, for whoever reads no program that is not a case.
absl::StatusOr<std::vector<std::string>> JsonCaseFilesAt(const std::vector<std::string>& paths);
// The same of inputs of a libFuzzer target: each file that lies in a directory, whatever its name, but for those that a
// night named after other targets ("fuzz_trait-crash-..."). Errors: a directory without any.
absl::StatusOr<std::vector<std::string>> ArtifactsAt(const std::vector<std::string>& paths, const std::string& target);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_FILES_H_
