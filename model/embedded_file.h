// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text file that is part of the binary; cmake/EmbedFiles.cmake generates lists of such files.
#ifndef TOSAIC_MODEL_EMBEDDED_FILE_H_
#define TOSAIC_MODEL_EMBEDDED_FILE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"  // of which each list is one

namespace tosaic {

struct EmbeddedFile {
  absl::string_view path;  // relative to the folder that tosaic_embed() was given: "corpus/regressions/x.json"
  absl::string_view content;
};

}  // namespace tosaic

#endif  // TOSAIC_MODEL_EMBEDDED_FILE_H_
