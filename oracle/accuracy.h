// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a float result may be from the reference: the check functions of tosa-semantics.md ("Check functions") and
// the accuracy rules of the catalogue's rows, turned into an Expected. It does not know ops. `Number` is double, which
// is the pseudo-code's fp64_t; Real where the doubles do not reach (docs/policies.md, "the reference is a double");
// Interval for an enclosure of both results.
#ifndef TOSAIC_ORACLE_ACCURACY_H_
#define TOSAIC_ORACLE_ACCURACY_H_

#include "model/op_catalogue.h"
#include "oracle/expected.h"
#include "oracle/interval.h"
#include "oracle/policy.h"
#include "oracle/real.h"

namespace tosaic {

// ulp(T, r): the unit in the last place of T at r rounded to double; 0 if that is zero or no normal double (f64: no
// number).
double Ulp(ElementType type, double r);
Real Ulp(ElementType type, const Real& r);
Interval Ulp(ElementType type, const Interval& r);

// AEB(T, m, b, l, d), the absolute error bound.
template <typename Number>
Number AbsoluteErrorBound(ElementType type, const Number& m, const Number& b, const Number& l, int d);

// The rules' `base`: 3 for f32, 1 for f16 and bf16.
int AccuracyBase(ElementType type);

// The op's accuracy rule for a result of the type, in the specification's version that the policy selects.
const Accuracy& AccuracyOf(const OpInfo& op, ElementType result_type, const Policies& policies);

// The type whose accuracy applies to functions: the type itself if the specification has ops on it, else the nearest
// one, which is f32 for f64 and f16 for fp8.
ElementType NearestSpecified(ElementType type);

// The bound that a rule gives for a reference computed from x (and y, which only pow's rules use). A bound of half a
// unit is in the type's own units. For f64 and fp8, any other rule gives the bound of the nearest specified type, plus
// half a unit of their own for rounding. REQUIRES: a kind other than kCast; kExact gives 0.
template <typename Number>
Number ErrorBound(const Accuracy& accuracy, ElementType type, const Number& reference, const Number& x,
                  const Number& y);

// Every number, infinities included, and no NaN.
Expected AnyNumber(double reference);

// within(T, test, ref, bound), as the set of tests that pass. If the reference is beyond the doubles, it is an
// infinity, and so is the result. If the bound is not finite, every number passes, but no NaN (docs/policies.md,
// "overflow"). On doubles the two ends are rounded, as fp64_t is.
Expected Within(ElementType type, double reference, double bound);
Expected Within(ElementType type, const Real& reference, const Real& bound);

// The tests that pass Within for every reference and bound in the intervals: a match surely passes, anything else is
// undecided.
Expected SurelyWithin(ElementType type, const Interval& reference, const Interval& bound);

// Exactly this value, including the sign of a zero.
Expected ExactValue(double value);

// A cast from float to float ("cast, the values"): anything from rounding toward zero to rounding to nearest, either
// way on ties; a zero has x's sign. Beyond the range both behave as if the format continued: rounding toward zero
// overflows from a unit above normal_max on, rounding to nearest from half a unit.
Expected CastInterval(ElementType type, double x);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ACCURACY_H_
