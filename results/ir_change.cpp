// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/ir_change.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/counted.h"
#include "results/sorted.h"

namespace tosaic {
namespace {

constexpr size_t kExamples = 3;  // of a group of cases
constexpr size_t kOpsShown = 8;  // in words; the JSON has all

}  // namespace

void Fields(Visitor& v, IrInShort& ir) {
  v.Type("ir-in-short");
  v("digest", ir.digest, "of its text");
  v("ops", ir.ops, "how often each op stands there");
}

void Fields(Visitor& v, CaseIr& ir) {
  v.Type("case-ir");
  v.Optional("tensors", ir.tensors, "before bufferization");
  v.Optional("lowered", ir.lowered, "after all passes");
  v.Optional("code_bytes", ir.code_bytes, "of machine code");
  v.Optional("missing", ir.missing, "why one of these is not known");
}

void Fields(Visitor& v, OpsChange& change) {
  v.Type("ops-change");
  v("ops", change.ops, "by how many; none: the same ops, otherwise put together");
  v("cases", change.cases);
  v("examples", change.examples, "the first of them, and of other tiles");
}

void Fields(Visitor& v, PlaceChange& change) {
  v.Type("place-change");
  v("compared", change.compared, "cases that have IR on both sides");
  v("differ", change.differ, "of them");
  v("base_alone", change.base_alone, "cases that have it on one side");
  v("patch_alone", change.patch_alone);
  v("groups", change.groups, "of those that differ, by what came and went; the largest first");
  v("ops", change.ops, "before and after, over all cases compared; those whose number changed");
}

void Fields(Visitor& v, CodeChange& change) {
  v.Type("code-change");
  v("compared", change.compared, "cases whose size both sides know");
  v("smaller", change.smaller, "of them");
  v("larger", change.larger);
  v("base_bytes", change.base_bytes, "of machine code, over all of them");
  v("patch_bytes", change.patch_bytes);
}

void Fields(Visitor& v, IrSample& sample) {
  v.Type("ir-sample");
  v("name", sample.name, "of the case");
  v("place", sample.place, "`tensors`, `lowered`");
  v("diff", sample.diff);
}

void Fields(Visitor& v, IrChange& change) {
  v.Type("ir-change");
  v("tensors", change.tensors, "before bufferization");
  v("lowered", change.lowered, "after all passes");
  v("code", change.code);
  v("base_missing", change.base_missing, "why something is not known, by cases");
  v("patch_missing", change.patch_missing);
  v("samples", change.samples, "where both sides were at hand");
}

std::string OpsInWords(const std::map<std::string, int64_t>& ops) {
  if (ops.empty()) return "the same ops, otherwise put together";
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [op, by] : ops) sorted.emplace_back(by, op);
  SortBy(&sorted, [](const auto& entry) { return -std::abs(entry.first); });
  if (sorted.size() == 2 && sorted[0].first + sorted[1].first == 0) {
    const bool first_went = sorted[0].first < 0;
    const std::string& went = sorted[first_went ? 0 : 1].second;
    const std::string& came = sorted[first_went ? 1 : 0].second;
    const int64_t times = std::abs(sorted[0].first);
    return absl::StrCat(went, " -> ", came, times == 1 ? "" : absl::StrCat(", ", times, " times"));
  }
  std::string text;
  for (size_t i = 0; i < sorted.size() && i < kOpsShown; ++i) {
    const auto& [by, op] = sorted[i];
    absl::StrAppend(&text, text.empty() ? "" : ", ", by > 0 ? "+" : "", by, " ", op);
  }
  if (sorted.size() > kOpsShown) absl::StrAppend(&text, ", and ", sorted.size() - kOpsShown, " more");
  return text;
}

namespace {

// Counts, case by case, what changed at one place.
class PlaceCounter {
 public:
  void Add(absl::string_view name, const std::optional<IrInShort>& base, const std::optional<IrInShort>& patch) {
    change_.base_alone += base && !patch ? 1 : 0;
    change_.patch_alone += patch && !base ? 1 : 0;
    if (!base || !patch) return;
    ++change_.compared;
    for (const auto& [op, count] : base->ops) change_.ops[op].first += count;
    for (const auto& [op, count] : patch->ops) change_.ops[op].second += count;
    if (base->digest == patch->digest) return;
    ++change_.differ;
    std::map<std::string, int64_t> ops;
    for (const auto& [op, count] : patch->ops) ops[op] += static_cast<int64_t>(count);
    for (const auto& [op, count] : base->ops) ops[op] -= static_cast<int64_t>(count);
    std::erase_if(ops, [](const auto& entry) { return entry.second == 0; });
    OpsChange& group = groups_[ops];
    ++group.cases;
    const absl::string_view tile = name.substr(0, name.rfind('/'));
    const bool is_new = group.examples.empty() || !absl::StartsWith(group.examples.back(), tile);
    if (is_new && group.examples.size() < kExamples) group.examples.emplace_back(name);
  }

  PlaceChange Done() && {
    for (auto& [ops, group] : groups_) change_.groups.push_back({ops, group.cases, group.examples});
    SortBy(&change_.groups, [](const OpsChange& group) { return -static_cast<int64_t>(group.cases); });
    std::erase_if(change_.ops, [](const auto& entry) { return entry.second.first == entry.second.second; });
    return std::move(change_);
  }

 private:
  PlaceChange change_;
  std::map<std::map<std::string, int64_t>, OpsChange> groups_;
};

void Count(const CaseIr& base, const CaseIr& patch, CodeChange* code) {
  if (!base.code_bytes || !patch.code_bytes) return;
  ++code->compared;
  code->smaller += *patch.code_bytes < *base.code_bytes ? 1 : 0;
  code->larger += *patch.code_bytes > *base.code_bytes ? 1 : 0;
  code->base_bytes += *base.code_bytes;
  code->patch_bytes += *patch.code_bytes;
}

std::string Percent(uint64_t before, uint64_t after) {
  if (before == 0) return "";
  const double by = 100.0 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before);
  return absl::StrFormat(", %+.2f %%", by);
}

std::string Headline(const PlaceChange& change, absl::string_view place) {
  std::string text = absl::StrCat("IR ", place, ": ", change.differ, " of ", Counted(change.compared, "case"), " ",
                                  change.differ == 1 ? "differs" : "differ");
  if (change.base_alone > 0) absl::StrAppend(&text, "; ", change.base_alone, " lowered by the base alone");
  if (change.patch_alone > 0) absl::StrAppend(&text, "; ", change.patch_alone, " lowered by the patch alone");
  return text;
}

std::string Headline(const CodeChange& change) {
  if (change.compared == 0) return "machine code: no case has a size on both sides";
  const std::string bytes = change.base_bytes == change.patch_bytes
                                ? absl::StrCat(change.base_bytes, " bytes on both sides")
                                : absl::StrCat(change.base_bytes, " -> ", change.patch_bytes, " bytes",
                                               Percent(change.base_bytes, change.patch_bytes));
  return absl::StrCat("machine code: ", bytes, "; larger in ", change.larger, " of ", Counted(change.compared, "case"),
                      ", smaller in ", change.smaller);
}

}  // namespace

IrChange CompareIr(const std::vector<IrPair>& cases) {
  IrChange change;
  PlaceCounter tensors, lowered;
  for (const auto& [name, base, patch] : cases) {
    tensors.Add(name, base.tensors, patch.tensors);
    lowered.Add(name, base.lowered, patch.lowered);
    Count(base, patch, &change.code);
    if (!base.missing.empty()) ++change.base_missing[base.missing];
    if (!patch.missing.empty()) ++change.patch_missing[patch.missing];
  }
  change.tensors = std::move(tensors).Done();
  change.lowered = std::move(lowered).Done();
  return change;
}

std::pair<std::string, std::vector<std::string>> WorthShowing(const IrChange& change, size_t most) {
  const bool on_tensors = change.tensors.differ > 0;
  std::vector<std::string> names;
  for (size_t i = 0; i < kExamples; ++i) {
    for (const OpsChange& group : (on_tensors ? change.tensors : change.lowered).groups) {
      if (i < group.examples.size() && names.size() < most) names.push_back(group.examples[i]);
    }
  }
  return {on_tensors ? "tensors" : "lowered", std::move(names)};
}

absl::string_view PlaceInWords(absl::string_view place) {
  return place == "tensors" ? "before bufferization" : "after all passes";
}

std::vector<std::string> Headlines(const IrChange& change) {
  std::vector<std::string> lines = {Headline(change.tensors, "before bufferization"),
                                    Headline(change.lowered, "after all passes"), Headline(change.code)};
  const std::pair<absl::string_view, const std::map<std::string, uint64_t>&> sides[] = {
      {"base", change.base_missing}, {"patch", change.patch_missing}};
  for (const auto& [side, missing] : sides) {
    for (const auto& [why, cases] : missing) {
      lines.push_back(absl::StrCat("not compared: ", Counted(cases, "case"), " on the ", side, " (", why, ")"));
    }
  }
  return lines;
}

}  // namespace tosaic
