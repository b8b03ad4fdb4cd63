// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executor: runs a compiled program on guarded memory and copies out its results. It does not depend on MLIR: it calls
// an entry point of the C interface (`_mlir_ciface_main`), whatever produced it.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_EXECUTOR_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_EXECUTOR_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/observation.h"
#include "model/program.h"
#include "toolchain/execution/guarded_memory.h"
#include "toolchain/execution/library_calls.h"
#include "toolchain/execution/memref_descriptor.h"
#include "toolchain/execution/poison_maker.h"
#include "workers/signal_trap.h"

namespace tosaic {

inline constexpr double kSecondsOfShownRuns = 2;  // of CPU time

class Executor {
 public:
  // A function that generated code may call.
  struct Symbol {
    absl::string_view name;
    void* address;
  };
  // malloc and the like (guarded), libm, and the conversion helpers of f16 and bf16.
  static absl::Span<const Symbol> RuntimeSymbols();

  struct Options {
    bool count_leaks = false;  // the code frees what it allocates, so what is left over is a leak
    // The code allocates this many bytes more than it needs, for alignment; 0: exact sizes. It is ignored if a result
    // is unranked, because then the descriptor is allocated as well, and exactly.
    size_t alignment = 0;
    bool counts_stores = false;  // the code tells of each store (CountStores)
    // The functions of the external library that the code calls (DefineLibraryFunctions), and what computes them.
    std::vector<LibrarySignature> library;
    LibraryFunction library_function;  // REQUIRES: set if there is a library
    // The code tells which instructions made poison, and asks what to take it for (ShowPoison): every run is executed
    // twice, `unwritten` has what depends on the answer, and `poisoned_otherwise` the second one. Once all runs have
    // used up kSecondsOfShownRuns, SIGVTALRM ends them.
    bool shows_poison = false;
    std::vector<PoisonMaker> poison_makers;  // those instructions, by the numbers that the code tells
  };
  // Runs `entry` once per run of the case (for the first runs, and if a result shows poison, again with the other
  // poison and the buffers' other side at the guard) and appends to observation->runs. A fault, a signal or a bad free
  // ends the case and is recorded; the process survives. A run that prints something and aborts has stopped itself; the
  // next run follows. If the executor itself has no memory for a run, that is kToolFailure. After a run that ended
  // within the code, this process asks to be replaced (RetireProcess).
  void Execute(void* entry, const Case& test_case, const Options& options, Observation* observation);
  // Of code that shows its poison, how many times longer a run took than in the Execute before, which was of the same
  // case; 0 if that was not executed here. REQUIRES: the run was executed.
  double TimesLonger(size_t run) const;
  // Of the run executed last: the instructions that made poison, and of what.
  std::vector<std::string> PoisonInWords(const Options& options) const {
    return InWords(options.poison_makers, made_poison_);
  }

 private:
  void PrepareMemory();
  void ExecuteRuns(void* entry, const Case& test_case, const Options& options, Observation* observation);
  bool ExecuteRun(void* entry, const Case& test_case, size_t number, Placement placement, uint8_t poison,
                  const Options& options, RunObservation* result, Observation* observation);
  bool EndWithSignal(const TrappedSignal& trapped, Observation* observation);
  bool EndWithFailure(Observation* observation);

  void KeepElsewhere(const std::vector<ResultDescriptor>& results);
  void FindOverwritten(const std::vector<std::pair<size_t, ResultDescriptor>>& before, RunObservation* run);

  uint8_t poison_taken_for_ = 0;                                // each byte of it
  std::vector<MadePoison> made_poison_;                         // in the run executed last
  bool showed_poison_ = false;                                  // the Execute before
  double seconds_left_ = 0;                                     // for runs of code that shows its poison
  std::vector<double> seconds_, seconds_before_;                // of CPU time, by run; in the Execute before
  int64_t most_elements_ = 0;                                   // of a buffer of the case
  std::vector<std::pair<size_t, ResultDescriptor>> elsewhere_;  // results of the last run, by their index
  std::unique_ptr<GuardedMemory> memory_;
  pid_t memory_owner_ = 0;  // shared mappings must not be inherited across a fork
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_EXECUTOR_H_
