// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A directory of its own for a test, gone afterwards. For tests only.
#ifndef TOSAIC_TESTS_TEMPORARY_DIRECTORY_H_
#define TOSAIC_TESTS_TEMPORARY_DIRECTORY_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace tosaic {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "tosaic-test-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot create " << path_;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  // A name in it: directory / "a.json".
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string Slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void Spill(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// Every file below a directory with its content, by relative name.
inline std::map<std::string, std::string> FilesBelow(const std::string& path) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    files[std::filesystem::relative(entry.path(), path).string()] = Slurp(entry.path().string());
  }
  return files;
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_TEMPORARY_DIRECTORY_H_
