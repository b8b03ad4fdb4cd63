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
    {.name = "riscv64",
     .triple = "riscv64-linux-gnu",
     .model = "generic-rv64",
     .features = "+m,+a,+f,+d,+c",
     .more_features = "+v,+zfh,+zba,+zbb,+zbc,+zbs",
     .abi = "lp64d",
     .emulator = "qemu-riscv64",
     .emulated = "rv64,v=true,vext_spec=v1.0,Zfh=true,zba=true,zbb=true,zbc=true,zbs=true",
     .packages = "g++-riscv64-linux-gnu and qemu-user"},
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
