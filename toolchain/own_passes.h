// Passes of our own for routes: what MLIR has as functions only, or in mlir-opt's test passes.
#ifndef TOSAIC_TOOLCHAIN_OWN_PASSES_H_
#define TOSAIC_TOOLCHAIN_OWN_PASSES_H_

namespace tosaic {

// Registers, for func.func:
//   tosaic-vectorize-linalg   linalg ops of static shape as one vector each (linalg::vectorize); larger ones stay
//   tosaic-polynomial-math    polynomial approximations of math ops (populateMathPolynomialApproximationPatterns)
// Once per process.
void RegisterOwnPasses();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_OWN_PASSES_H_
