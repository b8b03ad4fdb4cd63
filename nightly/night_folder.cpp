// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/digest.h"

namespace tosaic {

namespace fs = std::filesystem;

bool Exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

absl::StatusOr<Json> ReadJson(const std::string& path) { return ReadAs<Json>(path, ParseJson); }
absl::Status WriteJson(const std::string& path, const Json& json) { return WriteFile(path, Dump(json, 2) + "\n"); }

std::string NameFor(absl::string_view text) { return absl::StrCat(absl::Hex(Digest(text), absl::kZeroPad16)); }

std::vector<std::string> FoldersOf(const std::string& path) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.is_directory(ignored)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<NightBefore> NightsIn(const std::string& folder) {
  std::vector<NightBefore> nights;
  for (const std::string& name : FoldersOf(folder)) {
    const NightPaths paths = {absl::StrCat(folder, "/", name)};
    nights.push_back({name, Exists(paths / "seed"), Exists(paths / "done")});
  }
  return nights;
}

absl::Status WriteNight(const NightPaths& paths, const Night& night) {
  TOSAIC_RETURN_IF_ERROR(WriteJson(paths / "flags.json", ToJson(night.flags)));
  return WriteFile(paths / "seed", absl::StrCat(night.seed, "\n"));
}

absl::StatusOr<uint64_t> SeedIn(const NightPaths& paths) {
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(paths / "seed"));
  uint64_t seed = 0;
  if (absl::SimpleAtoi(absl::StripAsciiWhitespace(text), &seed)) return seed;
  return absl::InvalidArgumentError(absl::StrCat(paths / "seed", ": it holds no number"));
}

absl::StatusOr<NightFlags> FlagsIn(const NightPaths& paths, NightFlags else_flags) {
  if (!Exists(paths / "flags.json")) return else_flags;
  return ReadAs<NightFlags>(paths / "flags.json", FromText<NightFlags>);
}

absl::Status CheckFlags(const NightPaths& paths, const NightFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const NightFlags begun, FlagsIn(paths, flags));
  if (begun == flags) return absl::OkStatus();
  std::vector<std::string> texts = begun.edits;
  if (!begun.ops.empty()) texts.push_back(absl::StrCat("--ops=", absl::StrJoin(begun.ops, ",")));
  return absl::InvalidArgumentError(absl::StrCat(paths.folder, ": the night of today that was interrupted began with ",
                                                 texts.empty() ? "no flags for ops or passes" : EditsText(texts),
                                                 "; give these again, or remove the folder"));
}

}  // namespace tosaic
