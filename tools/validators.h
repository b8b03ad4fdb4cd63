// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of the values of flags, with messages of our own.
#ifndef TOSAIC_TOOLS_VALIDATORS_H_
#define TOSAIC_TOOLS_VALIDATORS_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

namespace tosaic {

// Accepts these texts alone. Help and completions take the values from the validator's description, "{html,json}".
CLI::Validator OneOf(std::vector<std::string> values);

// Accepts the numbers from `least` to `most`.
template <typename T>
CLI::Validator NumberFrom(T least, T most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        T number{};
        if (CLI::detail::lexical_cast(text, number) && number >= least && number <= most) return "";
        return absl::StrCat("'", text, "' is not a number from ", least, " to ", most);
      },
      "");
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_VALIDATORS_H_
