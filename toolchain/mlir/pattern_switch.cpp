// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pattern_switch.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "toolchain/mlir/pattern_hook.h"

namespace tosaic {
namespace {

// Lines of text that a process leaves to the one that forked it, also if it dies.
class SharedLines {
 public:
  static constexpr size_t kBytes = 1 << 20;

  SharedLines() : memory_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  SharedLines(const SharedLines&) = delete;
  ~SharedLines() {
    if (IsThere()) munmap(memory_, kBytes);
  }

  bool IsThere() const { return memory_ != MAP_FAILED; }
  // What there is no room for is dropped.
  void Add(const std::string& line) {
    std::atomic<size_t>& used = *static_cast<std::atomic<size_t>*>(memory_);
    const size_t at = used.load();
    if (sizeof(used) + at + line.size() + 1 > kBytes) return;
    std::memcpy(text() + at, line.data(), line.size());
    text()[at + line.size()] = '\n';
    used.store(at + line.size() + 1);
  }
  // Takes back what was added since `mark`.
  size_t Mark() const { return static_cast<std::atomic<size_t>*>(memory_)->load(); }
  void TakeBack(size_t mark) { static_cast<std::atomic<size_t>*>(memory_)->store(mark); }
  std::vector<std::string> Lines() const {
    const absl::string_view all(text(), static_cast<std::atomic<size_t>*>(memory_)->load());
    return absl::StrSplit(all, '\n', absl::SkipEmpty());
  }

 private:
  char* text() const { return static_cast<char*>(memory_) + sizeof(std::atomic<size_t>); }
  void* const memory_;
};

// The pass that is running, by its argument.
class RunningPass {
 public:
  // Whether the action is that of a pass, which has run then.
  bool Ran(llvm::function_ref<void()> act, const mlir::tracing::Action& action) {
    const auto* execution = llvm::dyn_cast<mlir::PassExecutionAction>(&action);
    if (execution == nullptr) return false;
    const std::string outer = std::exchange(name_, execution->getPass().getArgument().str());
    act();
    name_ = outer;
    return true;
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace

absl::StatusOr<std::vector<Rewrite>> PatternSwitch::RanIn(absl::FunctionRef<void()> work) {
  SharedLines lines;
  if (!lines.IsThere()) return absl::UnavailableError(absl::StrCat("no shared memory: ", strerror(errno)));
  std::set<std::string> seen;
  RunningPass pass;
  context_->registerActionHandler([&](llvm::function_ref<void()> act, const mlir::tracing::Action& action) {
    if (pass.Ran(act, action)) return;
    mlir::Operation* root = RootOfPattern(action);
    if (root == nullptr) return act();
    const std::string line =
        absl::StrCat(PatternName(action), "\t", pass.name(), "\t", root->getName().getStringRef().str());
    // A pattern in which the process dies is among those that ran.
    const size_t mark = lines.Mark();
    lines.Add(line);
    if (!ChangedBy(act, root) || !seen.insert(line).second) lines.TakeBack(mark);
  });
  work();
  context_->registerActionHandler(nullptr);
  std::vector<Rewrite> ran;
  for (const std::string& line : lines.Lines()) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    ran.push_back({.name = fields[0], .pass = fields[1], .op = fields[2]});
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
