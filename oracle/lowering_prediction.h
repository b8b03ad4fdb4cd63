// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicts the result of the RFC's lowering strategy for one op from its types alone (docs: the RFC, "Lowering
// strategy"): the indexing map of each operand, and the dimensions that are broadcast at run time.
#ifndef TOSAIC_ORACLE_LOWERING_PREDICTION_H_
#define TOSAIC_ORACLE_LOWERING_PREDICTION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/lowered_ir.h"
#include "model/program.h"
#include "model/shape.h"

namespace tosaic {

// A dimension of an operand that is known only at run time, and is broadcast if it is 1.
struct RuntimeBroadcast {
  int operand = 0;
  int dim = 0;

  friend auto operator<=>(const RuntimeBroadcast& a, const RuntimeBroadcast& b) = default;
};
// "(operand 0, dimension 1)", or "none".
std::string ToString(const std::vector<RuntimeBroadcast>& broadcasts);
// "at run time: none; missing: (operand 1, dimension 0)": those that are there, beside those that are expected. Both
// are sorted.
std::string Compared(const std::vector<RuntimeBroadcast>& expected, const std::vector<RuntimeBroadcast>& actual);

// Predicts them for one op, operands first, then dimensions: a dynamic dimension is one unless all other operands have
// a static 1 there ("Dynamic-to-static", "Static-to-dynamic", "Fully dynamic broadcasting", "Dynamic dimension in unary
// operation"). None if a type is unranked. REQUIRES: the op is legal but for its ranks, which may differ.
std::vector<RuntimeBroadcast> PredictRuntimeBroadcasts(const Program& program, const OpApplication& op);

// The parts of an indexing map.
inline constexpr MapResult kZeroIndex = {MapResult::Kind::kConstant, 0};
MapResult LoopIndex(size_t loop);
IndexingMap IdentityMap(size_t rank);

class LoweringPrediction {
 public:
  // REQUIRES: the same as for PredictRuntimeBroadcasts.
  LoweringPrediction(const Program& program, const OpApplication& op);

  // Whether the operands that broadcast and the result are ranked; if not, the functions below do not apply.
  bool ranked() const { return ranked_; }
  // The shapes of the operands that broadcast, with equal ranks.
  const std::vector<Shape>& operands() const { return operands_; }
  const Shape& inferred() const { return inferred_; }
  // Whether the result is 1 in this dimension, by inference or declaration. False beyond its rank.
  bool IsOne(size_t dim) const;
  bool IsBroadcastAtRunTime(size_t operand, size_t dim) const;
  IndexingMap MapOf(size_t operand) const;

 private:
  bool ranked_ = true;
  std::vector<Shape> operands_;
  Shape inferred_, declared_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERING_PREDICTION_H_
