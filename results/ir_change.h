// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A summary of the IR that a route makes of a case, and of how the IR of two sides differs. Changed IR is not a
// verdict: a reviewer of a patch wants to see it beside the verdicts.
#ifndef TOSAIC_RESULTS_IR_CHANGE_H_
#define TOSAIC_RESULTS_IR_CHANGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "codec/visitor.h"

namespace tosaic {

// IR at one place of a route.
struct IrInShort {
  std::string digest;                   // of its text
  std::map<std::string, uint64_t> ops;  // how often each op stands there

  friend bool operator==(const IrInShort& a, const IrInShort& b) = default;
};
void Fields(Visitor& v, IrInShort& ir);

// The IR that a route makes of a case, in short. No value: it is not known.
struct CaseIr {
  std::optional<IrInShort> tensors;    // before bufferization
  std::optional<IrInShort> lowered;    // after all passes
  std::optional<uint64_t> code_bytes;  // of machine code
  std::string missing;                 // why one of these is not known

  friend bool operator==(const CaseIr& a, const CaseIr& b) = default;
};
void Fields(Visitor& v, CaseIr& ir);

// Cases in whose IR the same ops came and went.
struct OpsChange {
  std::map<std::string, int64_t> ops;  // by how many; none: the same ops, otherwise put together
  uint64_t cases = 0;
  std::vector<std::string> examples;  // the first of them, and of other tiles
};
void Fields(Visitor& v, OpsChange& change);
// "a -> b", "-2 b, +1 a".
std::string OpsInWords(const std::map<std::string, int64_t>& ops);

// IR at one place of a route, on both sides.
struct PlaceChange {
  uint64_t compared = 0;                                     // cases that have it on both sides
  uint64_t differ = 0;                                       // of them
  uint64_t base_alone = 0, patch_alone = 0;                  // cases that have it on one side
  std::vector<OpsChange> groups;                             // of those that differ; the largest first
  std::map<std::string, std::pair<uint64_t, uint64_t>> ops;  // in all cases compared; those whose number changed
};
void Fields(Visitor& v, PlaceChange& change);

struct CodeChange {
  uint64_t compared = 0;  // cases whose size both sides know
  uint64_t smaller = 0, larger = 0;
  uint64_t base_bytes = 0, patch_bytes = 0;  // of all of them
};
void Fields(Visitor& v, CodeChange& change);

// The IR of one case on both sides.
struct IrSample {
  std::string name;   // of the case
  std::string place;  // "tensors"
  std::string diff;
};
void Fields(Visitor& v, IrSample& sample);

struct IrChange {
  PlaceChange tensors, lowered;
  CodeChange code;
  std::map<std::string, uint64_t> base_missing, patch_missing;  // why something is not known, by cases
  std::vector<IrSample> samples;
};
void Fields(Visitor& v, IrChange& change);

// One case on both sides.
struct IrPair {
  absl::string_view name;
  const CaseIr& base;
  const CaseIr& patch;
};
IrChange CompareIr(const std::vector<IrPair>& cases);
// The cases whose diffs show most: examples of the largest groups, first one of each group. "tensors" if anything
// differs there.
std::pair<std::string, std::vector<std::string>> WorthShowing(const IrChange& change, size_t most);

// A line per place, one for the code, and one per reason why something is not known: "IR before bufferization: 40 of
// 317 cases differ".
std::vector<std::string> Headlines(const IrChange& change);
// Where a sample is from, for people: "before bufferization".
absl::string_view PlaceInWords(absl::string_view place);

// A unified diff of two texts, with three lines around what differs. Empty if they are equal.
std::string DiffOf(absl::string_view before, absl::string_view after);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_IR_CHANGE_H_
