// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProofSummary: what `tosaic prove` says of the bodies of a lowering, as a plain value for reports/.
#ifndef TOSAIC_RESULTS_PROOFS_H_
#define TOSAIC_RESULTS_PROOFS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/provenance.h"
#include "results/finding.h"

namespace tosaic {

enum class ProofVerdict : uint8_t {
  kProved,   // for every value
  kUnknown,  // the solver ran out of time, or an op has no formula
  kRefuted,  // there are values for which the body is wrong
};
EnumNames NamesOf(ProofVerdict verdict);  // "proved"

// One op with its element types.
struct ProofRow {
  std::string op;
  std::string types;  // "f32", "i8-i32"
  ProofVerdict verdict = ProofVerdict::kUnknown;
  std::string why;                  // of an unknown or a refuted one, with the setting of the attributes
  bool refused = false;             // an unknown one: the pass pipeline does not take a program of it
  uint64_t settings = 0;            // of attributes, shifts and zero points: each is a question of its own
  uint64_t bodies = 0;              // different ones, each a question to the solver
  double seconds = 0;               // CPU time of lowering and solving
  std::vector<std::string> inputs;  // refuted: bit patterns of a wrong element, by operand
  std::string execution;            // refuted: the verdict on a run of these inputs: "wrong-value [value.add]", "agree"
};
void Fields(Visitor& v, ProofRow& row);

struct ProofSummary {
  Provenance provenance;
  std::string route;
  bool folders = false;  // of programs with constant or equal operands, behind the canonicalizer
  uint64_t ranks = 0;    // shapes of ranks 0 to N were lowered
  uint64_t timeout_seconds = 0;
  std::vector<ProofRow> rows;     // in the catalogue's order
  std::vector<Finding> findings;  // refutations that execution confirms, sorted by signature
  std::vector<std::string> harness_faults;
  bool interrupted = false;
  double elapsed_seconds = 0;

  uint64_t Count(ProofVerdict verdict) const;
  // The refuted rows without those whose execution shows a known divergence.
  uint64_t CountNewlyRefuted() const;
};
// The result file.
void Fields(Visitor& v, ProofSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_PROOFS_H_
