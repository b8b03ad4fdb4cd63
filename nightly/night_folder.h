// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and folders in a directory of states.
#ifndef TOSAIC_NIGHTLY_NIGHT_FOLDER_H_
#define TOSAIC_NIGHTLY_NIGHT_FOLDER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/json.h"
#include "nightly/night.h"

namespace tosaic {

bool Exists(const std::string& path);
absl::StatusOr<Json> ReadJson(const std::string& path);
absl::Status WriteJson(const std::string& path, const Json& json);
// A name for whatever belongs to a text, as flags or a signature.
std::string NameFor(absl::string_view text);
// The names of the directories below a path, sorted.
std::vector<std::string> FoldersOf(const std::string& path);

// The paths in a night's folder.
struct NightPaths {
  std::string folder;
  std::string operator/(absl::string_view name) const { return absl::StrCat(folder, "/", name); }
};
// The nights whose folders lie there, sorted by name.
std::vector<NightBefore> NightsIn(const std::string& folder);
// The seed and the flags that a night began with, in files of its folder.
absl::Status WriteNight(const NightPaths& paths, const Night& night);
// Error: its file holds no number.
absl::StatusOr<uint64_t> SeedIn(const NightPaths& paths);
// `else_flags` if an earlier version wrote none. Error: the file is damaged.
absl::StatusOr<NightFlags> FlagsIn(const NightPaths& paths, NightFlags else_flags);
// Error: the night of that folder, if there is one, began with other flags, or they cannot be read.
absl::Status CheckFlags(const NightPaths& paths, const NightFlags& flags);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_NIGHT_FOLDER_H_
