// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a night reads and writes below its directory of states.
#ifndef TOSAIC_CAMPAIGN_NIGHTLY_NIGHT_FILES_H_
#define TOSAIC_CAMPAIGN_NIGHTLY_NIGHT_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/json.h"

namespace tosaic {

bool Exists(const std::string& path);

// Errors name the file.
absl::StatusOr<Json> ReadJson(const std::string& path);
absl::Status WriteJson(const std::string& path, const Json& json);

// The directories below a path, by name, sorted.
std::vector<std::string> FoldersOf(const std::string& path);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_NIGHTLY_NIGHT_FILES_H_
