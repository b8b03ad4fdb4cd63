// How far a float result may be from the reference: the check functions of tosa-semantics.md ("Check functions") and
// the accuracy rules of the catalogue's rows, turned into an Expected. Knows no op. `Number` is Real for decisions,
// double for estimates.
#ifndef TOSAIC_ORACLE_ACCURACY_H_
#define TOSAIC_ORACLE_ACCURACY_H_

#include "model/op_catalogue.h"
#include "oracle/expected.h"
#include "oracle/policy.h"
#include "oracle/real.h"

namespace tosaic {

// ulp(T, r): the unit in the last place of T at r rounded to double; 0 if that is zero or no normal double.
template <typename Number>
Number Ulp(ElementType type, const Number& r);

// AEB(T, m, b, l, d), the absolute error bound.
template <typename Number>
Number AbsoluteErrorBound(ElementType type, const Number& m, const Number& b, const Number& l, int d);

// The rules' `base`: 3 for f32, 1 for f16 and bf16.
int AccuracyBase(ElementType type);

// The op's accuracy rule in the specification's version that the policy selects.
const Accuracy& AccuracyOf(const OpInfo& op, const Policies& policies);

// The bound that a rule gives for a reference computed from x (and y, which only pow's rules look at).
// REQUIRES: a kind other than kCast; kExact gives 0.
template <typename Number>
Number ErrorBound(const Accuracy& accuracy, ElementType type, const Number& reference, const Number& x,
                  const Number& y);

// within(T, test, ref, bound), as the set of tests that pass. A bound that is not finite allows anything.
Expected Within(ElementType type, const Real& reference, const Real& bound);

// A subset of Within's tests, from a reference and a bound that were computed on doubles (relative errors below 2^-40
// allowed for): what matches it surely passes, what does not is undecided. Empty where doubles do not do.
Expected SurelyWithin(ElementType type, double reference, double bound);

// Exactly this value, the sign of a zero included.
Expected ExactValue(double value);

// Float to float cast ("cast, the values"): from rounding toward zero to rounding to nearest, either way on ties;
// a zero has x's sign. Beyond the range the former overflows only where the next power of two would be reached.
Expected CastInterval(ElementType type, double x);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ACCURACY_H_
