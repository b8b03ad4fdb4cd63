// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The corpus at the time when Tosaic was built, so that the conformance suite is the same wherever it runs.
#ifndef TOSAIC_TOOLS_EMBEDDED_CORPUS_H_
#define TOSAIC_TOOLS_EMBEDDED_CORPUS_H_

#include "model/embedded_file.h"

namespace tosaic {

// The cases of corpus/regressions and corpus/spec, sorted by path from the top of the repository.
absl::Span<const EmbeddedFile> EmbeddedCorpus();

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_EMBEDDED_CORPUS_H_
