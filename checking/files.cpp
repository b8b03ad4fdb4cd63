// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/files.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "checking/file_writer.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/work_paths.h"

namespace tosaic {
namespace {

constexpr size_t kMostOfADevice = size_t{64} << 20;  // bytes

absl::Status FileError(absl::string_view failure, const std::string& path, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat(path, ": cannot ", failure, ": ", why));
}

// Whether a file is JSON and no case: a work directory also holds summaries. What cannot be read or parsed, or has a
// program, is not passed over: reading it as a case says what is wrong.
bool IsOtherJson(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return false;
  const absl::StatusOr<Json> json = ParseJson(*text);
  constexpr absl::string_view kOfCases[] = {"tosaic_case", "tosaic_probe", "program"};
  return json.ok() && !(json->is_object() && absl::c_any_of(kOfCases, [&](auto key) { return json->contains(key); }));
}

// Whether an .mlir file lies in the folder of a finding or a reproducer, where it is the program of a case.
bool IsOfCase(const std::filesystem::path& mlir) {
  std::error_code ignored;
  const auto has = [&](const char* name) { return std::filesystem::exists(mlir.parent_path() / name, ignored); };
  return (has("finding.json") && has("reduced.json")) || (has("repro.sh") && has("case.json"));
}

// Reads a file in chunks. It waits a moment, and no longer, for somebody to write into a pipe.
class DescriptorReader {
 public:
  DescriptorReader(int fd, bool is_pipe) : fd_(fd), is_pipe_(is_pipe) {}

  // Adds the next bytes. False: there are none; error: errno.
  absl::StatusOr<bool> Append(std::string* content) {
    while (true) {
      const ssize_t got = read(fd_, chunk_.data(), chunk_.size());
      if (got > 0) content->append(chunk_.data(), static_cast<size_t>(got));
      if (got > 0) return true;
      const bool waits = got < 0 && errno == EAGAIN;
      if (got < 0 && !waits) return absl::UnavailableError(std::strerror(errno));
      if (got == 0 && (!is_pipe_ || has_writer_ || !content->empty())) return false;
      pollfd waiting = {fd_, POLLIN, 0};
      const int ready = poll(&waiting, 1, waits ? -1 : kWriterMs);
      if (ready < 0) return absl::UnavailableError(std::strerror(errno));
      if (ready == 0) return absl::UnavailableError("nobody writes into this pipe");
      has_writer_ = true;
    }
  }

 private:
  static constexpr int kWriterMs = 1000;
  const int fd_;
  const bool is_pipe_;
  bool has_writer_ = false;
  std::vector<char> chunk_ = std::vector<char>(65536);
};

bool IsPlain(absl::string_view name) {
  const auto is_step = [](absl::string_view part) { return part.empty() || part == "." || part == ".."; };
  return absl::c_none_of(absl::StrSplit(name, '/'), is_step) &&
         absl::c_none_of(name, [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); });
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return FileError("read", path, "it is a directory");
  const bool is_pipe = std::filesystem::is_fifo(path, ignored);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | (is_pipe ? O_NONBLOCK : 0));
  if (fd < 0) return FileError("read", path, std::strerror(errno));
  const absl::Cleanup closed = [fd] { close(fd); };
  DescriptorReader reader(fd, is_pipe);
  std::string content;
  // Some devices never end.
  const size_t most = std::filesystem::is_character_file(path, ignored) ? kMostOfADevice : content.max_size();
  while (content.size() <= most) {
    const absl::StatusOr<bool> more = reader.Append(&content);
    if (!more.ok()) return FileError("read", path, more.status().message());
    if (!*more) return content;
  }
  return FileError("read", path, "it is a device without an end");
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

bool LiesIn(const std::filesystem::path& folder, const std::filesystem::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

absl::StatusOr<std::string> PathBelow(const std::string& folder, absl::string_view name) {
  namespace fs = std::filesystem;
  const std::string path = Below(folder, name);
  if (IsPlain(name)) {
    std::error_code error, other;
    fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, error), error);
    if (!root.has_filename()) root = root.parent_path();  // "folder/"
    const fs::path to = fs::weakly_canonical(fs::absolute(path, other), other);
    if (!error && !other && LiesIn(root, to) && !fs::is_other(to, error)) return path;
    for (const std::error_code& code : {error, other}) {
      if (code == std::errc::permission_denied) return FileError("look for", path, code.message());
    }
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

using Files = absl::StatusOr<std::vector<std::string>>;

static Files CaseFilesIn(const std::string& directory, bool with_mlir) {
  std::error_code error;
  std::vector<std::string> files;
  std::filesystem::recursive_directory_iterator it(directory, error), end;
  for (; !error && it != end; it.increment(error)) {
    const std::string extension = it->path().extension();
    const bool is_case = extension == ".json" && !IsOtherJson(it->path().string());
    const bool is_mlir = with_mlir && extension == ".mlir" && !IsOfCase(it->path());
    if (is_case || is_mlir) files.push_back(it->path().string());
  }
  if (error) return FileError("list", directory, error.message());
  if (!files.empty()) return files;
  return absl::NotFoundError(
      absl::StrCat(directory, ": this directory has no case file (.json)", with_mlir ? " and no .mlir file" : ""));
}

static Files ArtifactsIn(const std::string& directory, const std::string& target) {
  std::error_code error, ignored;
  std::vector<std::string> files;
  std::filesystem::directory_iterator it(directory, error), end;
  for (; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    const bool is_of_another = absl::StartsWith(name, "fuzz_") && !absl::StartsWith(name, target + "-");
    if (it->is_regular_file(ignored) && !is_of_another) files.push_back(it->path().string());
  }
  if (error) return FileError("list", directory, error.message());
  if (!files.empty()) return files;
  return absl::NotFoundError(absl::StrCat(directory, ": this directory has no input of ", target));
}

// Each path itself if it is no directory, else what `files_in` finds there, sorted.
static Files FilesAt(const std::vector<std::string>& paths, absl::FunctionRef<Files(const std::string&)> files_in) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
      all.push_back(path);
      continue;
    }
    TOSAIC_ASSIGN_OR_RETURN(std::vector<std::string> files, files_in(path));
    absl::c_sort(files);
    absl::c_move(files, std::back_inserter(all));
  }
  return all;
}

Files CaseFilesAt(const std::vector<std::string>& paths) {
  return FilesAt(paths, [](const std::string& directory) { return CaseFilesIn(directory, /*with_mlir=*/true); });
}

Files JsonCaseFilesAt(const std::vector<std::string>& paths) {
  return FilesAt(paths, [](const std::string& directory) { return CaseFilesIn(directory, /*with_mlir=*/false); });
}

Files ArtifactsAt(const std::vector<std::string>& paths, const std::string& target) {
  return FilesAt(paths, [&](const std::string& directory) { return ArtifactsIn(directory, target); });
}

}  // namespace tosaic
