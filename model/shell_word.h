// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotes any text as one word of the shell.
#ifndef TOSAIC_MODEL_SHELL_WORD_H_
#define TOSAIC_MODEL_SHELL_WORD_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace tosaic {

inline std::string ShellQuoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// "--name=value" as a shell takes it, its value quoted.
inline std::string ShellFlag(absl::string_view flag) {
  const size_t value = flag.find('=') + 1;
  return absl::StrCat(flag.substr(0, value), ShellQuoted(flag.substr(value)));
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SHELL_WORD_H_
