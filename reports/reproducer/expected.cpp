// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/expected.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {
namespace {

// Alternatives for the numbers of as many digits as `first` and `last` have, both of them.
void AddSameWidth(const std::string& first, const std::string& last, std::vector<std::string>* parts) {
  const auto digits = [](char from, char to) -> std::string {
    if (from == to) return std::string(1, from);
    return absl::StrCat("[", std::string(1, from), "-", std::string(1, to), "]");
  };
  const auto any = [](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += "[0-9]";
    return text;
  };
  size_t shared = 0;
  while (shared < first.size() && first[shared] == last[shared]) ++shared;
  if (shared == first.size()) return parts->push_back(first);
  // first itself and what shares more of its beginning, what lies between, the same for last.
  const std::string prefix = first.substr(0, shared);
  const size_t behind = first.size() - shared - 1;
  std::vector<std::string> ends;
  char from = first[shared], to = last[shared];
  if (first.find_first_not_of('0', shared + 1) != first.npos) {
    AddSameWidth(first, prefix + first[shared] + std::string(behind, '9'), parts);
    ++from;
  }
  if (last.find_first_not_of('9', shared + 1) != last.npos) {
    AddSameWidth(prefix + last[shared] + std::string(behind, '0'), last, &ends);
    --to;
  }
  if (from <= to) parts->push_back(absl::StrCat(prefix, digits(from, to), any(behind)));
  parts->insert(parts->end(), ends.begin(), ends.end());
}

bool IsAnything(const std::vector<BitRange>& allowed, ElementType type) {
  return allowed == std::vector<BitRange>{{0, BitMask(type)}};
}

uint64_t InfinityBits(ElementType type) {
  return ((uint64_t{1} << Info(type).exponent_bits) - 1) << Info(type).mantissa_bits;
}

// The parts of `ranges` that lie within `bounds`.
std::vector<BitRange> Between(BitRange bounds, const std::vector<BitRange>& ranges) {
  std::vector<BitRange> between;
  for (const BitRange range : ranges) {
    const BitRange part = {std::max(range.first, bounds.first), std::min(range.last, bounds.last)};
    if (part.first <= part.last) between.push_back(part);
  }
  return between;
}

// The allowed numbers, and one NaN in the place of all.
std::vector<BitRange> WithOneNan(const std::vector<BitRange>& allowed, ElementType type) {
  std::vector<BitRange> ranges;
  for (const uint64_t sign : {uint64_t{0}, SignMask(type)}) {
    for (const BitRange range : Between({sign, sign | InfinityBits(type)}, allowed)) ranges.push_back(range);
  }
  if (ranges != allowed) ranges.push_back({PrintedNan(type), PrintedNan(type)});
  return ranges;
}

std::string ElementPattern(const std::vector<BitRange>& allowed, ElementType type) {
  if (IsAnything(allowed, type)) return "-?[0-9]+";
  std::vector<std::string> parts;
  for (const BitRange& range : allowed) parts.push_back(DecimalPattern(range.first, range.last));
  return parts.size() == 1 ? parts.front() : absl::StrCat("(", absl::StrJoin(parts, "|"), ")");
}

// "0x7fc00000 (NaN), ...": what is allowed, for people.
std::string Readable(const std::vector<BitRange>& allowed, ElementType type) {
  if (IsAnything(allowed, type)) return "anything";
  std::vector<BitRange> numbers;
  for (const BitRange& range : allowed) {
    if (!IsFloat(type) || !std::isnan(ElementToDouble(type, range.first))) numbers.push_back(range);
  }
  if (numbers.empty()) return "NaN";
  const absl::string_view or_nan = numbers.size() < allowed.size() ? " or NaN" : "";
  return absl::StrCat(
      absl::StrJoin(numbers, " or ",
                    [&](std::string* out, const BitRange& range) {
                      absl::StrAppend(out, BitsToString(type, range.first));
                      if (range.last != range.first) absl::StrAppend(out, " to ", BitsToString(type, range.last));
                      absl::StrAppend(out, " (", ElementToString(type, range.first),
                                      range.last == range.first ? "" : " to " + ElementToString(type, range.last), ")");
                    }),
      or_nan);
}

}  // namespace

std::string DecimalPattern(uint64_t first, uint64_t last) {
  // Bit patterns of 64 bits are printed as signed numbers; of those only single ones matter.
  if (last > uint64_t{INT64_MAX}) {
    return first == last ? absl::StrCat(static_cast<int64_t>(first)) : "-?[0-9]+";
  }
  std::vector<std::string> parts;
  while (true) {
    const std::string from = absl::StrCat(first);
    const std::string most(from.size(), '9');
    if (absl::StrCat(last).size() == from.size()) {
      AddSameWidth(from, absl::StrCat(last), &parts);
      break;
    }
    AddSameWidth(from, most, &parts);
    first = 1;
    for (size_t i = 0; i < from.size(); ++i) first *= 10;
  }
  return parts.size() == 1 ? parts.front() : absl::StrCat("(", absl::StrJoin(parts, "|"), ")");
}

ElementType ShownType(const Reproduction& r) {
  return ElementTypeOf(r.test_case.program, r.test_case.program.results[r.shown.result]);
}

uint64_t PrintedNan(ElementType type) { return InfinityBits(type) | uint64_t{1} << (Info(type).mantissa_bits - 1); }

bool PrintsOneNan(const Reproduction& r) {
  if (!r.shown.sizes || !IsFloat(ShownType(r)) || IsFp8(ShownType(r))) return false;  // no code compares fp8 numbers
  const ElementType type = ShownType(r);
  const uint64_t sign = SignMask(type), nans = InfinityBits(type) + 1;
  bool has_nans = false;
  for (const std::vector<BitRange>& allowed : r.shown.elements) {
    if (IsAnything(allowed, type)) continue;
    const std::vector<BitRange> plus = Between({nans, sign - 1}, allowed);
    const std::vector<BitRange> minus = Between({sign | nans, BitMask(type)}, allowed);
    const bool has_all =
        plus == std::vector<BitRange>{{nans, sign - 1}} && minus == std::vector<BitRange>{{sign | nans, BitMask(type)}};
    if (!has_all && !(plus.empty() && minus.empty())) return false;
    has_nans |= has_all;
  }
  return has_nans;
}

std::optional<ExpectedLine> LineOf(const Reproduction& r) {
  if (!r.shown.sizes || r.showing != Showing::kExecutes) return std::nullopt;
  const std::string sizes = absl::StrJoin(*r.shown.sizes, ", ");
  ExpectedLine line = {absl::StrCat("\\( ", sizes, sizes.empty() ? "\\)" : " \\)"), absl::StrCat("( ", sizes, " )")};
  const bool one_nan = PrintsOneNan(r);
  for (const std::vector<BitRange>& allowed : r.shown.elements) {
    const bool is_plain = !one_nan || IsAnything(allowed, ShownType(r));
    const std::string pattern = ElementPattern(is_plain ? allowed : WithOneNan(allowed, ShownType(r)), ShownType(r));
    const bool plain = pattern.find_first_not_of("-0123456789") == pattern.npos;
    absl::StrAppend(&line.regex, ", ", pattern);
    absl::StrAppend(&line.filecheck, ", ", plain ? pattern : absl::StrCat("{{", pattern, "}}"));
  }
  line.filecheck += "{{$}}";
  return line;
}

std::string ReadableExpected(const Reproduction& r) {
  if (!r.shown.sizes || r.showing == Showing::kIr) return r.judgement.expected;
  constexpr size_t kMost = 16;
  std::vector<std::string> elements;
  const ValueRef result = r.test_case.program.results[r.shown.result];
  const ElementType type = result.kind == ValueRef::Kind::kOp
                               ? ResultReadAs(ShownType(r), r.test_case.program.ops[result.index].attributes)
                               : ShownType(r);
  for (size_t i = 0; i < r.shown.elements.size() && i < kMost; ++i) {
    elements.push_back(Readable(r.shown.elements[i], type));
  }
  return absl::StrCat(SizesToString(*r.shown.sizes), ": ", absl::StrJoin(elements, ", "),
                      r.shown.elements.size() > kMost ? ", ..." : "");
}

}  // namespace tosaic
