// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a body computes what the specification says of an op, for all values of its elements.
#ifndef TOSAIC_PROVING_DECISION_H_
#define TOSAIC_PROVING_DECISION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/program.h"
#include "proving/scalar_body.h"
#include "results/proofs.h"

namespace tosaic {

struct Decision {
  ProofVerdict verdict = ProofVerdict::kUnknown;
  std::string why;               // unknown: the op without a formula, or the time; refuted: poison, or another value
  std::vector<uint64_t> inputs;  // refuted: bits of an element of each argument
  Program program;               // refuted: the program asked about, with the multipliers or the table that show it
  bool is_exact = true;          // whether the specification allows the value of its formula alone
};

// Multipliers of channels and the elements of a table stand for all values, as the arguments do; each channel's shift
// is a question of its own. REQUIRES: the program has one op, whose operands are the program's arguments, constants of
// equal elements, constants with an element for each channel, and a table that is a constant; the body is of its
// lowering. `milliseconds`: the most wall time that the solver takes. Nothing here runs the body: whoever prints a
// refutation does (docs/proofs.md).
Decision DecideBody(const Program& program, const ScalarBody& body, unsigned milliseconds);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_DECISION_H_
