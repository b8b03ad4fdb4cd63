// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/validators.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "model/did_you_mean.h"

namespace tosaic {

CLI::Validator OneOf(std::vector<std::string> values) {
  const std::string description = absl::StrCat("{", absl::StrJoin(values, ","), "}");
  return CLI::Validator(
      [values = std::move(values)](std::string& text) -> std::string {
        if (absl::c_linear_search(values, text)) return "";
        constexpr size_t kMost = 10;  // of more values the message names only the one that was meant
        const std::string meant = DidYouMean(text, values);
        const bool names_all = meant.empty() || values.size() <= kMost;
        return absl::StrCat("'", text, "' is not one of ",
                            names_all ? absl::StrJoin(values, ", ") : absl::StrCat("its ", values.size(), " values"),
                            meant);
      },
      description);
}

}  // namespace tosaic
