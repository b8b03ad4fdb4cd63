// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPUs on which compiled programs run besides this machine's own, each emulated by a program of qemu-user.
#ifndef TOSAIC_MODEL_CPUS_H_
#define TOSAIC_MODEL_CPUS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

struct Cpu {
  absl::string_view name;           // of --cpu
  absl::string_view triple;         // LLVM's, and the prefix of Debian's cross compiler
  absl::string_view model;          // LLVM's name of a plain CPU of the architecture
  absl::string_view features;       // "+m,+a": LLVM's, of what every such CPU has
  absl::string_view more_features;  // and of what the emulated one has besides, for routes that take all of it
  absl::string_view abi;            // LLVM's name of how functions are called; empty: the triple says so
  absl::string_view emulator;       // the program
  absl::string_view emulated;       // its -cpu
  absl::string_view packages;       // Debian's, which build and run the server
};

absl::Span<const Cpu> AllCpus();
const Cpu* FindCpu(absl::string_view name);  // null: there is none of that name
std::vector<std::string> CpuNames();

}  // namespace tosaic

#endif  // TOSAIC_MODEL_CPUS_H_
