// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The external library of the route `library-call`: the oracle's own scalar functions, handed to the toolchain, which
// does not know the oracle.
#ifndef TOSAIC_CHECKING_LIBRARY_FUNCTION_H_
#define TOSAIC_CHECKING_LIBRARY_FUNCTION_H_

#include "toolchain/toolchain.h"

namespace tosaic {

// Computes each element as the documents define it: the nearest allowed value, which every policy allows; 0 if anything
// is allowed.
LibraryFunction OracleLibrary();

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_LIBRARY_FUNCTION_H_
