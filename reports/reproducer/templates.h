// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of templates/, in the binary.
#ifndef TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_
#define TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_

#include "reports/template.h"

namespace tosaic {

// By name: driver.c, issue.md, own_command.sh, repro.sh, test.mlir.
absl::Span<const EmbeddedFile> ReproducerTemplates();

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_
