// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns MLIR text into programs: the TOSA elementwise ops and constants of every function. The text may also have ops
// of other dialects, even of dialects that this MLIR does not have. It verifies nothing: whether a program is legal is
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

// Appended to a function's name: the part of the function behind ops that no program can have.
inline constexpr absl::string_view kBehind = ".behind";

struct ImportedFunction {
  std::string name;  // "@main"; "@main.behind" of its second program; of what does not parse and has no name "line 12"
  std::optional<Program> program;  // well formed; none: skipped, and why:
  std::string skipped;
  // For each argument, the data that it has if the function says so (a constant that the compiler does not see).
  std::vector<std::optional<Tensor>> data = {};
  // Not empty if the program is a part of the function. "up to tosa.reduce_sum": it returns the operands of that op,
  // and leaves out its results. "behind tosa.reduce_sum": the results of that op are arguments.
  std::string part = {};
  bool has_other_results = false;  // than the function returns, if that returns any
  // The version of the dialect that the file spells it by, if that is not the asked one.
  std::optional<int> spelled = std::nullopt;
  // Elementwise ops of the function that no program of it has: "tosa.mul in tosa.cond_if (line 6)".
  std::vector<std::string> untested;
  bool expects_error = false;  // an annotation of -verify-diagnostics stands in or before it
};
void Fields(Visitor& v, ImportedFunction& function);

// How a file is spelled. What is of another version is translated, if it is exactly what some version spells.
struct Spelling {
  Dialect dialect = kCanonicalDialect;
  // Prints a text in generic form, each op with its line, by the tools of that version. Null if the text is in the
  // spelling of the MLIR that Tosaic is linked to.
  std::function<absl::StatusOr<std::string>(absl::string_view text)> to_generic;
};

// The functions of a file in order. `split`: the file is split at lines `// -----`. If a part does not parse, each of
// its top-level ops is parsed alone, or is an entry that says why it does not parse. Elementwise ops outside of every
// func.func are an entry too, which is skipped: one for all of a module, and one for each op of it that has them, as
// an ml_program.func. MLIR's parser may crash on unusual
// text, so this must be called in a worker (worker_pool.h).
std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split, const Spelling& spelling = {});

// The only function of a module, read as a whole (ImportWholeFunction): it may have no op at all. Error: it has others,
// or the text does not parse. To be called in a worker, too.
absl::StatusOr<Program> ReadWholeFunction(absl::string_view text, const Spelling& spelling = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_IMPORT_H_
