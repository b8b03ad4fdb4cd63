// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/fixed_addresses.h"

#include <sys/personality.h>
#include <unistd.h>

namespace tosaic {

void FixAddresses(char** argv) {
  const int persona = personality(0xffffffff);
  if (persona == -1 || (persona & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) == -1) return;
  const int now = personality(0xffffffff);
  if (now != -1 && (now & ADDR_NO_RANDOMIZE) != 0) execv("/proc/self/exe", argv);
}

}  // namespace tosaic
