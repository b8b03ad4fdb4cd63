// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to code that begin as the route of a case and go on as another route. If one makes right code, the IR is right
// where they part.
#ifndef TOSAIC_DIAGNOSIS_WAYS_TO_CODE_H_
#define TOSAIC_DIAGNOSIS_WAYS_TO_CODE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "checking/check_case.h"
#include "model/pass_pipeline.h"

namespace tosaic {

// The other routes whose rests may be tried on a case of this one. They cannot show a property of a special route: that
// it frees, stops, calls a library.
std::vector<std::string> OtherRoutes(const std::string& route);

// Some passes of a route, and then some of another one.
std::string JoinRoutes(absl::Span<const PipelinePass> first, absl::Span<const PipelinePass> rest);

// Whether the code is right, as far as that was seen: it ran to its end, and nothing contradicts it; the documents may
// leave open what only this run shows.
bool IsRightCode(const CheckedCase& checked);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_WAYS_TO_CODE_H_
