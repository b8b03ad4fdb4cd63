// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/checking/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "campaign/checking/file_writer.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/work_paths.h"

namespace tosaic {
namespace {

constexpr size_t kMostOfADevice = size_t{64} << 20;  // bytes

absl::Status FileError(absl::string_view what, const std::string& path, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat(path, ": cannot ", what, ": ", why));
}

// Whether a file is JSON and no case: a work directory also holds summaries. What cannot be read or parsed is not
// passed over: reading it as a case says what is wrong.
bool IsOtherJson(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return false;
  const absl::StatusOr<Json> json = ParseJson(*text);
  return json.ok() && !(json->is_object() && (json->contains("tosaic_case") || json->contains("tosaic_probe")));
}

bool IsPlain(absl::string_view name) {
  const auto is_step = [](absl::string_view part) { return part.empty() || part == "." || part == ".."; };
  return absl::c_none_of(absl::StrSplit(name, '/'), is_step) &&
         absl::c_none_of(name, [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); });
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    return FileError("read", path, "it is a directory");
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return FileError("read", path, std::strerror(errno));
  std::string content;
  char chunk[65536];
  size_t got = 0;
  // Some devices never end.
  std::error_code ignored;
  const size_t most = std::filesystem::is_character_file(path, ignored) ? kMostOfADevice : content.max_size();
  while (content.size() <= most && (got = std::fread(chunk, 1, sizeof(chunk), file)) > 0) content.append(chunk, got);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return FileError("read", path, std::strerror(errno));
  if (content.size() > most) return FileError("read", path, "it is a device without an end");
  return content;
}

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  TOSAIC_ASSIGN_OR_RETURN(FileWriter writer, FileWriter::Create(path));
  TOSAIC_RETURN_IF_ERROR(writer.Append(content));
  return writer.Commit();
}

absl::Status MakeDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return FileError("create the directory", path, error.message());
  return absl::OkStatus();
}

absl::StatusOr<std::string> PathBelow(const std::string& folder, absl::string_view name) {
  namespace fs = std::filesystem;
  const std::string path = Below(folder, name);
  if (IsPlain(name)) {
    std::error_code error, other;
    fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, error), error);
    if (!root.has_filename()) root = root.parent_path();  // "folder/"
    const fs::path to = fs::weakly_canonical(fs::absolute(path, other), other);
    const bool is_below = std::mismatch(root.begin(), root.end(), to.begin(), to.end()).first == root.end();
    if (!error && !other && is_below && !fs::is_other(to, error)) return path;
  }
  return absl::InvalidArgumentError(absl::StrCat("'", OneLine(name), "' is not the plain name of a file in ", folder));
}

absl::Status WriteReproducer(const std::string& directory, const std::map<std::string, std::string>& files) {
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(directory));
  for (const auto& [name, content] : files) {
    TOSAIC_ASSIGN_OR_RETURN(const std::string path, PathBelow(directory, name));
    TOSAIC_RETURN_IF_ERROR(WriteFile(path, content));
    using std::filesystem::perms;
    std::error_code error;
    if (name == "repro.sh") {
      std::filesystem::permissions(path, perms::owner_exec | perms::group_exec | perms::others_exec,
                                   std::filesystem::perm_options::add, error);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Case> ReadCase(const std::string& path) { return ReadAs<Case>(path, CaseFromText); }
absl::StatusOr<SpecCase> ReadSpecCase(const std::string& path) { return ReadAs<SpecCase>(path, SpecCaseFromText); }

absl::StatusOr<std::vector<std::string>> CaseFilesAt(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files, mlir_files;
  std::filesystem::recursive_directory_iterator it(path, error), end;
  for (; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".mlir") mlir_files.push_back(it->path().string());
    if (it->path().extension() != ".json") continue;
    if (!IsOtherJson(it->path().string())) files.push_back(it->path().string());
  }
  if (error) return FileError("list", path, error.message());
  if (files.empty()) files = std::move(mlir_files);  // beside cases they are their programs
  if (files.empty())
    return absl::NotFoundError(absl::StrCat(path, ": this directory has no case file (.json) and no .mlir file"));
  absl::c_sort(files);
  return files;
}

absl::StatusOr<std::vector<std::string>> CaseFilesAt(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    TOSAIC_ASSIGN_OR_RETURN(std::vector<std::string> files, CaseFilesAt(path));
    absl::c_move(files, std::back_inserter(all));
  }
  return all;
}

}  // namespace tosaic
