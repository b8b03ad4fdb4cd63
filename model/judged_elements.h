// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JudgedElements: how much of what a program returns was really held to something. What is computed in one way is
// counted together: elements, those whose set of allowed values excludes a pattern, and how wide these sets were.
// Counts sum up over runs, cases, workers and starts of a campaign, to the same in any order.
#ifndef TOSAIC_MODEL_JUDGED_ELEMENTS_H_
#define TOSAIC_MODEL_JUDGED_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

class Visitor;

// Counts of widths by powers of two: what adds up has no exact median. A width is the number of patterns that a set
// allows beside one, which for floats is its width in units of the last place.
class SetWidths {
 public:
  void Add(uint64_t width);
  void Add(const SetWidths& other);
  uint64_t count() const;
  // 0 or the power of two that at least half of the widths do not exceed; of none 0. From 2^63 on all are one.
  uint64_t Median() const;

  friend bool operator==(const SetWidths& a, const SetWidths& b) = default;
  friend void WidthsField(Visitor& v, SetWidths& widths);

 private:
  std::vector<uint64_t> counts_;  // of the width 0; of 1, of 2, of 3 and 4, of 5 to 8, ...; without zeros at the end
};

struct JudgedElements {
  std::string computed;   // "exp"; behind values that nobody sees with their ops, at most three deep: "negate(exp)"
  std::string types;      // of the last op: "f32", "i8-i32"
  uint64_t elements = 0;  // looked at
  SetWidths widths;       // of those compared

  uint64_t compared() const { return widths.count(); }
  double share() const { return elements == 0 ? 0 : static_cast<double>(compared()) / static_cast<double>(elements); }
  bool IsChain() const { return computed.find('(') != std::string::npos; }
  void Add(const JudgedElements& other) { elements += other.elements, widths.Add(other.widths); }

  friend bool operator==(const JudgedElements& a, const JudgedElements& b) = default;
};
void Fields(Visitor& v, JudgedElements& judged);
// The same without what follows from it: a line of the journal.
struct CountsOfElements {
  JudgedElements& judged;
};
void Fields(Visitor& v, CountsOfElements counts);

// Adds to the row that is computed in the same way, of the same types; makes it if there is none. Rows are in order.
void AddTo(std::vector<JudgedElements>* rows, const JudgedElements& judged);

// All rows as one, under that name.
JudgedElements SumOf(const std::vector<JudgedElements>& rows, absl::string_view name);

// At most `most` rows, those with the most elements first; the others are one, "others", behind them.
std::vector<JudgedElements> Largest(std::vector<JudgedElements> rows, size_t most);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_JUDGED_ELEMENTS_H_
