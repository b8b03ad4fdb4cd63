// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/history_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "codec/codec.h"

namespace tosaic {

void Fields(Visitor& v, HistoryRow& row) {
  v.Type("history-row");
  v("toolchain", row.toolchain);
  v("version", row.version);
  v.Optional("date", row.date, "of a dated build: the day of its MLIR");
  v("answer", row.answer);
  v("verdict", row.verdict);
  v("rule", row.rule);
  v("why", row.why, "of `unknown`, of what is wrong, or of a judgement in part");
}

HistoryRow Unknown(HistoryRow row, absl::string_view why) {
  row.answer = HistoryAnswer::kUnknown;
  row.why = std::string(why);
  return row;
}

namespace {

// The refusal, or the element that is wrong.
std::string WhatWasSeen(const Judgement& judgement) {
  if (!judgement.mismatch) return judgement.actual;
  return absl::StrCat("expected ", judgement.mismatch->expected, ", actual ", judgement.mismatch->actual);
}

}  // namespace

bool LacksWords(const HistoryRow& row) {
  return row.verdict == Name(Verdict::kUnsupported) && row.stage == Stage::kBuild;
}

HistoryRow WithJudgement(HistoryRow row, const Judgement& judgement) {
  row.stage = judgement.stage;
  row.verdict = std::string(Name(judgement.verdict));
  row.rule = std::string(Name(judgement.rule));
  if (judgement.verdict == Verdict::kUnsupported || judgement.verdict == Verdict::kHarnessFault) {
    return Unknown(std::move(row), judgement.actual);
  }
  row.answer = IsDivergence(judgement.verdict)            ? HistoryAnswer::kWrong
               : judgement.verdict == Verdict::kUndefined ? HistoryAnswer::kUndefined
                                                          : HistoryAnswer::kRight;
  if (IsWrong(row.answer)) row.why = WhatWasSeen(judgement);
  const bool is_of_types = judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kInfer;
  if (is_of_types) row.why = "types alone, nothing ran";
  return row;
}

HistoryRow JudgedBy(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
                    HistoryRow row) {
  const CheckedCase checked = CheckCase(toolchain, test_case, limits, judge);
  row.pass = checked.observation.pass;
  return WithJudgement(std::move(row), checked.judgement);
}

bool ShowsTheSame(const HistoryRow& a, const HistoryRow& b) { return a.verdict == b.verdict && a.rule == b.rule; }

HistoryRow AsAnswerAbout(const HistoryRow& control, HistoryRow row) {
  if (IsWrong(row.answer) && !ShowsTheSame(row, control)) {
    const std::string otherwise = absl::StrCat("wrong otherwise: ", row.verdict, " [", row.rule, "]");
    return Unknown(std::move(row), otherwise);
  }
  // At `build` Tosaic refuses, and behind `lower` its ways to run a program do.
  const bool refuses =
      row.verdict == Name(Verdict::kUnsupported) && row.stage > Stage::kBuild && row.stage <= Stage::kLower;
  if (control.verdict == Name(Verdict::kCrash) && refuses) {
    row.answer = HistoryAnswer::kRight;
    row.why.insert(0, "no crash: ");
  }
  return row;
}

std::string Span(absl::Span<const HistoryRow> rows) {
  std::vector<const HistoryRow*> known;
  for (const HistoryRow& row : rows) {
    if (CanTell(row.answer)) known.push_back(&row);
  }
  if (known.empty()) return "no toolchain can tell";
  const auto is_wrong = [](const HistoryRow* row) { return IsWrong(row->answer); };
  const auto is_not = [](const HistoryRow* row) {
    return row->answer == HistoryAnswer::kUndefined ? ", where it is undefined" : "";
  };
  const auto first = absl::c_find_if(known, is_wrong);
  if (first == known.end()) return "wrong on no release";
  const auto last = std::find_if(known.rbegin(), known.rend(), is_wrong).base();  // behind it
  const std::string since = first == known.begin()
                                ? absl::StrCat("wrong on ", (*first)->version, ", the oldest that can tell")
                                : absl::StrCat("wrong since ", (*first)->version, " (", (*std::prev(first))->version,
                                               " is not", is_not(*std::prev(first)), ")");
  const std::string until = last == known.end() ? absl::StrCat("and still on ", known.back()->version)
                                                : absl::StrCat("and no longer on ", (*last)->version, is_not(*last));
  const bool is_broken = std::any_of(first, last, [&](const HistoryRow* row) { return !is_wrong(row); });
  return absl::StrCat(since, ", ", until, is_broken ? "; not on all in between" : "");
}

}  // namespace tosaic
