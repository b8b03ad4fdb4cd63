// MLIR text -> programs: every function made of TOSA elementwise ops and constants. Nothing is verified: whether a
// program is legal is asked afterwards.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "codec/visitor.h"
#include "model/program.h"

namespace tosaic {

struct ImportedFunction {
  std::string name;                // "@main"; of what does not parse "line 12"
  std::optional<Program> program;  // well formed; none: skipped, and why:
  std::string skipped;
  bool expects_error = false;  // an annotation of -verify-diagnostics stands in or before it
};
void Fields(Visitor& v, ImportedFunction& function);

// The functions of a file in the spelling of the MLIR that Tosaic is linked to, in their order. `split`: at lines
// `// -----`, each part by itself. A part that does not parse is one entry that says so. MLIR's parser may crash on odd
// text: to be called in a worker (worker_pool.h).
std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_
