// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DidYouMean: the end of an error about a name that is none.
#ifndef TOSAIC_MODEL_DID_YOU_MEAN_H_
#define TOSAIC_MODEL_DID_YOU_MEAN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

// "; did you mean 'mul'?" if one of `known` is similar to the word, else "". Dashes before a flag's name count for
// nothing.
std::string DidYouMean(absl::string_view word, const std::vector<std::string>& known);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_DID_YOU_MEAN_H_
