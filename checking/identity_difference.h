// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says in words how two campaigns, or two sweeps, differ.
#ifndef TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_
#define TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_

#include <string>

#include "model/json.h"

namespace tosaic {

// "seed 1, not 2; ops all, not add": how the existing campaign differs from the requested one. Both are identities
// (campaign/identity.h), and they are not equal; an identity from another version of Tosaic may lack keys.
std::string DifferenceInWords(const Json& there, const Json& asked_for);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_
