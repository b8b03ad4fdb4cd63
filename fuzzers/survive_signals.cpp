#include "fuzzers/survive_signals.h"

#include <setjmp.h>
#include <signal.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tosaic {
namespace {

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
using Actions = std::array<struct sigaction, kSignals.size()>;

sigjmp_buf resume;
volatile sig_atomic_t armed = 0;
bool deadly = false;
Actions before_us;

Actions CurrentActions() {
  Actions actions = {};
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], nullptr, &actions[i]);
  return actions;
}

void Restore(const Actions& actions) {
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &actions[i], nullptr);
}

void OnSignal(int signal) {
  if (armed != 0) {
    armed = 0;
    siglongjmp(resume, signal);
  }
  const struct sigaction end = {};  // SIG_DFL
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, deadly ? &end : &before_us[i], nullptr);
  }
  raise(signal);
}

void InstallOnce() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  // MLIR may overflow the stack: the handler needs its own.
  constexpr size_t kStackBytes = 64 * 1024;
  static std::array<uint8_t, kStackBytes> stack;
  const stack_t alternative = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternative, nullptr);
  before_us = CurrentActions();
  Actions ours = {};
  for (struct sigaction& action : ours) {
    action.sa_handler = OnSignal;
    action.sa_flags = SA_ONSTACK;
  }
  Restore(ours);
}

}  // namespace

int SurviveSignals(absl::FunctionRef<void()> body) {
  InstallOnce();
  // The executor's trap steps aside for good when it hands a signal on: put it back after a death.
  static Actions in_force;
  in_force = CurrentActions();
  const int signal = sigsetjmp(resume, 1);
  if (signal == 0) {
    armed = 1;
    body();
    armed = 0;
    return 0;
  }
  Restore(in_force);
  return signal;
}

DeadlySignals::DeadlySignals() {
  InstallOnce();
  deadly = true;
}

DeadlySignals::~DeadlySignals() { deadly = false; }

}  // namespace tosaic
