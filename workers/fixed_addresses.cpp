// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/fixed_addresses.h"

#include <sys/personality.h>
#include <unistd.h>

#include <fstream>

namespace tosaic {
namespace {

bool restart_failed = false;

// Of the next program, and of this one unless FixesNext has changed it.
bool AreFixed() {
  const int persona = personality(0xffffffff);
  return persona != -1 && (persona & ADDR_NO_RANDOMIZE) != 0;
}

// Whether the next program in this process would have other addresses than this one, that is, fixed ones.
bool FixesNext() {
  const int persona = personality(0xffffffff);
  if (persona == -1 || AreFixed()) return false;
  return personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) != -1 && AreFixed();
}

}  // namespace

void FixAddresses(char** argv) {
  if (!FixesNext()) return;
  execv("/proc/self/exe", argv);
  restart_failed = true;
}

bool HasFixedAddresses() {
  if (AreFixed() && !restart_failed) return true;
  std::ifstream file("/proc/sys/kernel/randomize_va_space");
  int level = -1;
  return file >> level && level == 0;
}

}  // namespace tosaic
