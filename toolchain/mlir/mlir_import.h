// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR text -> programs: the TOSA elementwise ops and constants of every function. Ops of other dialects may stand
// around them, and may be of dialects that this MLIR does not have. Nothing is verified: whether a program is legal is
// asked afterwards.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/visitor.h"
#include "model/dialect.h"
#include "model/program.h"

namespace tosaic {

struct ImportedFunction {
  std::string name;  // "@main"; "@main.behind" of its second program; of what does not parse and has no name "line 12"
  std::optional<Program> program;  // well formed; none: skipped, and why:
  std::string skipped;
  std::vector<std::optional<Tensor>> data;  // per argument, where the function says so (function_import.h)
  std::string part;                         // not empty: which part of the function it is (function_import.h)
  bool expects_error = false;               // an annotation of -verify-diagnostics stands in or before it
};
void Fields(Visitor& v, ImportedFunction& function);

// How a file is spelled.
struct Spelling {
  Dialect dialect = kCanonicalDialect;
  // What the tools of that version make of a text: the same in generic form, each op with its line. Null: the text is
  // in the spelling of the MLIR that Tosaic is linked to.
  std::function<absl::StatusOr<std::string>(absl::string_view text)> to_generic;
};

// The functions of a file in their order. `split`: at lines `// -----`, each part by itself. Of a part that does not
// parse, each op at its top does or is an entry that says why not. MLIR's parser may crash on odd text: to be called in
// a worker (worker_pool.h).
std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split, const Spelling& spelling = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_
