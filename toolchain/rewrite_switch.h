// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RewriteSwitch: tells which rewrites of the MLIR under test run (functions of ops, or patterns), and switches single
// ones off, to see which of them makes a case wrong.
#ifndef TOSAIC_TOOLCHAIN_REWRITE_SWITCH_H_
#define TOSAIC_TOOLCHAIN_REWRITE_SWITCH_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// A rewrite, and where it ran.
struct Rewrite {
  std::string name;  // "mlir::tosa::MulOp::fold"
  std::string pass;  // "canonicalize"; empty: not known
  std::string op;    // "tosa.mul"; empty: not known
  // A pattern that ran on an op of TOSA and changed nothing yet: it did not match, or it is one of a conversion, which
  // hands on values at its end.
  bool is_without_trace = false;

  bool operator==(const Rewrite&) const = default;
};

class RewriteSwitch {
 public:
  virtual ~RewriteSwitch() = default;

  // The reader's word for what is switched: "function".
  virtual absl::string_view kind() const = 0;
  // Those that ran while `work` did, in this process or in one that `work` forked and that may have died. Each place is
  // there once; their order is always the same. Error: they cannot be watched here.
  virtual absl::StatusOr<std::vector<Rewrite>> RanIn(absl::FunctionRef<void()> work) = 0;
  // From now on, in this process, the rewrite of this name does nothing, as if it did not match.
  virtual absl::Status SwitchOff(const std::string& name) = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_REWRITE_SWITCH_H_
