// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/cpus.h"

namespace tosaic {
namespace {

constexpr Cpu kCpus[] = {
    {.name = "aarch64",
     .triple = "aarch64-linux-gnu",
     .model = "generic",
     .features = "",
     .more_features = "+fullfp16,+bf16,+sve,+dotprod,+fp16fml,+i8mm",
     .abi = "",
     .emulator = "qemu-aarch64",
     .emulated = "max",
     .packages = "g++-aarch64-linux-gnu and qemu-user"},
};

}  // namespace

absl::Span<const Cpu> AllCpus() { return kCpus; }

const Cpu* FindCpu(absl::string_view name) {
  for (const Cpu& cpu : kCpus) {
    if (cpu.name == name) return &cpu;
  }
  return nullptr;
}

std::vector<std::string> CpuNames() {
  std::vector<std::string> names;
  for (const Cpu& cpu : kCpus) names.emplace_back(cpu.name);
  return names;
}

}  // namespace tosaic
