// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/prepared_cases.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/support_table.h"

namespace tosaic {

PreparedCases::PreparedCases(Dialect dialect)
    : dialect_(dialect),
      directory_((std::filesystem::temp_directory_path() / "tosaic-prepared-XXXXXX").string()),
      owner_(getpid()) {
  if (mkdtemp(directory_.data()) == nullptr) directory_.clear();
}

PreparedCases::~PreparedCases() {
  std::error_code ignored;
  if (!directory_.empty() && owner_ == getpid()) std::filesystem::remove_all(directory_, ignored);
}

std::string PreparedCases::FileOf(const Case& test_case) const {
  if (directory_.empty() || FindUnwritable(test_case.program, dialect_) != nullptr) return "";
  const std::string key =
      absl::StrCat(test_case.route, test_case.runs.empty() ? "\n" : "\n\n", ToMlir(test_case.program, dialect_));
  return absl::StrCat(directory_, "/", llvm::MD5::hash(llvm::arrayRefFromStringRef(key)).digest().str().str());
}

void PreparedCases::Keep(const ToolWalk& walk) const {
  const std::string file = FileOf(*walk.test_case);
  if (file.empty()) return;
  const Json json{{"ended", walk.ended}, {"program", walk.program}, {"observation", ToJson(walk.observation)}};
  // Under a name of its own first: a reader finds all of it or nothing.
  const std::string unfinished = absl::StrCat(file, ".", getpid());
  std::ofstream(unfinished, std::ios::binary) << Dump(json, -1);
  std::error_code ignored;
  std::filesystem::rename(unfinished, file, ignored);
}

bool PreparedCases::Take(ToolWalk* walk) const {
  const std::string file = FileOf(*walk->test_case);
  if (file.empty()) return false;
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  const absl::StatusOr<Json> json = ParseJson(std::string(std::istreambuf_iterator<char>(in), {}));
  std::remove(file.c_str());
  if (!json.ok() || !json->contains("observation")) return false;
  absl::StatusOr<Observation> observation = FromJson<Observation>((*json)["observation"]);
  if (!observation.ok()) return false;
  walk->observation = *std::move(observation);
  walk->ended = (*json)["ended"].get<bool>();
  walk->program = (*json)["program"].get<std::string>();
  return true;
}

}  // namespace tosaic
