// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/tool_calls.h"

#include <algorithm>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/Config/llvm-config.h"
#include "model/routes.h"
#include "toolchain/external/kept_tool_end.h"
#include "toolchain/external/tool_output.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// Whether the error is about the command line, and not about the module.
bool IsOfTheCommandLine(const std::string& error) {
  return absl::StrContains(error, "does not refer to a registered pass") ||
         absl::StrContains(error, "failed to add `") || absl::StrContains(error, "pass pipeline");
}

}  // namespace

ToolAnswer Ended(const ToolEnd& end, absl::string_view tool) {
  ToolAnswer answer;
  switch (end.how) {
    case ToolEnd::How::kNotStarted:
      answer.errors = {absl::StrCat(tool, " does not run: ", FirstLine(end.err))};
      break;
    case ToolEnd::How::kTooMuchOutput:
      answer.errors = {absl::StrCat(tool, " does not stop printing")};
      break;
    case ToolEnd::How::kDeadline:
      answer.how = Outcome::kDeadline;
      break;
    case ToolEnd::How::kSignal:
      answer.how = absl::StrContains(end.err, "out of memory") || absl::StrContains(end.err, "bad_alloc")
                       ? Outcome::kOutOfMemory
                       : Outcome::kSignal;
      if (IsSignalFromOutside(end.status)) {
        answer.how = Outcome::kToolFailure;
        answer.errors = {KilledFromOutside(end.status)};
        break;
      }
      answer.signal = answer.how == Outcome::kSignal ? end.status : 0;
      answer.errors = LastWords(end.err);
      if (answer.how == Outcome::kOutOfMemory && end.cramped) {
        answer.how = Outcome::kToolFailure;
        answer.errors.insert(answer.errors.begin(), absl::StrCat(tool, " has less memory than it may take (ulimit)"));
      }
      break;
    case ToolEnd::How::kExited:
      break;
  }
  return answer;
}

std::string FirstLine(absl::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

ToolQuestion ToolCalls::Verification() const {
  return {{tools_.opt, "--split-input-file", "--mlir-disable-threading", "--mlir-print-op-on-diagnostic=false"},
          SplitModules,
          "func"};
}

ToolQuestion ToolCalls::Passes(absl::string_view pipeline, std::vector<std::string> more) const {
  ToolQuestion question = Verification();
  const auto add = [&](absl::string_view passes, std::vector<std::string>* call) {
    call->insert(call->end(), arguments_.begin(), arguments_.end());
    call->push_back(absl::StrCat("--pass-pipeline=", passes));
    call->insert(call->end(), more.begin(), more.end());
  };
  absl::StatusOr<Halves> halves;
  if (tools_.dated) halves = SplitAtBuffers(pipeline, passes_);
  const bool is_split = tools_.dated && halves.ok() && absl::c_all_of(halves->lost, IsForOtherShapes);
  if (is_split && !halves->second.empty()) {
    question.then = question.arguments;
    question.then.front() = tools_.second_opt;
    add(halves->second, &question.then);
    question.arguments.push_back("--mlir-print-op-generic");  // whose text changes least from version to version
    // In hexadecimal digits an i1 is a bit in MLIR 22, and a byte in newer versions.
    question.arguments.push_back("--mlir-print-elementsattrs-with-hex-if-larger=-1");
  }
  add(is_split ? halves->first : std::string(pipeline), &question.arguments);
  return question;
}

ToolQuestion ToolCalls::Translation() const {
  return {{tools_.translate, "--split-input-file", "--allow-unregistered-dialect", "--mlir-to-llvmir"},
          SplitLlvmModules,
          "define "};
}

ToolEnd ToolCalls::RunWithin(const ToolLimits& limits, const std::vector<std::string>& arguments,
                             absl::string_view input) const {
  return RunToolKept(arguments.front() == tools_.opt ? kept_in_ : "", arguments, input, limits);
}

// Every module's answer, if the tool ended as it should and it is clear which module each error is about.
std::optional<std::vector<ToolAnswer>> ToolCalls::AskTogether(const ToolQuestion& question,
                                                              absl::Span<const std::string> modules) const {
  // A module takes milliseconds. One that hangs is found by halving, and must not cost a case's whole limit in each
  // half.
  ToolLimits limits = limits_;
  limits.cpu_seconds = std::min(limits.cpu_seconds, 2 + static_cast<int>(modules.size() / 16));
  const ToolEnd end = RunWithin(limits, question.arguments, JoinModules(modules));
  if (end.how != ToolEnd::How::kExited) return std::nullopt;
  std::vector<std::string> outputs = question.split(end.out);
  if (outputs.size() != modules.size()) return std::nullopt;
  std::vector<ToolAnswer> answers(modules.size());
  for (ToolError& error : ErrorsIn(end.err, modules)) {
    if (!error.module) return std::nullopt;
    answers[*error.module].errors.push_back(std::move(error.message));
  }
  bool all_made = true;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (outputs[i].empty() == answers[i].errors.empty()) return std::nullopt;
    if (!outputs[i].empty() && !absl::StrContains(outputs[i], question.marks)) return std::nullopt;
    answers[i].how = outputs[i].empty() ? Outcome::kRefused : Outcome::kCompleted;
    answers[i].module = std::move(outputs[i]);
    all_made &= answers[i].how == Outcome::kCompleted;
  }
  if ((end.status == 0) != all_made) return std::nullopt;
  return answers;
}

ToolAnswer ToolCalls::AskAlone(const ToolQuestion& question, const std::string& module) const {
  return Ask(question, {&module, 1}).front();
}

// A pass may fail without a word, but not without its dump. Empty: none did.
std::vector<std::string> ToolCalls::SilentFailure(ToolQuestion question, const std::string& module) const {
  question.arguments.push_back("--mlir-print-ir-after-failure");
  const std::optional<IrDump> dump = FailedPass(RunWithin(limits_, question.arguments, module).err);
  if (!dump) return {};
  return {absl::StrCat("the pass ", dump->pass, " fails and does not say why")};
}

ToolAnswer ToolCalls::AskFirstAlone(const ToolQuestion& question, const std::string& module) const {
  const ToolEnd end = RunWithin(limits_, question.arguments, module);
  const std::string tool = std::filesystem::path(question.arguments.front()).filename().string();
  if (end.how != ToolEnd::How::kExited) return Ended(end, tool);
  ToolAnswer answer;
  for (ToolError& error : ErrorsIn(end.err, {module})) answer.errors.push_back(std::move(error.message));
  if (absl::c_any_of(answer.errors, IsOfTheCommandLine)) return answer;
  std::vector<std::string> outputs = question.split(end.out);
  const std::string only = outputs.size() == 1 ? std::move(outputs.front()) : "";
  if (end.status == 0 && answer.errors.empty() && absl::StrContains(only, question.marks)) {
    answer.how = Outcome::kCompleted;
    answer.module = only;
    return answer;
  }
  if (end.status == 1 && answer.errors.empty() && only.empty()) answer.errors = SilentFailure(question, module);
  if (end.status == 1 && !answer.errors.empty() && only.empty()) {
    answer.how = Outcome::kRefused;
    return answer;
  }
  answer.errors.insert(answer.errors.begin(), absl::StrCat(tool, " ended with status ", end.status,
                                                           " and printed neither a module nor an error",
                                                           end.err.empty() ? "" : ": ", FirstLine(end.err)));
  return answer;
}

std::vector<ToolAnswer> ToolCalls::Ask(const ToolQuestion& question, absl::Span<const std::string> modules) const {
  std::vector<ToolAnswer> answers = AskFirst(question, modules);
  if (question.then.empty()) return answers;
  std::vector<ToolAnswer*> continued;
  std::vector<std::string> left;
  for (ToolAnswer& answer : answers) {
    if (answer.how != Outcome::kCompleted) continue;
    continued.push_back(&answer);
    left.push_back(std::move(answer.module));
  }
  std::vector<ToolAnswer> ends = AskFirst({question.then, question.split, question.marks, {}}, left);
  for (size_t i = 0; i < continued.size(); ++i) {
    if (ends[i].how == Outcome::kRefused || ends[i].how == Outcome::kSignal) ends[i].unread = WhyUnread(left[i]);
    *continued[i] = std::move(ends[i]);
  }
  return answers;
}

// Empty: the second half reads the module before any pass, or the build itself does not read what it printed.
std::string ToolCalls::WhyUnread(const std::string& module) const {
  ToolQuestion reading = Verification();
  if (AskFirstAlone(reading, module).how != Outcome::kCompleted) return "";
  reading.arguments.front() = tools_.second_opt;
  const ToolAnswer answer = AskFirstAlone(reading, module);
  if (answer.how != Outcome::kRefused && answer.how != Outcome::kSignal) return "";
  return absl::StrCat("LLVM " LLVM_VERSION_STRING ", which lowers on from buffers, does not read what ", tools_.name(),
                      " leaves: ", answer.errors.empty() ? "it dies" : answer.errors.front());
}

// All at once, or by halves, down to the one that is to blame.
std::vector<ToolAnswer> ToolCalls::AskFirst(const ToolQuestion& question, absl::Span<const std::string> modules) const {
  if (modules.empty()) return {};
  if (modules.size() == 1) return {AskFirstAlone(question, modules.front())};
  if (std::optional<std::vector<ToolAnswer>> answers = AskTogether(question, modules)) return *std::move(answers);
  const size_t half = modules.size() / 2;
  std::vector<ToolAnswer> answers = AskFirst(question, modules.first(half));
  for (ToolAnswer& answer : AskFirst(question, modules.subspan(half))) answers.push_back(std::move(answer));
  return answers;
}

ToolEnd ToolCalls::Run(const ToolQuestion& question, absl::string_view input) const {
  ToolEnd end = RunTool(question.arguments, input, limits_);
  if (question.then.empty() || end.how != ToolEnd::How::kExited || end.status != 0) return end;
  ToolEnd second = RunTool(question.then, end.out, limits_);
  second.err.insert(0, end.err);
  return second;
}

}  // namespace tosaic
