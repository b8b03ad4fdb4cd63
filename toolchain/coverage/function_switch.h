// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FunctionSwitch: the functions of ops in a loaded library that fold, canonicalize, verify or infer
// ("mlir::tosa::MulOp::fold"). MLIR tells nobody when it calls one, so they are watched and switched off in the
// library's code.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_SWITCH_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_SWITCH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "toolchain/rewrite_switch.h"

namespace tosaic {

class FunctionSwitch : public RewriteSwitch {
 public:
  // `library`: as its file's name begins. Error, in one line: it is not loaded, or cannot be read.
  static absl::StatusOr<std::unique_ptr<FunctionSwitch>> Of(absl::string_view library);

  absl::string_view kind() const override { return "function"; }
  absl::StatusOr<std::vector<Rewrite>> RanIn(absl::FunctionRef<void()> work) override;
  // A verifier then accepts; all others do nothing.
  absl::Status SwitchOff(const std::string& name) override;

 private:
  FunctionSwitch() = default;
  std::map<uintptr_t, std::string> names_;  // by where the code begins in memory
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_FUNCTION_SWITCH_H_
