// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names the first few of many, and counts the rest.
#ifndef TOSAIC_MODEL_FIRST_OF_H_
#define TOSAIC_MODEL_FIRST_OF_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"

namespace tosaic {

// "a, b, c and 12 more".
inline std::string FirstOf(const std::vector<std::string>& all, size_t most = 3) {
  const size_t named = std::min(all.size(), most);
  return absl::StrCat(absl::StrJoin(absl::MakeSpan(all).first(named), ", "),
                      all.size() > named ? absl::StrCat(" and ", all.size() - named, " more") : "");
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_FIRST_OF_H_
