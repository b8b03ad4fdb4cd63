#include "toolchain/executor.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "toolchain/runtime_symbols.h"

namespace tosaic {
namespace {

constexpr size_t kMaxPointerArguments = 16;
constexpr size_t kOperandSlots = 16;
constexpr size_t kAllocationSlots = 256;
constexpr size_t kLeastSlotBytes = 64 * 1024;
constexpr uint8_t kPoisons[] = {0xa5, 0x5c};

// ---- Faults: a signal during a run comes back to the executor instead of ending the process ----

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct Trap {
  sigjmp_buf resume;
  volatile sig_atomic_t armed = 0;
  volatile int signal = 0;
  void* volatile address = nullptr;
  volatile bool is_write = false;
};
Trap trap;
std::array<struct sigaction, kSignals.size()> previous_actions;

void OnSignal(int signal, siginfo_t* info, void* context) {
  if (trap.armed != 0) {
    trap.armed = 0;
    trap.signal = signal;
    trap.address = info->si_addr;
#if defined(__x86_64__)
    // Bit 1 of the page-fault error code: the access was a write.
    trap.is_write = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
#endif
    siglongjmp(trap.resume, 1);
  }
  // Not ours: hand on to whoever was there before (a fuzzer, a sanitizer), or die of it.
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, &previous_actions[i], nullptr);
  }
  raise(signal);
}

void InstallTrap() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  // Generated code may overflow the stack: handlers need their own.
  constexpr size_t kStackBytes = 64 * 1024;
  static uint8_t* stack = new uint8_t[kStackBytes];
  stack_t alternative = {.ss_sp = stack, .ss_flags = 0, .ss_size = kStackBytes};
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &previous_actions[i]);
}

// The C interface takes pointers only; surplus ones are ignored by the System V calling convention.
// Compiled code carries no type metadata for the function sanitizer.
__attribute__((no_sanitize("function"))) void Invoke(void* entry, const std::array<void*, kMaxPointerArguments>& a) {
  using Entry = void (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                         void*, void*, void*);
  reinterpret_cast<Entry>(entry)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                                 a[13], a[14], a[15]);
}

// ---- Memref descriptors: allocated, aligned, offset, sizes, strides, each one 64-bit word ----

using Words = std::vector<int64_t>;

Words DescriptorOf(const void* data, const std::vector<int64_t>& sizes) {
  const int64_t address = reinterpret_cast<int64_t>(data);
  Words words = {address, address, 0};
  words.insert(words.end(), sizes.begin(), sizes.end());
  int64_t stride = 1;
  for (size_t i = 0; i < sizes.size(); ++i) words.push_back(0);
  for (size_t i = sizes.size(); i-- > 0;) {
    words[3 + sizes.size() + i] = stride;
    stride *= sizes[i];
  }
  return words;
}

struct ResultDescriptor {
  uint8_t* allocated;
  uint8_t* aligned;
  int64_t offset;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  void* unranked_copy = nullptr;  // the descriptor itself, allocated by the callee, if the result is unranked
};

ResultDescriptor ReadDescriptor(const int64_t* words, size_t rank) {
  ResultDescriptor result;
  result.allocated = reinterpret_cast<uint8_t*>(words[0]);
  result.aligned = reinterpret_cast<uint8_t*>(words[1]);
  result.offset = words[2];
  result.sizes.assign(words + 3, words + 3 + rank);
  result.strides.assign(words + 3 + rank, words + 3 + 2 * rank);
  return result;
}

size_t WordsOf(const TensorType& type) { return type.shape.IsRanked() ? 3 + 2 * type.shape.rank() : 2; }

std::vector<ResultDescriptor> ReadResults(const Program& program, const Words& area) {
  std::vector<ResultDescriptor> results;
  size_t at = 0;
  for (ValueRef ref : program.results) {
    const TensorType type = TypeOf(program, ref);
    if (type.shape.IsRanked()) {
      results.push_back(ReadDescriptor(&area[at], type.shape.rank()));
    } else {
      void* copy = reinterpret_cast<void*>(area[at + 1]);
      results.push_back(ReadDescriptor(static_cast<const int64_t*>(copy), static_cast<size_t>(area[at])));
      results.back().unranked_copy = copy;
    }
    at += WordsOf(type);
  }
  return results;
}

// Copies the elements a descriptor names. Whether an element still holds the poison is only asked of memory that
// generated code allocated: operands and constants may hold any bytes.
ResultObservation CopyResult(const ResultDescriptor& from, ElementType type, bool allocated, uint8_t poison) {
  ResultObservation result;
  result.tensor = Tensor(type, from.sizes);
  const size_t width = StorageBytes(type);
  uint8_t* out = result.tensor.mutable_bytes().data();
  const size_t count = result.tensor.element_count();
  std::vector<int64_t> position(from.sizes.size(), 0);
  for (size_t i = 0; i < count; ++i, out += width) {
    int64_t element = from.offset;
    for (size_t d = 0; d < position.size(); ++d) element += position[d] * from.strides[d];
    std::memcpy(out, from.aligned + element * static_cast<int64_t>(width), width);
    if (allocated && std::all_of(out, out + width, [&](uint8_t byte) { return byte == poison; })) {
      result.unwritten.push_back(i);
    }
    for (size_t d = position.size(); d-- > 0;) {
      if (++position[d] < from.sizes[d]) break;
      position[d] = 0;
    }
  }
  return result;
}

bool HasPoison(const RunObservation& run) {
  return std::any_of(run.results.begin(), run.results.end(),
                     [](const ResultObservation& result) { return !result.unwritten.empty(); });
}

// What shows poison A in one execution and poison B in the other was never written. An element that merely
// changes with the poison was computed from memory that never was; it counts the same.
void KeepConfirmedPoison(const RunObservation& second, RunObservation* first) {
  for (size_t r = 0; r < first->results.size(); ++r) {
    ResultObservation& a = first->results[r];
    const ResultObservation& b = second.results[r];
    a.unwritten.clear();
    if (a.tensor.sizes() != b.tensor.sizes()) continue;
    for (size_t i = 0; i < a.tensor.element_count(); ++i) {
      if (a.tensor.RawBits(i) != b.tensor.RawBits(i)) a.unwritten.push_back(i);
    }
  }
}

}  // namespace

absl::Span<const Executor::Symbol> Executor::RuntimeSymbols() { return GuardedRuntimeSymbols(); }

GuardedMemory& Executor::MemoryFor(const Case& test_case) {
  size_t slot_bytes = kLeastSlotBytes;
  for (const Run& run : test_case.runs) {
    int64_t largest = 1;
    for (const Tensor& tensor : run) {
      slot_bytes = std::max(slot_bytes, tensor.bytes().size());
      largest = std::max<int64_t>(largest, static_cast<int64_t>(tensor.element_count()));
    }
    // A result broadcasts its operands: at most the product of the largest extents; 64 KiB covers usual cases.
    slot_bytes = std::max(slot_bytes, static_cast<size_t>(largest) * 16);
  }
  if (memory_ == nullptr || memory_owner_ != getpid() || memory_->slot_bytes() < slot_bytes) {
    // After a fork the mappings belong to the parent too; they are left alone there and here.
    if (memory_owner_ != getpid()) (void)memory_.release();
    memory_ = std::make_unique<GuardedMemory>(slot_bytes, kOperandSlots, kAllocationSlots);
    memory_owner_ = getpid();
  }
  return *memory_;
}

bool Executor::ExecuteRun(void* entry, const Program& program, const Run& run, Placement placement, uint8_t poison,
                          bool count_leaks, RunObservation* result, Observation* observation) {
  GuardedMemory& memory = *memory_;
  memory.BeginRun(placement, poison);
  SetRuntimeMemory(&memory);

  std::vector<Words> descriptors;
  for (size_t i = 0; i < run.size(); ++i) {
    descriptors.push_back(DescriptorOf(memory.AddOperand(run[i].bytes()), run[i].sizes()));
  }
  std::vector<std::array<int64_t, 2>> unranked(run.size());
  std::array<void*, kMaxPointerArguments> arguments = {};
  size_t result_words = 0;
  for (ValueRef ref : program.results) result_words += WordsOf(TypeOf(program, ref));
  Words area(result_words, 0);
  arguments[0] = area.data();
  for (size_t i = 0; i < run.size(); ++i) {
    arguments[i + 1] = descriptors[i].data();
    if (!program.arguments[i].shape.IsRanked()) {
      unranked[i] = {static_cast<int64_t>(run[i].sizes().size()), reinterpret_cast<int64_t>(descriptors[i].data())};
      arguments[i + 1] = unranked[i].data();
    }
  }

  // Everything between here and the disarming may be cut short by a signal; no destructor is skipped that matters:
  // the locals below are filled by code of our own only after the generated code has returned.
  std::vector<ResultDescriptor> results;
  if (sigsetjmp(trap.resume, 1) == 0) {
    trap.armed = 1;
    Invoke(entry, arguments);
    results = ReadResults(program, area);
    for (size_t i = 0; i < results.size(); ++i) {
      const ElementType type = TypeOf(program, program.results[i]).element_type;
      const int64_t count = ElementCount(results[i].sizes);
      if (count > static_cast<int64_t>(memory.slot_bytes())) {
        trap.armed = 0;
        observation->outcome = Outcome::kMemoryFault;
        observation->fault = MemoryFault{.region = absl::StrCat("result ", i, ", whose extents are ",
                                                                SizesToString(results[i].sizes))};
        return false;
      }
      result->results.push_back(CopyResult(results[i], type, memory.BytesFrom(results[i].aligned) > 0, poison));
    }
    trap.armed = 0;
  } else {
    tainted_ = true;
    std::optional<MemoryFault> fault;
    if (trap.signal == SIGSEGV || trap.signal == SIGBUS) fault = memory.Locate(trap.address, trap.is_write);
    observation->outcome = fault ? Outcome::kMemoryFault : Outcome::kSignal;
    observation->fault = fault;
    observation->signal = trap.signal;
    if (memory.ran_out()) observation->diagnostics.push_back("generated code ran out of guarded allocations");
    return false;
  }

  std::optional<MemoryFault> fault = memory.bad_free();
  if (!fault) fault = memory.FindSlackWrite();
  if (fault) {
    observation->outcome = Outcome::kMemoryFault;
    observation->fault = fault;
    return false;
  }
  if (count_leaks) {
    // The results' own buffers are the caller's; a buffer may be behind several results.
    std::vector<void*> own;
    for (const ResultDescriptor& descriptor : results) {
      own.push_back(descriptor.allocated);
      own.push_back(descriptor.unranked_copy);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (void* pointer : own) {
      if (memory.BytesFrom(pointer) > 0) memory.Free(pointer);
    }
    result->leaked_buffers = static_cast<int64_t>(memory.live_allocations());
  }
  return true;
}

void Executor::Execute(void* entry, const Case& test_case, bool count_leaks, Observation* observation) {
  const Program& program = test_case.program;
  if (program.arguments.size() + 1 > kMaxPointerArguments || program.arguments.size() > kOperandSlots) {
    observation->outcome = Outcome::kToolFailure;
    observation->diagnostics.push_back(absl::StrCat("the executor takes up to ", kMaxPointerArguments - 1,
                                                    " arguments, the program has ", program.arguments.size()));
    return;
  }
  InstallTrap();
  MemoryFor(test_case);
  for (size_t i = 0; i < test_case.runs.size(); ++i) {
    const Placement placement = i % 2 == 0 ? Placement::kEndsAtGuard : Placement::kBeginsAtGuard;
    auto execute = [&](uint8_t poison, RunObservation* run) {
      return ExecuteRun(entry, program, test_case.runs[i], placement, poison, count_leaks, run, observation);
    };
    RunObservation run;
    if (!execute(kPoisons[0], &run)) return;
    if (HasPoison(run)) {
      RunObservation second;
      if (!execute(kPoisons[1], &second)) return;
      KeepConfirmedPoison(second, &run);
    }
    observation->runs.push_back(std::move(run));
  }
}

}  // namespace tosaic
