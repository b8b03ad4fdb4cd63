// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/fixed_addresses.h"

#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

namespace tosaic {
namespace {

// Of the next program, and of this one if nobody has changed it.
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

bool FixAddresses(char** argv) {
  constexpr char kBindNow[] = "LD_BIND_NOW";
  const bool is_bound = getenv(kBindNow) != nullptr;
  const bool fixes_next = FixesNext();
  setenv(kBindNow, "1", /*overwrite=*/1);
  if (fixes_next || !is_bound) execv("/proc/self/exe", argv);
  unsetenv(kBindNow);  // of no use to the programs that this one starts
  return !fixes_next && AreFixed();
}

}  // namespace tosaic
