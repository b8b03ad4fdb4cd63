// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/signal_trap.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tosaic {
namespace {

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};

// A body that runs, and where to go if a signal leaves it.
struct Trap {
  sigjmp_buf resume;
  Trap* outer = nullptr;
  volatile int signal = 0;
  void* volatile address = nullptr;
  volatile bool is_write = false;
  volatile bool overflows_stack = false;
  const void* frame = nullptr;  // on the stack, as a sanitizer's locals need not be
};
Trap* volatile innermost = nullptr;
bool deadly = false;
volatile bool armed = false;  // LeaveBodyAfter has been called with a time
std::array<struct sigaction, kSignals.size()> previous_actions;

#if defined(__x86_64__)
// Bit 1 of the page-fault error code.
bool IsWrite(const ucontext_t& at) { return (at.uc_mcontext.gregs[REG_ERR] & 2) != 0; }
uintptr_t StackPointer(const ucontext_t& at) { return static_cast<uintptr_t>(at.uc_mcontext.gregs[REG_RSP]); }
#elif defined(__aarch64__)
// The instruction says it (Arm's manual, C4.1.94 and C4.1.37): an emulator need not tell the syndrome.
bool IsWrite(const ucontext_t& at) {
  const uint32_t code = *reinterpret_cast<const uint32_t*>(at.uc_mcontext.pc);
  if ((code >> 25 & 15) == 2) return code >> 29 == 7;                      // SVE
  if ((code >> 25 & 5) != 4) return false;                                 // no load or store
  if ((code >> 27 & 7) == 3 && (code >> 24 & 1) == 0) return false;        // from a literal's address
  const bool has_opcode = (code >> 27 & 7) == 7 && (code >> 26 & 1) == 0;  // of one general register: 0 stores
  return has_opcode ? (code >> 22 & 3) == 0 : (code >> 22 & 1) == 0;
}
uintptr_t StackPointer(const ucontext_t& at) { return at.uc_mcontext.sp; }
#elif defined(__riscv)
// The instruction says it, whole or compressed (The RISC-V Instruction Set Manual, chapters 24 and 16).
bool IsWrite(const ucontext_t& at) {
  const uint16_t code = *reinterpret_cast<const uint16_t*>(at.uc_mcontext.__gregs[REG_PC]);
  if ((code & 3) != 3) return (code & 3) != 1 && code >> 13 >= 5;
  const int opcode = code & 0x7f;
  return opcode == 0x23 || opcode == 0x27 || opcode == 0x2f;
}
uintptr_t StackPointer(const ucontext_t& at) { return at.uc_mcontext.__gregs[REG_SP]; }
#else
bool IsWrite(const ucontext_t&) { return false; }
uintptr_t StackPointer(const ucontext_t&) { return ~uintptr_t{0}; }
#endif

// Whether the address lies in the stack between the trap and where the body's frames end: had the stack grown that far,
// there would be no fault. What a call or a function without calls writes may lie a little below the end.
bool IsInStack(const void* address, const ucontext_t& at, const Trap& trap) {
  constexpr uintptr_t kBelow = 4096;
  const auto accessed = reinterpret_cast<uintptr_t>(address);
  return accessed < reinterpret_cast<uintptr_t>(trap.frame) && StackPointer(at) <= accessed + kBelow;
}

void OnSignal(int signal, siginfo_t* info, void* context) {
  if (Trap* trap = innermost; trap != nullptr) {
    innermost = trap->outer;
    trap->signal = signal;
    trap->address = info->si_addr;
    if (signal == SIGSEGV || signal == SIGBUS) {
      const auto& at = *static_cast<ucontext_t*>(context);
      trap->is_write = IsWrite(at);
      trap->overflows_stack = IsInStack(info->si_addr, at, *trap);
    }
    siglongjmp(trap->resume, 1);
  }
  if (signal == SIGVTALRM && armed) return;  // the body has ended just now
  // Not ours: hand it on to the handler that was there before (a fuzzer's, a sanitizer's), or die of it.
  const struct sigaction end = {};  // SIG_DFL
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, deadly ? &end : &previous_actions[i], nullptr);
  }
  // A fault happens again on return, with its address; what a program sent to itself does not.
  if (info->si_code <= 0) raise(signal);
}

void InstallTrap() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  // A body may overflow the stack: handlers need their own.
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

// Has no variable of its own between sigsetjmp and the jump back: its value would be anyone's guess.
__attribute__((noinline)) bool Returns(Trap& trap, absl::FunctionRef<void()> body) {
  if (sigsetjmp(trap.resume, 1) != 0) return false;
  innermost = &trap;
  body();
  innermost = trap.outer;
  return true;
}

}  // namespace

std::optional<TrappedSignal> RunTrapped(absl::FunctionRef<void()> body) {
  InstallTrap();
  Trap trap;
  trap.outer = innermost;
  trap.frame = __builtin_frame_address(0);
  if (Returns(trap, body)) return std::nullopt;
  return TrappedSignal{.signal = trap.signal,
                       .address = trap.address,
                       .is_write = trap.is_write,
                       .overflows_stack = trap.overflows_stack};
}

void LeaveBodyAfter(double cpu_seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(cpu_seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((cpu_seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  armed = armed || cpu_seconds > 0;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

DeadlySignals::DeadlySignals() {
  InstallTrap();
  deadly = true;
}

DeadlySignals::~DeadlySignals() { deadly = false; }

}  // namespace tosaic
