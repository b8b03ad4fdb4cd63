// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison_search.h"

#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "model/counted.h"
#include "toolchain/execution/llvm_ir_text.h"
#include "toolchain/execution/poison.h"

namespace tosaic {
namespace {

// Code that runs this many times as long with its poison shown is taken not to end: showing costs less.
constexpr double kTimesLongerWithoutEnd = 1000;

// Takes over which elements of a result changed with what poison is taken for, and what they were otherwise.
void AddPoisonOf(const ResultObservation& shown, ResultObservation* result) {
  if (shown.tensor.sizes() != result->tensor.sizes()) {
    result->poisoned.resize(result->tensor.element_count());
    std::iota(result->poisoned.begin(), result->poisoned.end(), 0);
    return;
  }
  result->poisoned = shown.unwritten;
  result->poisoned_otherwise = shown.poisoned_otherwise;
  for (size_t i = 0; i < result->poisoned_otherwise.size(); ++i) {
    const uint64_t first = shown.tensor.RawBits(result->poisoned[i]);
    if (first != result->tensor.RawBits(result->poisoned[i])) result->poisoned_otherwise[i] = first;
  }
}

// The constants that are poison or undef: of those, no run tells which it has read.
std::vector<std::string> ConstantsInWords(const std::vector<std::string>& instructions) {
  constexpr size_t kNamed = 2;
  std::vector<std::string> words;
  for (size_t i = 0; i < std::min(instructions.size(), kNamed); ++i) {
    words.push_back(absl::StrCat("a constant of ", instructions[i]));
  }
  const size_t more = instructions.size() - words.size();
  if (more > 0) words.push_back(absl::StrCat("of one of ", Counted(more, "other instruction")));
  return words;
}

// A run that then does not end has made poison that it depends on.
bool EndsOfPoison(const Observation& shown, const Executor& executor) {
  const bool is_out_of_time = shown.outcome == Outcome::kSignal && shown.signal == SIGVTALRM;
  if (is_out_of_time) return executor.TimesLonger(shown.run) >= kTimesLongerWithoutEnd;
  return shown.outcome == Outcome::kMemoryFault || shown.outcome == Outcome::kSignal ||
         shown.outcome == Outcome::kOutOfMemory;
}

// Adds the poison that the runs of the instrumented code showed to the observation of the plain code.
void AddPoison(const Observation& shown, const Executor& executor, const Executor::Options& options,
               const std::vector<std::string>& constants, Observation* observation) {
  std::vector<RunObservation>& runs = observation->runs;
  for (size_t i = 0; i < std::min(shown.runs.size(), runs.size()); ++i) {
    if (shown.runs[i].results.size() != runs[i].results.size()) continue;
    for (size_t r = 0; r < runs[i].results.size(); ++r) {
      AddPoisonOf(shown.runs[i].results[r], &runs[i].results[r]);
      if (runs[i].results[r].poisoned.empty()) continue;
      runs[i].poison = shown.runs[i].poison;
      if (runs[i].poison.empty()) runs[i].poison = ConstantsInWords(constants);
    }
  }
  if (shown.runs.size() >= runs.size()) return;
  std::vector<std::string> makers = executor.PoisonInWords(options);
  if (makers.empty()) makers = ConstantsInWords(constants);
  const bool is_of_poison = EndsOfPoison(shown, executor) && !makers.empty();
  if (!is_of_poison || shown.runs.size() + 1 < runs.size()) {
    observation->poison_unseen.push_back(is_of_poison ? "runs behind one that ends" : "runs that end otherwise");
  }
  if (!is_of_poison) return;
  RunObservation& ended = runs[shown.runs.size()];
  ended.poison = makers;
  for (ResultObservation& result : ended.results) {
    result.poisoned.resize(result.tensor.element_count());
    std::iota(result.poisoned.begin(), result.poisoned.end(), 0);
  }
}

}  // namespace

std::unique_ptr<llvm::Module> ModuleFor(Jit& jit, const llvm::Module& module) {
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  llvm::Expected<std::unique_ptr<llvm::Module>> read =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef({bytes.data(), bytes.size()}, "module"), jit.context());
  if (read) {
    jit.Fit(**read);
    return std::move(*read);
  }
  llvm::consumeError(read.takeError());
  return nullptr;
}

std::unique_ptr<llvm::Module> ModuleFor(Jit& jit, const std::string& text) {
  absl::StatusOr<std::unique_ptr<llvm::Module>> module = ReadLlvmIr(text, jit.context());
  if (!module.ok() || llvm::verifyModule(**module)) return nullptr;
  jit.Fit(**module);
  return *std::move(module);
}

void SearchForPoison(Jit& jit, std::unique_ptr<llvm::Module> module, CompiledProgram program, const Case& test_case,
                     Executor& executor, Observation* observation) {
  PoisonMakers makers = ShowPoison(*module);
  observation->poison_unseen.assign(makers.not_understood.begin(), makers.not_understood.end());
  if (makers.instructions.empty() && makers.constants.empty()) return;
  absl::StatusOr<Jit::CompiledModule> compiled = jit.Compile(std::move(module), program.entry);
  if (!compiled.ok()) {
    observation->poison_unseen.push_back("code that does not compile with its poison shown");
    return;
  }
  program.options.shows_poison = true;
  program.options.poison_makers = std::move(makers.instructions);
  Observation shown;
  executor.Execute(compiled->entry(), test_case, program.options, &shown);
  AddPoison(shown, executor, program.options, makers.constants, observation);
}

}  // namespace tosaic
