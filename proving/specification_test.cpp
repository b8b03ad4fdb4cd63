// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The specification's terms against the scalar functions of oracle/, two writings of the same rules.
#include "proving/specification.h"

#include "generators/value_sweeps.h"
#include "gtest/gtest.h"
#include "oracle/compare.h"
#include "oracle/scalar_ops.h"
#include "proving/terms.h"

namespace tosaic {
namespace {

// Inputs first .. first + count - 1 of the sweep, as a case. At each the term must be defined where the scalar function
// is, and its value be one that the scalar function allows. Returns the number of defined ones.
int CompareWithOracle(const ValueSweep& sweep, uint64_t first, uint64_t count) {
  z3::context context;
  const OpInfo& op = Info(sweep.op);
  const Case inputs = CaseOfInputs(sweep, first, count, "loops");
  const OpApplication& applied = inputs.program.ops[0];
  const Policies policies;  // to which each scalar input refers
  int defined = 0;
  std::optional<z3::expr> table;
  const auto entry_at = [&](size_t i) { return context.bv_val(uint64_t{i}, 64); };
  for (uint64_t i = 0; i < count; ++i) {
    ScalarInput scalar = InputOf(inputs.program, applied, policies);
    SpecifiedInput in{op, sweep.input, sweep.result, sweep.attributes, {}};
    for (size_t k = 0; k < applied.operands.size(); ++k) {
      const ValueRef ref = applied.operands[k];
      const bool is_argument = ref.kind == ValueRef::Kind::kArgument;
      const size_t index = static_cast<size_t>(ref.index);
      if (op.operands[k] == OperandRole::kTable) {
        const Tensor& entries = inputs.program.constants[index];
        const Lookup lookup = LookupIn(sweep.input);
        const size_t first_read = lookup.FirstFor(sweep.input, scalar.bits[0]);
        for (size_t read = 0; read < lookup.reads; ++read) scalar.bits[1 + read] = entries.Bits(first_read + read);
        if (!table) table = z3::const_array(context.bv_sort(64), Constant(SortOf(context, sweep.input), 0));
        for (size_t e = 0; i == 0 && e < entries.element_count(); ++e) {
          table = z3::store(*table, entry_at(e), Constant(SortOf(context, sweep.input), entries.Bits(e)));
        }
        in.operands.push_back(*table);
        continue;
      }
      scalar.bits[k] = is_argument ? inputs.runs[0][index].Bits(i) : inputs.program.constants[index].Bits(0);
      in.operands.push_back(Constant(SortOf(context, ElementTypeOf(inputs.program, ref)), scalar.bits[k]));
    }
    const std::optional<Specified> specified = Specification(in);
    if (!specified) return 0;
    const Expected expected = EvaluateScalar(scalar);
    const bool is_defined = expected.kind != Expected::Kind::kUndefined;
    const std::string label = absl::StrCat(op.name, " ", TypesOf(sweep), " ", sweep.setting, " ", scalar.bits[0], ", ",
                                           scalar.bits[1], ", ", scalar.bits[2]);
    EXPECT_EQ(specified->defined.simplify().is_true(), is_defined) << label;
    if (!is_defined) continue;
    ++defined;
    const std::optional<uint64_t> bits = BitsOf(specified->value);
    EXPECT_TRUE(bits) << label << specified->value;
    if (bits) EXPECT_TRUE(Matches(expected, sweep.result, *bits)) << label << ": " << *bits;
    if (specified->other) EXPECT_TRUE(Matches(expected, sweep.result, *BitsOf(*specified->other))) << label;
    EXPECT_TRUE(Allows(*specified, specified->value).simplify().is_true()) << label;
  }
  return defined;
}

// The sweeps' inputs begin with pairs of special values; those in the middle are spread at random.
TEST(Specification, AgreesWithTheScalarFunctions) {
  int ops_with_terms = 0;
  for (const ValueSweep& sweep : PlanValueSweeps({.inputs = 4096})) {
    const bool is_small = sweep.input == ElementType::kF8E4M3FN || sweep.result == ElementType::kF8E4M3FN;
    // There are many settings of rescale; the type that SMT has no format for is tried on all of its patterns.
    const uint64_t tried = sweep.op == OpKind::kRescale ? 6 : is_small ? 256 : 48;
    const uint64_t size = sweep.inputs.size();
    int defined = CompareWithOracle(sweep, 0, std::min(size, tried));
    if (size > 2 * tried) defined += CompareWithOracle(sweep, size / 2 - tried / 2, tried);
    if (size > tried) defined += CompareWithOracle(sweep, size - tried, tried);
    ops_with_terms += defined > 0 ? 1 : 0;
  }
  EXPECT_GT(ops_with_terms, 150);
}

TEST(Specification, AFunctionOfTheLibraryHasNoFormula) {
  z3::context context;
  const Attributes none;
  const z3::expr x = Constant(SortOf(context, ElementType::kF32), 0);
  EXPECT_FALSE(Specification({Info(OpKind::kExp), ElementType::kF32, ElementType::kF32, none, {x}}));
  const z3::expr small = Constant(SortOf(context, ElementType::kF8E4M3FN), 0);
  EXPECT_FALSE(
      Specification({Info(OpKind::kAdd), ElementType::kF8E4M3FN, ElementType::kF8E4M3FN, none, {small, small}}));
}

// A float's set may leave the sign of a zero free; an integer's has no such freedom.
TEST(Specification, TheSignOfAZeroIsFreeWhereItIsSaid) {
  z3::context context;
  const z3::sort f32 = SortOf(context, ElementType::kF32);
  const Attributes none;
  const z3::expr zero = Constant(f32, 0), minus_zero = Constant(f32, 0x80000000), nan = Constant(f32, 0x7fc00001);
  const auto allows = [&](OpKind op, const std::vector<z3::expr>& operands, const z3::expr& actual) {
    const auto specified = Specification({Info(op), ElementType::kF32, ElementType::kF32, none, operands});
    return Allows(*specified, actual).simplify().is_true();
  };
  EXPECT_TRUE(allows(OpKind::kMaximum, {zero, minus_zero}, minus_zero));
  EXPECT_FALSE(allows(OpKind::kAbs, {minus_zero}, minus_zero));
  EXPECT_FALSE(allows(OpKind::kCeil, {minus_zero}, zero));
  EXPECT_TRUE(allows(OpKind::kAbs, {nan}, Constant(f32, 0xffc00000)));
  EXPECT_FALSE(allows(OpKind::kAbs, {nan}, zero));
}

}  // namespace
}  // namespace tosaic
