// The numeric reference: one scalar function per row of the op catalogue (tosa-semantics.md, "Ops"), each written to be
// read beside the specification. A function computes the true value, names the special values, and leaves how far
// a result may be off to the row's accuracy rule.
#ifndef TOSAIC_ORACLE_SCALAR_OPS_H_
#define TOSAIC_ORACLE_SCALAR_OPS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "model/op_catalogue.h"
#include "model/program.h"
#include "oracle/accuracy.h"
#include "oracle/expected.h"
#include "oracle/interval.h"
#include "oracle/policy.h"
#include "oracle/real.h"

namespace tosaic {

// kDecide evaluates formulas on Real: what is expected, exactly. kEnclose evaluates the same formulas on Interval,
// several times as fast, and gives a subset: an element that matches it matches; one that does not is undecided. What
// a function calls undefined is so in both.
enum class Mode : uint8_t { kDecide, kEnclose };

// The operands' elements that one result element is computed from.
struct ScalarInput {
  const OpInfo& op;
  ElementType input_type;  // of the operands whose role is kInput (and kZeroPoint)
  ElementType result_type;
  const Attributes& attributes;
  const Policies& policies;
  Mode mode = Mode::kDecide;
  std::array<uint64_t, 3> bits = {};  // by operand position, nothing beyond the element type's width

  ElementType OperandType(size_t operand) const;
  // Operand `operand` as a two's complement integer, and as a double, exact for every type of the specification.
  int64_t Signed(size_t operand) const;
  double Value(size_t operand) const;
};

// A two's complement integer as the bits of the result's element type, excess high bits cut off.
Expected ExactInteger(const ScalarInput& in, int64_t value);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Real& reference, const Real& x,
                     const Real& y);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Interval& reference, const Interval& x,
                     const Interval& y);
// A float result within an accuracy rule of the reference formula(x, y), x and y being operands 0 and 1 (y is 0 if
// there is one operand only). NaN in -> NaN.
template <typename Formula>
Expected WithinRule(const ScalarInput& in, const Accuracy& accuracy, Formula formula) {
  const double x = in.Value(0), y = in.op.operands.size() > 1 ? in.Value(1) : 0.0;
  if (std::isnan(x) || std::isnan(y)) return AnyNan();
  const auto evaluate = [&](const auto& x, const auto& y) { return RangeByRule(in, accuracy, formula(x, y), x, y); };
  return in.mode == Mode::kEnclose ? evaluate(Interval(x), Interval(y)) : evaluate(Real(x), Real(y));
}
// The same with the rule of the op's row.
template <typename Formula>
Expected WithinAccuracy(const ScalarInput& in, Formula formula) {
  return WithinRule(in, AccuracyOf(in.op, in.policies), formula);
}

using ScalarFunction = Expected (*)(const ScalarInput&);

#define TOSAIC_OP(name, ...) Expected Eval##name(const ScalarInput& in);
#include "model/ops.def"
#undef TOSAIC_OP

// The op's function, or one that says "undefined: beyond-spec" where the specification has no such tuple.
ScalarFunction FindScalarFunction(const OpInfo& op, ElementType input_type, ElementType result_type);

// What the documents allow for this element. For many elements, call FindScalarFunction once.
Expected EvaluateScalar(const ScalarInput& in);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SCALAR_OPS_H_
