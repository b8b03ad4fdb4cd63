// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pattern_switch.h"

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "workers/shared_text.h"

namespace tosaic {
absl::StatusOr<std::vector<Rewrite>> PatternSwitch::RanIn(absl::FunctionRef<void()> work) {
  SharedText shared;  // a line each, also of a process that dies
  if (!shared.IsShared()) return absl::UnavailableError(absl::StrCat("no shared memory: ", strerror(errno)));
  std::string lines;
  std::set<std::string> seen, without_trace;
  std::string pass;  // that is running, by its argument
  context_->registerActionHandler([&](llvm::function_ref<void()> act, const mlir::tracing::Action& action) {
    if (const auto* execution = llvm::dyn_cast<mlir::PassExecutionAction>(&action)) {
      const std::string outer = std::exchange(pass, execution->getPass().getArgument().str());
      act();
      pass = outer;
      return;
    }
    mlir::Operation* root = RootOfPattern(action);
    if (root == nullptr) return act();
    const std::string line = absl::StrCat(PatternName(action), "\t", pass, "\t", root->getName().getStringRef().str());
    const bool is_of_tosa = root->getName().getDialectNamespace() == "tosa";
    if (seen.contains(line)) return act();
    shared.Write(absl::StrCat(lines, line, "\n"));  // a pattern in which the process dies is among those that ran
    if (ChangedBy(act, root)) {
      seen.insert(line);
      absl::StrAppend(&lines, line, "\n");
    } else if (is_of_tosa && without_trace.insert(line).second) {
      absl::StrAppend(&lines, line, "\t-\n");
    }
    shared.Write(lines);
  });
  work();
  context_->registerActionHandler(nullptr);
  std::vector<Rewrite> ran;
  for (const absl::string_view line : absl::StrSplit(shared.Read(), '\n', absl::SkipEmpty())) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    ran.push_back({fields[0], fields[1], fields[2], fields.size() > 3});
  }
  return ran;
}

absl::Status PatternSwitch::SwitchOff(const std::string& name) {
  context_->registerActionHandler([name](llvm::function_ref<void()> act, const mlir::tracing::Action& action) {
    if (RootOfPattern(action) == nullptr || PatternName(action) != name) act();
  });
  return absl::OkStatus();
}

}  // namespace tosaic
