// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

// Counts the letters that must be put in, left out or replaced.
size_t Distance(absl::string_view from, absl::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

absl::string_view WithoutDashes(absl::string_view name) {
  while (absl::ConsumePrefix(&name, "-")) {
  }
  return name;
}

// Whether somebody typed the start of a name, enough of it to mean that name.
bool IsStart(absl::string_view word, absl::string_view name) {
  return word.size() >= 3 && word.size() < name.size() && absl::StartsWith(name, word);
}

}  // namespace

std::string DidYouMean(absl::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  word = WithoutDashes(word);
  size_t least = word.size() > 4 ? 3 : 2;
  for (const std::string& candidate : known) {
    const absl::string_view name = WithoutDashes(candidate);
    const bool is_start = IsStart(word, name);
    const size_t longer = std::max(word.size(), name.size()) - std::min(word.size(), name.size());
    if (!is_start && longer >= least) continue;
    const size_t distance = is_start ? 1 : Distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = &candidate;
  }
  return nearest == nullptr ? "" : absl::StrCat("; did you mean '", *nearest, "'?");
}

}  // namespace tosaic
