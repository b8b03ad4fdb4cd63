// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/external_tools.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "codec/status.h"
#include "llvm/Config/llvm-config.h"
#include "toolchain/external/kept_tool_end.h"
#include "workers/command.h"
#include "workers/tool_process.h"

namespace tosaic {
namespace {

constexpr absl::string_view kOpt = "mlir-opt";
constexpr absl::string_view kTranslate = "mlir-translate";
constexpr absl::string_view kLlc = "llc";
constexpr absl::string_view kRunner = "mlir-runner";
constexpr ToolLimits kReadingLimits = {.cpu_seconds = 20, .wall_seconds = 60};
constexpr ToolLimits kVersionLimits = {.cpu_seconds = 10, .wall_seconds = 30, .output_bytes = 1 << 20};

bool IsTool(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// The NN of "mlir-NN" and "mlir-NN-tools".
std::optional<int> MajorOfName(absl::string_view name) {
  int major = 0;
  absl::ConsumeSuffix(&name, "-tools");
  if (!absl::ConsumePrefix(&name, "mlir-") || name.empty() || name.size() > 4 || !absl::SimpleAtoi(name, &major)) {
    return std::nullopt;
  }
  return major;
}

// The suffixes with which a directory has both tools: "" and Debian's "-16". If it has none, those of mlir-opt alone.
std::vector<std::string> SuffixesIn(const std::string& directory) {
  std::set<std::string> suffixes, alone;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    absl::string_view suffix = name;
    if (!absl::ConsumePrefix(&suffix, kOpt)) continue;
    const bool is_version = suffix.size() > 1 && suffix[0] == '-' &&
                            std::all_of(suffix.begin() + 1, suffix.end(), [](unsigned char c) { return isdigit(c); });
    if (!suffix.empty() && !is_version) continue;
    if (!IsTool(absl::StrCat(directory, "/", name))) continue;
    (IsTool(absl::StrCat(directory, "/", kTranslate, suffix)) ? suffixes : alone).emplace(suffix);
  }
  if (suffixes.empty()) suffixes = std::move(alone);
  return {suffixes.begin(), suffixes.end()};
}

// `kept_in`: as in RunToolKept.
absl::StatusOr<std::string> VersionOf(const std::string& tool, const std::string& kept_in = "") {
  const ToolEnd end = RunToolKept(kept_in, {tool, "--version"}, "", kVersionLimits);
  auto error = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(tool, " does not run: ", why));
  };
  switch (end.how) {
    case ToolEnd::How::kNotStarted:
      return error(absl::string_view(end.err).substr(0, end.err.find('\n')));
    case ToolEnd::How::kSignal:
      return error(absl::StrCat("signal ", end.status));
    case ToolEnd::How::kDeadline:
      return error("it did not say its version in time");
    case ToolEnd::How::kTooMuchOutput:
      return error("it does not stop printing");
    case ToolEnd::How::kExited:
      break;
  }
  if (end.status != 0) return error(absl::StrCat("exit status ", end.status));
  std::optional<std::string> version = ParseToolVersion(end.out);
  if (version) return *std::move(version);
  return absl::InvalidArgumentError(absl::StrCat(tool, " --version does not say an LLVM version"));
}

// REQUIRES: ParseToolVersion found it.
int MajorOf(absl::string_view version) {
  int major = 0;
  (void)absl::SimpleAtoi(version.substr(0, version.find('.')), &major);
  return major;
}

// A tool beside mlir-opt, if it is there and of the same version.
std::string Beside(const ExternalTools& tools, absl::string_view name, const std::string& suffix) {
  std::string path = absl::StrCat(tools.directory, "/", name, suffix);
  if (!IsTool(path)) return "";
  const absl::StatusOr<std::string> version = VersionOf(path);
  return version.ok() && *version == tools.version ? path : "";
}

absl::StatusOr<ExternalTools> ToolsWith(const std::string& directory, const std::string& suffix) {
  ExternalTools tools;
  tools.directory = directory;
  tools.opt = absl::StrCat(directory, "/", kOpt, suffix);
  tools.translate = absl::StrCat(directory, "/", kTranslate, suffix);
  TOSAIC_ASSIGN_OR_RETURN(const std::string version, VersionOf(tools.opt));
  if (!IsTool(tools.translate)) tools.translate.clear();
  if (!tools.translate.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(const std::string other, VersionOf(tools.translate));
    if (version != other) {
      return absl::InvalidArgumentError(
          absl::StrCat(tools.opt, " has version ", version, ", ", tools.translate, " version ", other));
    }
  }
  tools.version = version;
  tools.major = MajorOf(tools.version);
  if (tools.major > LLVM_VERSION_MAJOR || tools.translate.empty()) {
    if (!tools.translate.empty()) tools.llc = Beside(tools, kLlc, suffix);
    tools.runner = Beside(tools, kRunner, suffix);
  }
  return tools;
}

std::string DebianDirectory(int major) { return absl::StrCat("/usr/lib/llvm-", major, "/bin"); }

absl::StatusOr<ExternalTools> FindNamed(absl::string_view name, int major) {
  const std::string suffix = absl::StrCat("-", major);
  for (const std::string& directory : SearchedDirectories()) {
    if (IsTool(absl::StrCat(directory, "/", kOpt, suffix)) &&
        IsTool(absl::StrCat(directory, "/", kTranslate, suffix))) {
      return ToolsWith(directory, suffix);
    }
  }
  const std::string directory = DebianDirectory(major);
  if (!SuffixesIn(directory).empty()) return ToolsWith(directory, SuffixesIn(directory).front());
  return absl::InvalidArgumentError(absl::StrCat("no toolchain is named '", name, "' here: no ", kOpt, suffix, " and ",
                                                 kTranslate, suffix, " in PATH, nor any in ", directory,
                                                 " ('tosaic toolchains' lists what is found)"));
}

}  // namespace

std::string ExternalTools::name() const { return dated ? dated->name : absl::StrCat("mlir-", major, "-tools"); }

std::string ExternalTools::version_text() const {
  return absl::StrCat("LLVM ", version, dated ? absl::StrCat(" of ", dated->date, " (", dated->source, ")") : "");
}

std::string ExternalTools::running() const {
  if (!llc.empty()) return "object files of its llc";
  if (!runner.empty()) return "object files of its mlir-runner";
  if (dated) return absl::StrCat("LLVM IR of ", second_opt, ", which lowers on from buffers");
  if (translate.empty()) return "nothing; put mlir-translate or mlir-runner beside mlir-opt";
  if (major <= LLVM_VERSION_MAJOR) return "LLVM IR of its mlir-translate";
  return "LLVM IR of its mlir-translate, where LLVM " LLVM_VERSION_STRING
         " reads it; put llc or mlir-runner beside mlir-opt";
}

std::optional<std::string> ParseToolVersion(absl::string_view printed) {
  constexpr absl::string_view kBefore = "LLVM version ";
  const size_t at = printed.find(kBefore);
  if (at == absl::string_view::npos) return std::nullopt;
  absl::string_view version = printed.substr(at + kBefore.size());
  version = version.substr(0, version.find_first_of(" \t\r\n"));
  const size_t digits = std::min(version.find_first_not_of("0123456789"), version.size());
  if (digits == 0 || digits > 4 || digits == version.size() || version[digits] != '.') return std::nullopt;
  return std::string(version);
}

absl::StatusOr<ExternalTools> ToolsOf(const DatedBuild& build) {
  const std::string ours = absl::StrCat("mlir-", LLVM_VERSION_MAJOR);
  TOSAIC_ASSIGN_OR_RETURN(ExternalTools tools, FindNamed(ours, LLVM_VERSION_MAJOR));
  tools.dated = build;
  tools.directory = std::filesystem::path(build.opt).parent_path().string();
  tools.second_opt = std::exchange(tools.opt, build.opt);
  TOSAIC_ASSIGN_OR_RETURN(tools.version, VersionOf(tools.opt, tools.directory));
  tools.major = MajorOf(tools.version);
  return tools;
}

absl::StatusOr<ExternalTools> FindTools(const std::string& where) {
  for (const DatedBuild& build : ListDatedBuilds()) {
    if (build.name == where) return ToolsOf(build);
  }
  if (const std::optional<int> major = MajorOfName(where)) return FindNamed(where, *major);
  std::error_code error;
  const std::string directory = std::filesystem::canonical(where, error).string();
  if (error || !std::filesystem::is_directory(directory, error)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", where,
        "' is neither a directory nor the name of a toolchain (mlir-22, mlir-19-tools, ...; see 'tosaic toolchains')"));
  }
  const std::vector<std::string> suffixes = SuffixesIn(directory);
  if (suffixes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("the directory ", where, " has no ", kOpt, " that can be executed"));
  }
  if (!suffixes.front().empty() && suffixes.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat("the directory ", where, " has tools of several versions (", kOpt,
                                                   absl::StrJoin(suffixes, absl::StrCat(", ", kOpt)),
                                                   "): name one, for instance mlir", suffixes.front()));
  }
  return ToolsWith(directory, suffixes.front());
}

std::vector<ExternalTools> ListTools() {
  std::set<int> majors;
  auto add = [&](absl::string_view suffix) {
    if (const std::optional<int> major = MajorOfName(absl::StrCat("mlir", suffix))) majors.insert(*major);
  };
  for (const std::string& directory : SearchedDirectories()) {
    for (const std::string& suffix : SuffixesIn(directory)) add(suffix);
  }
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib", ignored)) {
    const std::string name = entry.path().filename().string();
    absl::string_view suffix = name;
    if (absl::ConsumePrefix(&suffix, "llvm")) add(suffix);
  }
  std::vector<ExternalTools> found;
  for (const int major : majors) {
    absl::StatusOr<ExternalTools> tools = FindTools(absl::StrCat("mlir-", major));
    if (tools.ok()) found.push_back(*std::move(tools));
  }
  return found;
}

absl::StatusOr<std::string> GenericForm(const ExternalTools& tools, absl::string_view text) {
  ToolEnd end =
      RunTool({tools.opt, "--mlir-print-op-generic", "--mlir-print-debuginfo", "--allow-unregistered-dialect"}, text,
              kReadingLimits);
  if (end.how == ToolEnd::How::kExited && end.status == 0) return std::move(end.out);
  const absl::string_view message = end.err;
  const size_t error = message.find("error: ");
  if (end.how != ToolEnd::How::kExited || error == message.npos) {
    return absl::InvalidArgumentError(absl::StrCat("mlir-opt ", tools.version, " dies of it"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "mlir-opt ", tools.version, " refuses it: ", message.substr(error + 7, message.find('\n', error) - error - 7)));
}

}  // namespace tosaic
