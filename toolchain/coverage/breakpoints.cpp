// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/breakpoints.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/sort_unique.h"

namespace tosaic {
namespace {

constexpr uint8_t kBreakpoint = 0xcc;
constexpr int kCode = PROT_READ | PROT_EXEC;

// Whole pages of code; `begin` and `end` are addresses.
struct Pages {
  uintptr_t begin = 0, end = 0;
};

// The pages of these addresses, which ascend. A few pages between two of them belong to the same code: fewer areas of
// memory are cheaper to fork.
std::vector<Pages> PagesOf(absl::Span<const uintptr_t> addresses) {
  const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t gap = 8 * size;
  std::vector<Pages> pages;
  for (const uintptr_t address : addresses) {
    const uintptr_t begin = address / size * size;
    if (pages.empty() || begin > pages.back().end + gap) pages.push_back({begin, begin});
    pages.back().end = begin + size;
  }
  return pages;
}

// The code stays executable, for it may be this function's own.
absl::Status Protect(absl::Span<const Pages> pages, int protection) {
  for (const auto& [begin, end] : pages) {
    if (mprotect(reinterpret_cast<void*>(begin), end - begin, protection) != 0) {
      return absl::FailedPreconditionError(absl::StrCat("code cannot be made writable: ", strerror(errno)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteCode(uintptr_t address, absl::Span<const uint8_t> code) {
  const std::vector<Pages> pages = PagesOf({address, address + code.size() - 1});
  TOSAIC_RETURN_IF_ERROR(Protect(pages, kCode | PROT_WRITE));
  std::memcpy(reinterpret_cast<void*>(address), code.data(), code.size());
  return Protect(pages, kCode);
}

// The data that the handler reads.
struct Breakpoints::State {
  std::vector<uintptr_t> addresses;  // ascending
  std::vector<Pages> pages;          // of the addresses
  std::vector<uint8_t> first_bytes;
  std::vector<bool> is_disarmed;         // for good
  std::atomic<uint8_t>* seen = nullptr;  // shared by all processes
  std::vector<uint32_t> hits;            // of this process since they were taken; as long as there are addresses
  std::atomic<size_t> hit_count = 0;
  struct sigaction previous = {};

  static State* current;

  // Its page is writable while the object lives.
  void Write(size_t i, uint8_t byte) const { *reinterpret_cast<volatile uint8_t*>(addresses[i]) = byte; }
  bool IsArmed(size_t i) const { return *reinterpret_cast<const volatile uint8_t*>(addresses[i]) == kBreakpoint; }
  void Arm(absl::Span<const uint32_t> which) const {
    for (const uint32_t i : which) Write(i, kBreakpoint);
  }
  void Disarm(absl::Span<const uint32_t> which) {
    for (const uint32_t i : which) {
      Write(i, first_bytes[i]);
      is_disarmed[i] = true;
    }
  }

  template <typename Pick>
  std::vector<uint32_t> Those(Pick pick) const {
    std::vector<uint32_t> picked;
    for (uint32_t i = 0; i < addresses.size(); ++i) {
      if (pick(i)) picked.push_back(i);
    }
    return picked;
  }

  static void OnTrap(int signal, siginfo_t* info, void* context);
};

Breakpoints::State* Breakpoints::State::current = nullptr;

// Calls nothing but what a signal handler may. Another thread may have come by at the same time: the byte is then
// written twice.
void Breakpoints::State::OnTrap(int signal, siginfo_t*, void* context) {
#if defined(__x86_64__)
  greg_t& next = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const uintptr_t address = static_cast<uintptr_t>(next) - 1;
  const auto at = std::lower_bound(current->addresses.begin(), current->addresses.end(), address);
  if (at != current->addresses.end() && *at == address) {
    const size_t i = static_cast<size_t>(at - current->addresses.begin());
    current->seen[i].store(1, std::memory_order_relaxed);
    // Threads that come by at the same time each write; more than there is room for is known already.
    const size_t hit = current->hit_count.fetch_add(1, std::memory_order_relaxed);
    if (hit < current->hits.size()) current->hits[hit] = static_cast<uint32_t>(i);
    current->Write(i, current->first_bytes[i]);
    next = static_cast<greg_t>(address);
    return;
  }
#else
  (void)context;
#endif
  // None of ours: whoever handled it before, or the end.
  sigaction(signal, &current->previous, nullptr);
  raise(signal);
}

Breakpoints::Breakpoints(State* state) { State::current = state; }

absl::StatusOr<std::unique_ptr<Breakpoints>> Breakpoints::Arm(std::vector<uintptr_t> instructions) {
#if !defined(__x86_64__)
  return absl::FailedPreconditionError("breakpoints are those of x86-64");
#endif
  if (State::current != nullptr) return absl::InternalError("breakpoints are armed already");
  auto state = std::make_unique<State>();
  SortUnique(&instructions);
  state->addresses = std::move(instructions);
  state->pages = PagesOf(state->addresses);
  for (const uintptr_t address : state->addresses) {
    state->first_bytes.push_back(*reinterpret_cast<const uint8_t*>(address));
  }
  state->hits.resize(state->addresses.size());
  state->is_disarmed.resize(state->addresses.size());
  TOSAIC_RETURN_IF_ERROR(Protect(state->pages, kCode | PROT_WRITE));
  void* shared = mmap(nullptr, std::max<size_t>(state->addresses.size(), 1), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return absl::FailedPreconditionError(absl::StrCat("no memory: ", strerror(errno)));
  state->seen = static_cast<std::atomic<uint8_t>*>(shared);
  std::unique_ptr<Breakpoints> breakpoints(new Breakpoints(state.release()));
  struct sigaction action = {};
  action.sa_sigaction = State::OnTrap;
  // A body of the signal trap (workers/signal_trap.h) may have used up its stack.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTRAP, &action, &State::current->previous);
  State::current->Arm(State::current->Those([](uint32_t) { return true; }));
  return breakpoints;
}

Breakpoints::~Breakpoints() {
  State* state = State::current;
  state->Disarm(state->Those([&](uint32_t i) { return state->IsArmed(i); }));
  Protect(state->pages, kCode).IgnoreError();  // they stay writable then
  sigaction(SIGTRAP, &state->previous, nullptr);
  munmap(state->seen, std::max<size_t>(state->addresses.size(), 1));
  State::current = nullptr;
  delete state;
}

bool Breakpoints::IsSeen(size_t instruction) const { return State::current->seen[instruction].load() != 0; }

std::vector<uint32_t> Breakpoints::TakeHits() {
  State& state = *State::current;
  const size_t count = std::min(state.hit_count.exchange(0), state.hits.size());
  std::vector<uint32_t> hits(state.hits.begin(), state.hits.begin() + static_cast<std::ptrdiff_t>(count));
  SortUnique(&hits);
  std::erase_if(hits, [&](uint32_t i) { return state.is_disarmed[i]; });
  state.Arm(hits);
  return hits;
}

void Breakpoints::Disarm(absl::Span<const uint32_t> instructions) { State::current->Disarm(instructions); }

void Breakpoints::DisarmSeen() {
  State& state = *State::current;
  state.Disarm(state.Those([&](uint32_t i) { return IsSeen(i) && state.IsArmed(i); }));
}

}  // namespace tosaic
