// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validators of Debian's packages: libxml2-utils and python3-jsonschema (ci/install_packages.sh). For tests only.
#ifndef TOSAIC_TESTS_VALIDATORS_H_
#define TOSAIC_TESTS_VALIDATORS_H_

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {

// Runs a command of the shell; what it prints goes to the test's output if it fails.
inline void ExpectSucceeds(const TemporaryDirectory& directory, const std::string& command) {
  const std::string log = directory / "log";
  EXPECT_EQ(std::system(absl::StrCat(command, " > '", log, "' 2>&1 < /dev/null").c_str()), 0) << command << "\n"
                                                                                              << Slurp(log);
}

inline void ExpectValidXml(const std::string& text, const std::string& schema) {
  TemporaryDirectory directory;
  Spill(directory / "document.xml", text);
  ExpectSucceeds(directory, absl::StrCat("xmllint --noout --schema '", TOSAIC_SOURCE_DIR, "/", schema, "' '",
                                         directory / "document.xml", "'"));
}

inline void ExpectValidJson(const std::string& text, const std::string& schema) {
  TemporaryDirectory directory;
  Spill(directory / "document.json", text);
  // Debian's own Python: another one that comes first in PATH may lack the module.
  ExpectSucceeds(directory, absl::StrCat("/usr/bin/python3 -m jsonschema -i '", directory / "document.json", "' '",
                                         TOSAIC_SOURCE_DIR, "/", schema, "'"));
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_VALIDATORS_H_
