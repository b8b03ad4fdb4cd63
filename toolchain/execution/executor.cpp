// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/executor.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/program.h"
#include "toolchain/execution/buffer_bounds.h"
#include "toolchain/execution/memref_descriptor.h"
#include "toolchain/execution/runtime_symbols.h"
#include "toolchain/progress.h"
#include "workers/signal_trap.h"

namespace tosaic {
namespace {

constexpr size_t kMaxPointerArguments = kMostArgumentsOfRuns + 1;  // and one for the results
constexpr size_t kAllocationSlots = 256;
constexpr size_t kMostBytesOfRun = size_t{2} << 30;  // in large buffers; operands and allocations together
constexpr uint8_t kPoisons[] = {0xa5, 0x5c};
// Runs executed with the second poison in any case: what was computed from memory never written need not show it. Their
// buffers then touch the guard on the other side, so that these runs show what lies beyond either.
constexpr size_t kRunsRepeated = 2;

using Arguments = std::array<void*, kMaxPointerArguments>;

// The C interface takes pointers only; surplus ones are ignored by the System V calling convention.
// Compiled code carries no type metadata for the function sanitizer.
template <size_t... kIndices>
__attribute__((no_sanitize("function"))) void Call(void* entry, const Arguments& a, std::index_sequence<kIndices...>) {
  using Entry = void (*)(std::tuple_element_t<kIndices, Arguments>...);
  reinterpret_cast<Entry>(entry)(a[kIndices]...);
}
void Invoke(void* entry, const Arguments& arguments) {
  Call(entry, arguments, std::make_index_sequence<kMaxPointerArguments>());
}

// The arguments of a call of the C interface: the area for the results' descriptors, then a descriptor per operand.
class CallFrame {
 public:
  CallFrame(const Program& program, const Run& run, GuardedMemory* memory) : unranked_(run.size()) {
    size_t result_words = 0;
    for (ValueRef ref : program.results) result_words += WordsOf(TypeOf(program, ref));
    area_.assign(result_words, 0);
    arguments_[0] = area_.data();
    for (size_t i = 0; i < run.size(); ++i) {
      descriptors_.push_back(DescriptorOf(memory->AddOperand(run[i].bytes()), run[i].sizes()));
      arguments_[i + 1] = descriptors_[i].data();
      if (program.arguments[i].shape.IsRanked()) continue;
      unranked_[i] = {static_cast<int64_t>(run[i].sizes().size()), reinterpret_cast<int64_t>(descriptors_[i].data())};
      arguments_[i + 1] = unranked_[i].data();
    }
  }
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;

  const Arguments& arguments() const { return arguments_; }
  const DescriptorWords& area() const { return area_; }

 private:
  DescriptorWords area_;
  std::vector<DescriptorWords> descriptors_;
  std::vector<std::array<int64_t, 2>> unranked_;
  Arguments arguments_ = {};
};

// Elements that consist of the poison alone. Asked only of memory that generated code allocated: operands and
// constants may hold any bytes.
std::vector<uint64_t> PoisonedElements(const Tensor& tensor, uint8_t poison) {
  std::vector<uint64_t> poisoned;
  const size_t width = static_cast<size_t>(StorageBytes(tensor.element_type()));
  const uint8_t* element = tensor.bytes().data();
  for (size_t i = 0; i < tensor.element_count(); ++i, element += width) {
    if (std::all_of(element, element + width, [&](uint8_t byte) { return byte == poison; })) poisoned.push_back(i);
  }
  return poisoned;
}

Placement Other(Placement placement) {
  return placement == Placement::kEndsAtGuard ? Placement::kBeginsAtGuard : Placement::kEndsAtGuard;
}

bool HasPoison(const RunObservation& run) {
  return absl::c_any_of(run.results, [](const ResultObservation& result) { return !result.unwritten.empty(); });
}

double CpuSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// An element that shows poison A in one execution and poison B in the other was never written. An element that merely
// changes with the poison was computed from memory that never was; it counts the same. `shows_poison`: of a result
// whose sizes change, all elements do.
void KeepConfirmedPoison(const RunObservation& second, bool shows_poison, RunObservation* first) {
  for (size_t r = 0; r < first->results.size(); ++r) {
    ResultObservation& a = first->results[r];
    const ResultObservation& b = second.results[r];
    a.unwritten.clear();
    const bool fits = a.tensor.sizes() == b.tensor.sizes();
    if (fits ? a.tensor == b.tensor : !shows_poison) continue;
    for (size_t i = 0; i < a.tensor.element_count(); ++i) {
      if (fits && a.tensor.StoredBits(i) == b.tensor.StoredBits(i)) continue;
      a.unwritten.push_back(i);
      if (fits && shows_poison) a.poisoned_otherwise.push_back(b.tensor.RawBits(i));
    }
  }
}

// The elements whose memory was not stored to exactly once. REQUIRES: the result lies in an allocation.
std::vector<StoreCount> NotStoredOnce(const ResultDescriptor& result, ElementType type, const GuardedMemory& memory) {
  const size_t stored = static_cast<size_t>((BitWidth(type) + 7) / 8);
  std::vector<StoreCount> counts;
  size_t index = 0;
  for (const uint8_t* element : ElementAddresses(result, type)) {
    uint32_t least = memory.StoresTo(element), most = least;
    for (size_t byte = 1; byte < stored; ++byte) {
      const uint32_t stores = memory.StoresTo(element + byte);
      least = std::min(least, stores);
      most = std::max(most, stores);
    }
    if (least != 1 || most != 1) counts.push_back({.element = index, .stores = least == 0 ? 0 : most});
    ++index;
  }
  return counts;
}

bool End(std::optional<MemoryFault> fault, Observation* observation) {
  observation->outcome = Outcome::kMemoryFault;
  observation->fault = std::move(fault);
  return false;
}

bool Fail(Outcome outcome, std::string diagnostic, Observation* observation) {
  observation->outcome = outcome;
  observation->diagnostics.push_back(std::move(diagnostic));
  return false;
}

// The fault of a run that damaged memory without a signal.
std::optional<MemoryFault> FindSilentFault(const GuardedMemory& memory, const std::vector<ResultDescriptor>& results) {
  if (memory.bad_free()) return memory.bad_free();
  for (const ResultDescriptor& result : results) {
    if (std::optional<MemoryFault> fault = memory.FindFreed(result.aligned)) return fault;
  }
  return memory.FindSlackWrite();
}

bool HasElements(const ResultDescriptor& result) { return ElementCount(result.sizes) > 0; }

// Gives back the results' own buffers, which are the caller's; a buffer may be behind several results. Says which are
// not. What is left was lost.
void CountLeaks(const std::vector<ResultDescriptor>& results, GuardedMemory* memory, RunObservation* run) {
  std::set<const uint8_t*> released;
  for (size_t i = 0; i < results.size(); ++i) {
    const ResultDescriptor& result = results[i];
    const bool is_owned = memory->Release(result.allocated) || released.contains(result.allocated);
    if (is_owned) released.insert(result.allocated);
    if (!is_owned && HasElements(result)) run->results[i].not_owned = memory->NameOf(result.aligned);
    memory->Release(result.unranked_copy);
  }
  run->leaked_buffers = static_cast<int64_t>(memory->live_allocations());
}

// Says why a case is too large for the executor; empty if it is not.
std::string WhyTooLarge(const Case& test_case) {
  const size_t arguments = test_case.program.arguments.size();
  if (arguments > kMostArgumentsOfRuns) {
    return absl::StrCat("the executor takes up to ", kMostArgumentsOfRuns, " arguments, the program has ", arguments);
  }
  if (LargestBuffer(test_case) <= kMostBufferBytes) return "";
  return absl::StrCat("the executor takes tensors of up to ", kMostBufferBytes / sizeof(int64_t), " elements");
}

}  // namespace

void Executor::PrepareMemory() {
  if (memory_ != nullptr && memory_owner_ == getpid() && memory_->failure().empty()) return;
  // After a fork the mappings belong to the parent too; they are left alone there and here.
  if (memory_owner_ != getpid()) (void)memory_.release();
  memory_ = std::make_unique<GuardedMemory>(kSlotBytes, kMostArgumentsOfRuns, kAllocationSlots, kMostBytesOfRun);
  memory_owner_ = getpid();
}

bool Executor::ExecuteRun(void* entry, const Case& test_case, size_t number, Placement placement, uint8_t poison,
                          const Options& options, RunObservation* result, Observation* observation) {
  const Program& program = test_case.program;
  GuardedMemory& memory = *memory_;
  const size_t most_bytes = static_cast<size_t>(most_elements_) + options.alignment;
  memory.BeginRun(placement, poison, options.alignment, options.counts_stores, most_bytes);
  LibraryCaller library(program, options.library, options.library_function, most_elements_, memory);
  SetRuntime(&memory, &library, poison_taken_for_, &made_poison_);
  const CallFrame frame(program, test_case.runs[number], &memory);
  if (!memory.failure().empty()) return EndWithFailure(observation);
  absl::StatusOr<std::vector<ResultDescriptor>> results;
  const double begun = CpuSeconds();
  const std::optional<TrappedSignal> trapped = RunTrapped([&] {
    SetOwnWork(false);
    if (options.shows_poison) LeaveBodyAfter(seconds_left_);
    Invoke(entry, frame.arguments());
    if (options.shows_poison) LeaveBodyAfter(0);
    SetOwnWork(true);
    results = ReadResults(program, frame.area(), most_elements_);
    if (!results.ok()) return;
    for (size_t i = 0; i < results->size(); ++i) {
      ResultObservation copy;
      copy.tensor = CopyElements((*results)[i], ElementTypeOf(program, program.results[i]));
      const bool allocated = memory.BytesFrom((*results)[i].aligned) > 0;
      if (allocated) copy.unwritten = PoisonedElements(copy.tensor, poison);
      if (allocated && options.counts_stores) {
        copy.not_stored_once = NotStoredOnce((*results)[i], copy.tensor.element_type(), memory);
      }
      result->results.push_back(std::move(copy));
    }
  });
  SetOwnWork(true);
  if (options.shows_poison) LeaveBodyAfter(0);
  seconds_[number] = CpuSeconds() - begun;
  seconds_left_ = std::max(seconds_left_ - seconds_[number], 0.001);
  result->stopped = TakeRuntimeMessage();
  if (!memory.failure().empty()) return EndWithFailure(observation);
  if (trapped && trapped->signal == SIGABRT && !result->stopped.empty()) {
    result->results.clear();
    return true;
  }
  if (trapped) return EndWithSignal(*trapped, observation);
  if (!results.ok()) return End(MemoryFault{.region = std::string(results.status().message())}, observation);
  if (std::optional<MemoryFault> fault = FindSilentFault(memory, *results)) return End(fault, observation);
  result->library_calls = library.Take();
  if (options.counts_stores) result->uneven_stores = memory.FindUnevenStores();
  KeepElsewhere(*results);
  if (options.count_leaks) CountLeaks(*results, &memory, result);
  return true;
}

// Remembers the results that are neither of this run's memory nor its operands'.
void Executor::KeepElsewhere(const std::vector<ResultDescriptor>& results) {
  elsewhere_.clear();
  for (size_t i = 0; i < results.size(); ++i) {
    const ResultDescriptor& result = results[i];
    if (HasElements(result) && memory_->NameOf(result.aligned) == kNobodysMemory) elsewhere_.emplace_back(i, result);
  }
}

// Whether those of the run before are still what they were, behind another call.
void Executor::FindOverwritten(const std::vector<std::pair<size_t, ResultDescriptor>>& before, RunObservation* run) {
  for (const auto& [index, descriptor] : before) {
    ResultObservation& result = run->results[index];
    Tensor now;
    const auto trapped = RunTrapped([&] { now = CopyElements(descriptor, result.tensor.element_type()); });
    result.overwritten = trapped || now != result.tensor;
  }
}

// The code may have been left anywhere.
bool Executor::EndWithFailure(Observation* observation) {
  RetireProcess();
  return Fail(Outcome::kToolFailure, memory_->failure(), observation);
}

bool Executor::EndWithSignal(const TrappedSignal& trapped, Observation* observation) {
  RetireProcess();
  if ((trapped.signal == SIGSEGV || trapped.signal == SIGBUS) && !trapped.overflows_stack) {
    std::optional<MemoryFault> fault = memory_->FindFreed(trapped.address);
    if (!fault) fault = memory_->Locate(trapped.address, trapped.is_write);
    if (!fault && !memory_->asked_for_too_much()) fault = MemoryFault{.region = std::string(kNobodysMemory)};
    if (fault) {
      fault->is_write = trapped.is_write;
      observation->signal = trapped.signal;
      return End(fault, observation);
    }
  }
  if (memory_->asked_for_too_much()) {
    return Fail(Outcome::kOutOfMemory, "generated code asked for more memory than any buffer of the case takes",
                observation);
  }
  observation->outcome = Outcome::kSignal;
  observation->signal = trapped.signal;
  return false;
}

void Executor::Execute(void* entry, const Case& test_case, const Options& options, Observation* observation) {
  SetOwnWork(true);
  if (std::string why = WhyTooLarge(test_case); !why.empty()) {
    Fail(Outcome::kToolFailure, std::move(why), observation);
    return;
  }
  PrepareMemory();
  most_elements_ = static_cast<int64_t>(LargestBuffer(test_case));
  Options own = options;
  const auto is_unranked = [&](ValueRef value) { return !TypeOf(test_case.program, value).shape.IsRanked(); };
  if (absl::c_any_of(test_case.program.results, is_unranked)) own.alignment = 0;
  ExecuteRuns(entry, test_case, own, observation);
  memory_->Forget();
}

void Executor::ExecuteRuns(void* entry, const Case& test_case, const Options& options, Observation* observation) {
  elsewhere_.clear();
  seconds_before_ = std::exchange(seconds_, std::vector<double>(test_case.runs.size()));
  // Not of another case, which was executed elsewhere at first.
  if (std::exchange(showed_poison_, options.shows_poison)) seconds_before_.clear();
  seconds_left_ = kSecondsOfShownRuns;
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    EnterRun(static_cast<uint32_t>(i));
    observation->run = static_cast<uint32_t>(i);
    const auto before = std::exchange(elsewhere_, {});
    made_poison_.clear();
    poison_taken_for_ = kPoisons[0];
    RunObservation run;
    const Placement placement = i % 2 == 0 ? Placement::kEndsAtGuard : Placement::kBeginsAtGuard;
    if (!ExecuteRun(entry, test_case, i, placement, kPoisons[0], options, &run, observation)) return;
    if (!before.empty()) FindOverwritten(before, &observation->runs.back());
    if (run.stopped.empty() && (i < kRunsRepeated || HasPoison(run) || options.shows_poison)) {
      poison_taken_for_ = kPoisons[1];
      // Code that shows its poison must see nothing else change; the plain code has shown its accesses.
      const uint8_t of_memory = options.shows_poison ? kPoisons[0] : kPoisons[1];
      const Placement other = options.shows_poison ? placement : Other(placement);
      for (const Placement where : {other, placement}) {
        RunObservation second;
        if (!ExecuteRun(entry, test_case, i, where, of_memory, options, &second, observation)) return;
        if (second.results.size() == run.results.size()) KeepConfirmedPoison(second, options.shows_poison, &run);
        if (where == placement || !HasPoison(run)) break;  // what differs may do so because of the addresses alone
      }
    }
    run.poison = PoisonInWords(options);
    observation->runs.push_back(std::move(run));
  }
  observation->run = 0;
}

double Executor::TimesLonger(size_t run) const {
  constexpr double kLeastSeconds = 1e-3;  // what a clock of the CPU's time tells for sure
  return run < seconds_before_.size() ? seconds_[run] / std::max(seconds_before_[run], kLeastSeconds) : 0;
}

}  // namespace tosaic
