// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JudgedElements: how much of the results of programs was really compared. A row stands for one way to compute a value:
// it counts the elements, those whose sets of allowed values exclude at least half of the type's values (compared), and
// how wide these sets were. A set that excludes fewer, but not nothing, leaves its element open. Rows are added up over
// runs, cases, workers and starts of a campaign, in any order.
#ifndef TOSAIC_MODEL_JUDGED_ELEMENTS_H_
#define TOSAIC_MODEL_JUDGED_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

class Visitor;

// Counts widths by powers of two, because such counts can be added up and exact medians cannot. A width is the number
// of patterns that a set allows beside the first; for floats this is the set's width in units of the last place.
class SetWidths {
 public:
  void Add(uint64_t width);
  void Add(const SetWidths& other);
  uint64_t count() const;
  // The least of 0 and the powers of two that at least half of the widths do not exceed; 0 if there are no widths.
  // Widths from 2^63 on are not told apart.
  uint64_t Median() const;

  friend bool operator==(const SetWidths& a, const SetWidths& b) = default;
  friend void WidthsField(Visitor& v, SetWidths& widths);

 private:
  std::vector<uint64_t> counts_;  // of the width 0; of 1, of 2, of 3 and 4, of 5 to 8, ...; without zeros at the end
};

struct JudgedElements {
  std::string computed;   // "exp"; "negate(exp)" if the program does not return the operand; at most three ops deep
  std::string types;      // of the last op: "f32", "i8-i32"
  uint64_t elements = 0;  // looked at
  uint64_t open = 0;      // of those not compared: more than half of all values would have been right
  uint64_t masked_by_division = 0;  // of those not compared: left out because a division in their run has no quotient
  SetWidths widths;                 // of those compared

  uint64_t compared() const { return widths.count(); }
  double share() const { return elements == 0 ? 0 : static_cast<double>(compared()) / static_cast<double>(elements); }
  bool IsChain() const { return computed.find('(') != std::string::npos; }
  void Add(const JudgedElements& other) {
    elements += other.elements;
    open += other.open;
    masked_by_division += other.masked_by_division;
    widths.Add(other.widths);
  }

  friend bool operator==(const JudgedElements& a, const JudgedElements& b) = default;
};
void Fields(Visitor& v, JudgedElements& judged);
// The same without the derived keys, as in a line of the journal.
struct CountsOfElements {
  JudgedElements& judged;
};
void Fields(Visitor& v, CountsOfElements counts);

// Adds to the row with the same computation and types, or makes such a row. Rows stay sorted.
void AddTo(std::vector<JudgedElements>* rows, const JudgedElements& judged);

// The sum of all rows, under that name.
JudgedElements SumOf(const std::vector<JudgedElements>& rows, absl::string_view name);

// At most `most` rows, those with the most elements first. The last row, "others", is the sum of the rest.
std::vector<JudgedElements> Largest(std::vector<JudgedElements> rows, size_t most);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_JUDGED_ELEMENTS_H_
