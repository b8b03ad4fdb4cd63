// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Provenance: where a result comes from, as every result file says it at its key "provenance".
#ifndef TOSAIC_MODEL_PROVENANCE_H_
#define TOSAIC_MODEL_PROVENANCE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "codec/visitor.h"

namespace tosaic {

struct Provenance {
  std::string tosaic_revision;      // the commit; "unknown" if it was not built from a clone
  std::string toolchain;            // "mlir-22"
  std::string toolchain_version;    // "LLVM 22.1.8"
  std::string pipeline;             // of the first route
  std::string runtime;              // the versions that are linked
  std::string toolchain_directory;  // empty: the toolchain is in this process
  std::vector<std::pair<std::string, std::string>> other_pipelines;  // by route, in the campaign's order
  std::vector<std::string> features;      // of the dialect since MLIR 22, that the toolchain has: "cast-input-unsigned"
  std::vector<std::string> plugins;       // "file.so (NAME VERSION, MD5 ...)"
  std::string cpu;                        // another one than the machine's: "aarch64 (glibc 2.36 in qemu-aarch64 ...)"
  std::vector<std::string> custom_flags;  // that give the route `custom`: "--replace=PASS:NEW"
  std::vector<std::string> policies;      // flags by which the documents are not read as by default: "--strict-values"
  std::string command_line;

  friend bool operator==(const Provenance& a, const Provenance& b) = default;
};
void Fields(Visitor& v, Provenance& provenance);

// The flags that give the route `custom`. Files from before `custom_flags` have the pipeline and the plugins for them.
std::vector<std::string> CustomFlagsOf(const Provenance& provenance);

// The name of its CPU (`--cpu`), without what programs run on there; empty: this machine's.
std::string CpuNameOf(const Provenance& provenance);

// Error: two results whose policies differ, of which a comparison would show the policies.
absl::Status CheckSamePolicies(const Provenance& base, const Provenance& patch);

// Error: a command that replays a finding of one result may need other flags than one of the other: another toolchain
// (of any version), CPU, policies, or flags that give the route `custom`.
absl::Status CheckReplayedAlike(const Provenance& first, const Provenance& other);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PROVENANCE_H_
