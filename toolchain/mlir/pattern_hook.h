// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells which rewrite patterns fire in a context, as feedback for a fuzzer on an MLIR that is not instrumented.
#ifndef TOSAIC_TOOLCHAIN_MLIR_PATTERN_HOOK_H_
#define TOSAIC_TOOLCHAIN_MLIR_PATTERN_HOOK_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"

namespace tosaic {

// Calls `on_pattern` with the name of each pattern ("mlir::tosa::...", as MLIR knows it) whose application to an op of
// TOSA changed the IR, from now on; null ends this. It uses the context's only action handler.
void RegisterPatternHook(mlir::MLIRContext* context, std::function<void(absl::string_view)> on_pattern);

// Of the action of a pattern: the op that it is applied to; null: it is another action. And the pattern's name, which
// is empty if it has none.
mlir::Operation* RootOfPattern(const mlir::tracing::Action& action);
std::string PatternName(const mlir::tracing::Action& action);
// Does what the action does; whether this changed the IR, which an action does not say.
bool ChangedBy(llvm::function_ref<void()> act, mlir::Operation* root);

// The names of the patterns for ops of the catalogue that tosa-to-linalg (named or not), tosa-to-arith, the constant
// folding pass and the ops' canonicalizers have, sorted. Patterns that are private to a pass are not included.
std::vector<std::string> ElementwisePatterns(mlir::MLIRContext* context);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PATTERN_HOOK_H_
