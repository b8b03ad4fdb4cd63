// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says in words how two campaigns, or two sweeps, differ.
#ifndef TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_
#define TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_

#include <string>
#include <vector>

#include "model/json.h"
#include "model/provenance.h"

namespace tosaic {

// What the first line of a journal says of its campaign or sweep.
struct IdentityFacts {
  Json cases = Json::object();  // which they are, by names: {"seed": 1}
  Json asked_for;               // fields by names; null: a journal of before does not say
  std::vector<std::string> routes;
  Provenance versions;
};

// "seed 1, not 2; ops all, not add": how the existing one differs from the requested one. They are not equal.
std::string DifferenceInWords(const IdentityFacts& there, const IdentityFacts& asked_for);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_IDENTITY_DIFFERENCE_H_
