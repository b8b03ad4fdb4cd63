// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/version_range.h"

#include <algorithm>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

constexpr absl::string_view kTrunkText = "trunk";

// Before it, 16.0.0 was a release.
constexpr int kFirstToReleaseAsOne = 18;

std::optional<int> NumberIn(absl::string_view text) {
  int number = 0;
  if (text.empty() || !absl::c_all_of(text, absl::ascii_isdigit) || !absl::SimpleAtoi(text, &number)) return {};
  return number;
}

// "22.1" as {22, 1}; nullopt: it is something else.
std::optional<std::vector<int>> NumbersIn(absl::string_view text) {
  std::vector<int> numbers;
  for (const absl::string_view part : absl::StrSplit(text, '.')) {
    const std::optional<int> number = NumberIn(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<int> NumbersOfVersion(absl::string_view version) {
  absl::ConsumePrefix(&version, "LLVM ");
  return NumbersIn(version.substr(0, version.find_first_not_of("0123456789."))).value_or(std::vector<int>());
}

bool VersionRange::Contains(absl::string_view version) const {
  const std::vector<int> numbers = NumbersOfVersion(version);
  if (numbers.empty()) return false;
  if (trunk_) return numbers.front() >= kFirstToReleaseAsOne && numbers.size() > 1 && numbers[1] == 0;
  if (numbers_.empty()) return numbers.front() >= first_ && numbers.front() <= last_;
  return numbers.size() >= numbers_.size() && std::equal(numbers_.begin(), numbers_.end(), numbers.begin());
}

std::string ToString(const VersionRange& range) { return range.text_; }

absl::Status ReadText(absl::string_view text, VersionRange& range) {
  range = VersionRange();
  range.text_ = std::string(text);
  range.trunk_ = text == kTrunkText;
  if (range.trunk_) return absl::OkStatus();
  const bool is_open = absl::ConsumeSuffix(&text, "+");
  const std::vector<absl::string_view> ends = absl::StrSplit(text, '-');
  const std::optional<int> first = NumberIn(ends.front()), last = NumberIn(ends.back());
  const bool is_closed = !is_open && ends.size() == 2;
  if (is_closed && first && last && *first > *last) {
    return absl::InvalidArgumentError(absl::StrCat("the range of versions ", text, " ends before it begins"));
  }
  if (first && ((is_open && ends.size() == 1) || (is_closed && last))) {
    range.first_ = *first;
    if (is_closed) range.last_ = *last;
    return absl::OkStatus();
  }
  const std::optional<std::vector<int>> numbers = NumbersIn(text);
  if (!is_open && numbers) {
    range.numbers_ = *numbers;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("'", range.text_,
                                                 "' says no versions: \"22\", \"22.1\", \"22+\" (all from 22 on), "
                                                 "\"22-23\" and \"trunk\" (not released yet) do"));
}

}  // namespace tosaic
