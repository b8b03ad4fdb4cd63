// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/judged_elements.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "absl/algorithm/container.h"
#include "codec/visitor.h"

namespace tosaic {
namespace {

constexpr size_t kClasses = 65;  // 0, and the powers of two that 64 bits hold

// The class of the widths up to a power of two and above the one before.
size_t ClassOf(uint64_t width) {
  return width == 0 ? 0 : std::min<size_t>(1 + static_cast<size_t>(std::bit_width(width - 1)), kClasses - 1);
}

}  // namespace

void SetWidths::Add(uint64_t width) {
  const size_t at = ClassOf(width);
  if (counts_.size() <= at) counts_.resize(at + 1);
  ++counts_[at];
}

void SetWidths::Add(const SetWidths& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
}

uint64_t SetWidths::count() const { return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0}); }

uint64_t SetWidths::Median() const {
  uint64_t wider = count();
  const uint64_t half = wider / 2;
  for (size_t i = 0; i < counts_.size(); ++i) {
    wider -= counts_[i];
    if (wider <= half) return i == 0 ? 0 : uint64_t{1} << (i - 1);
  }
  return 0;
}

void WidthsField(Visitor& v, SetWidths& widths) {
  v("widths", widths.counts_, "how many sets are 0, 1, 2, at most 4, 8, 16, ... wide");
  if (v.IsReading() && widths.counts_.size() > kClasses) v.Fail("there are no such widths", "widths");
}

void Fields(Visitor& v, CountsOfElements counts) {
  v.Type("judged-counts");
  v("computed", counts.judged.computed);
  v("types", counts.judged.types);
  v("elements", counts.judged.elements);
  v.MayLack("open", counts.judged.open);
  v.MayLack("masked_by_division", counts.judged.masked_by_division);
  WidthsField(v, counts.judged.widths);
}

void Fields(Visitor& v, JudgedElements& judged) {
  v.Type("judged");
  v("computed", judged.computed,
    "`exp`; behind values that nobody sees with their ops, at most three deep: `negate(exp)`; `argument` or `constant` "
    "as they are");
  v("types", judged.types, "of the last op");
  v("elements", judged.elements, "looked at");
  v.MayLack("open", judged.open,
            "of those not compared: their sets of allowed values have more than half of all values");
  v.MayLack(
      "masked_by_division", judged.masked_by_division,
      "of those not compared: left out because a division in their run has no quotient, which leaves all of it open");
  v.Derived("compared", judged.compared(), "elements whose set of allowed values excludes at least half of all values");
  v.Derived("compared_share", judged.share());
  v.Derived("median_width_ulp", judged.widths.Median(),
            "0 or the power of two that at least half of the sets are no wider than; a width is the number of patterns "
            "allowed beside one");
  WidthsField(v, judged.widths);
}

void AddTo(std::vector<JudgedElements>* rows, const JudgedElements& judged) {
  const auto is_before = [](const JudgedElements& a, const JudgedElements& b) {
    return std::tie(a.computed, a.types) < std::tie(b.computed, b.types);
  };
  const auto at = std::lower_bound(rows->begin(), rows->end(), judged, is_before);
  if (at == rows->end() || is_before(judged, *at)) {
    rows->insert(at, judged);
  } else {
    at->Add(judged);
  }
}

JudgedElements SumOf(const std::vector<JudgedElements>& rows, absl::string_view name) {
  JudgedElements sum = {.computed = std::string(name)};
  for (const JudgedElements& row : rows) sum.Add(row);
  return sum;
}

std::vector<JudgedElements> Largest(std::vector<JudgedElements> rows, size_t most) {
  constexpr absl::string_view kOthers = "others";
  absl::c_sort(rows, [&](const JudgedElements& a, const JudgedElements& b) {
    const bool a_is_rest = a.computed == kOthers, b_is_rest = b.computed == kOthers;
    return std::tie(a_is_rest, b.elements, a.computed, a.types) < std::tie(b_is_rest, a.elements, b.computed, b.types);
  });
  const bool has_rest = !rows.empty() && rows.back().computed == kOthers;
  if (rows.size() - (has_rest ? 1 : 0) <= most) return rows;
  const JudgedElements others = SumOf({rows.begin() + static_cast<ptrdiff_t>(most), rows.end()}, kOthers);
  rows.resize(most);
  rows.push_back(others);
  return rows;
}

}  // namespace tosaic
