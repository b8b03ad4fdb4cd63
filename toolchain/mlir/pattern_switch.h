// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PatternSwitch: the rewrite patterns of passes, which MLIR asks an action handler about before it applies one: watched
// and switched off.
#ifndef TOSAIC_TOOLCHAIN_MLIR_PATTERN_SWITCH_H_
#define TOSAIC_TOOLCHAIN_MLIR_PATTERN_SWITCH_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mlir/IR/MLIRContext.h"
#include "toolchain/capabilities.h"
#include "toolchain/mlir/pattern_hook.h"

namespace tosaic {

// Uses the context's only action handler. Patterns without a name are neither watched nor switched off.
class PatternSwitch : public RewriteSwitch, public PatternWatcher {
 public:
  explicit PatternSwitch(mlir::MLIRContext* context) : context_(context) {}

  absl::string_view kind() const override { return "pattern"; }
  absl::StatusOr<std::vector<Rewrite>> RanIn(absl::FunctionRef<void()> work) override;
  absl::Status SwitchOff(const std::string& name) override;
  void Watch(std::function<void(absl::string_view)> on_pattern) override {
    RegisterPatternHook(context_, std::move(on_pattern));
  }
  std::vector<std::string> Patterns() override { return ElementwisePatterns(context_); }

 private:
  mlir::MLIRContext* const context_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PATTERN_SWITCH_H_
