// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that every exported set has, as they lie in templates/.
#ifndef TOSAIC_LIT_TEMPLATES_H_
#define TOSAIC_LIT_TEMPLATES_H_

#include "model/embedded_file.h"

namespace tosaic {

absl::Span<const EmbeddedFile> LitTemplates();

}  // namespace tosaic

#endif  // TOSAIC_LIT_TEMPLATES_H_
