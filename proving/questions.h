// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs whose bodies `tosaic prove` proves, by op and element types.
#ifndef TOSAIC_PROVING_QUESTIONS_H_
#define TOSAIC_PROVING_QUESTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/program.h"

namespace tosaic {

// One op on arguments of one shape, with one setting of its attributes, shift or zero points.
struct ProofSetting {
  std::string text;  // "round=true", "shift=31"; empty if the op has none
  Program program;   // of rank 1
  bool of_every_rank = true;
  bool is_optional = false;  // of an extension, which a lowering need not take
};

// An op with its element types.
struct ProofTile {
  OpKind op;
  ElementType input;
  ElementType result;
  std::vector<ProofSetting> settings;
};

// Shapes of ranks 0 to this are lowered: a body does not see extents, but a lowering may take another way by rank.
inline constexpr int kProvedRanks = 8;

// In the catalogue's order. Settings are enumerated: those of a sweep of values (generators/value_sweeps.h), all shifts
// of mul from 0 to 63, those of rescale from 2 to 62 as scales of 61 channels at rank 1, the zero points -128, -1,
// 0, 1 and 127 of negate in all pairs, and one table, which stands for all. Empty lists ask for all.
std::vector<ProofTile> ProofTiles(const std::vector<OpKind>& ops, const std::vector<ElementType>& types);

// Programs that folders may fold: each op as it stands, with one of its data operands a constant, for each special
// value of its type (generators/special_values.h), and with two of its data operands the same argument. At rank 1, with
// the settings of a sweep of values.
std::vector<ProofTile> FolderTiles(const std::vector<OpKind>& ops, const std::vector<ElementType>& types);

// Whether an operand of the op is a constant with an element for each channel.
bool IsByChannel(const OpApplication& op, size_t operand);
// How many elements these have; 0 if the program's op has no such operand.
size_t CountChannels(const Program& program);

// The program on shapes of another rank, whose dimensions are static. REQUIRES: rank > 0 if an operand has an element
// for each channel.
Program OfRank(const Program& program, int rank);

// The case with one run in which every element of an argument has these bits.
Case CaseOfElements(const Program& program, const std::vector<uint64_t>& bits, const std::string& route);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_QUESTIONS_H_
