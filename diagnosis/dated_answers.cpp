// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/dated_answers.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {

bool CanTell(HistoryAnswer answer) { return answer != HistoryAnswer::kUnknown; }
bool IsWrong(HistoryAnswer answer) { return answer == HistoryAnswer::kWrong; }
bool LooksRight(HistoryAnswer answer) { return CanTell(answer) && !IsWrong(answer); }

namespace {

class Bisection {
 public:
  Bisection(size_t count, const std::function<HistoryAnswer(size_t)>& ask) : answers_(count), ask_(ask) {}

  // The first build in [begin, end) that can tell; end: none can.
  size_t FirstThatTells(size_t begin, size_t end) {
    while (begin < end && !CanTell(Answer(begin))) ++begin;
    return begin;
  }
  // The last one, plus one; begin: none can.
  size_t LastThatTells(size_t begin, size_t end) {
    while (begin < end && !CanTell(Answer(end - 1))) --end;
    return end;
  }
  // REQUIRES: both can tell.
  void Narrow(size_t before, size_t after) {
    if (IsWrong(Answer(before)) == IsWrong(Answer(after))) return;
    const size_t half = before + (after - before) / 2;
    size_t between = FirstThatTells(half, after);
    if (between == after || between == before) between = LastThatTells(before + 1, half + 1) - 1;
    if (between <= before || between >= after) return;
    Narrow(before, between);
    Narrow(between, after);
  }

  std::vector<std::optional<HistoryAnswer>> answers() && { return std::move(answers_); }

 private:
  HistoryAnswer Answer(size_t build) {
    if (!answers_[build]) answers_[build] = ask_(build);
    return *answers_[build];
  }

  std::vector<std::optional<HistoryAnswer>> answers_;
  const std::function<HistoryAnswer(size_t)>& ask_;
};

}  // namespace

EnumNames NamesOf(HistoryAnswer) {
  static constexpr absl::string_view kNames[] = {"right", "wrong", "undefined", "unknown"};
  return NamesFor<HistoryAnswer>(kNames, "an answer");
}

std::vector<std::optional<HistoryAnswer>> AskWhereItChanges(size_t count, absl::Span<const size_t> between,
                                                            const std::function<HistoryAnswer(size_t)>& ask) {
  Bisection bisection(count, ask);
  const size_t first = bisection.FirstThatTells(0, count);
  if (first < count) {
    const size_t last = bisection.LastThatTells(first, count) - 1;
    size_t before = first;
    for (const size_t wanted : between) {
      const size_t after = bisection.FirstThatTells(std::max(before, std::min(wanted, last)), last);
      bisection.Narrow(before, after);
      before = after;
    }
    bisection.Narrow(before, last);
  }
  return std::move(bisection).answers();
}

std::vector<std::vector<size_t>> ProbableDuplicates(absl::Span<const PlacedCase> cases) {
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].blamed.empty() || cases[i].interval.empty()) continue;
    const auto is_alike = [&](const std::vector<size_t>& group) {
      const PlacedCase& first = cases[group.front()];
      return first.blamed == cases[i].blamed && first.interval == cases[i].interval;
    };
    auto group = absl::c_find_if(groups, is_alike);
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<size_t>());
    group->push_back(i);
  }
  std::erase_if(groups, [](const std::vector<size_t>& group) { return group.size() == 1; });
  return groups;
}

namespace {

// Of the first build that can tell.
std::string WrongSince(const DatedAnswer& first, const DatedAnswer* wordless) {
  if (wordless == nullptr) return absl::StrCat("wrong since ", first.date, " or before");
  return absl::StrCat("wrong since its words came to the dialect, between ", wordless->date, " and ", first.date);
}

}  // namespace

std::string DatedSpan(absl::Span<const DatedAnswer> answers) {
  std::vector<std::string> parts;
  const DatedAnswer *first = nullptr, *before = nullptr;
  // Of those that are as wrong as `before`, the last whose day is the build's own; else the first.
  const DatedAnswer* up_to = nullptr;
  const DatedAnswer* wordless = nullptr;  // the last that lacks words before all that can tell
  for (const DatedAnswer& answer : answers) {
    if (answer.lacks_words && before == nullptr) wordless = &answer;
    if (!CanTell(answer.answer)) continue;
    const bool is_wrong = IsWrong(answer.answer);
    const bool is_other = before == nullptr || IsWrong(before->answer) != is_wrong;
    if (before == nullptr) {
      if (is_wrong) parts.push_back(WrongSince(answer, wordless));
    } else if (is_other) {
      // Where it is undefined, nothing is right that could become wrong, and nothing was mended.
      const bool is_undefined = (is_wrong ? before : &answer)->answer == HistoryAnswer::kUndefined;
      const absl::string_view change = !is_undefined ? (is_wrong ? "a regression" : "fixed")
                                       : is_wrong    ? "undefined until it became wrong"
                                                     : "no longer wrong but undefined since a day";
      parts.push_back(absl::StrCat(change, " between ", up_to->date, " and ", answer.date));
    }
    if (is_other || !answer.is_latest_day) up_to = &answer;
    if (first == nullptr) first = &answer;
    before = &answer;
  }
  if (before == nullptr) return "no dated build can tell";
  const bool is_wrong_on_all = parts.size() == 1 && IsWrong(first->answer);
  if (is_wrong_on_all)
    return absl::StrCat("wrong on each build that was asked and can tell (", first->date, " to ", before->date, ")",
                        wordless == nullptr ? "" : absl::StrCat("; ", wordless->date, " has no words for it"));
  if (parts.empty())
    return absl::StrCat("wrong on no dated build that was asked (", before->date, " is the newest that can tell)");
  if (IsWrong(before->answer)) parts.push_back(absl::StrCat("still wrong on ", before->date));
  return absl::StrJoin(parts, "; ");
}

}  // namespace tosaic
