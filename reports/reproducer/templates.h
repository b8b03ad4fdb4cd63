// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of templates/, in the binary.
#ifndef TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_
#define TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_

#include <string>

#include "reports/template.h"

namespace tosaic {

// The templates by name: driver.c, half_helpers.c, issue.md, own_command.sh, repro.sh, test.mlir.
absl::Span<const EmbeddedFile> ReproducerTemplates();
// A part of one of these files with values in its places: ReproducerPart("repro.sh", "run", ...).
inline std::string ReproducerPart(absl::string_view file, absl::string_view name, TemplateValues values = {}) {
  return FillTemplate(TemplatePart(ReproducerTemplates(), file, name), values);
}

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_TEMPLATES_H_
