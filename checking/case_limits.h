// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of a case: Tosaic refuses larger ones before anything runs or is computed.
#ifndef TOSAIC_CHECKING_CASE_LIMITS_H_
#define TOSAIC_CHECKING_CASE_LIMITS_H_

#include <string>

#include "model/program.h"

namespace tosaic {

inline constexpr int64_t kMostElements = 8'388'608;  // of a tensor at run time, and of each of its dimensions

// "40 arguments, and a run takes up to 31"; empty: it is within the limits. A case without runs has none.
std::string BeyondLimits(const Case& test_case);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_CASE_LIMITS_H_
