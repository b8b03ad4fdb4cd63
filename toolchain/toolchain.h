// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Toolchain: something that takes a case through verify, infer, lower, compile and run, and says what happened.
#ifndef TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_TOOLCHAIN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/routes.h"
#include "toolchain/capabilities.h"

namespace tosaic {

// What a toolchain is, as far as it does not depend on a case.
struct ToolchainDescription {
  std::string name;                          // "mlir-22"
  std::string version;                       // "LLVM 22.1.8"
  std::string directory;                     // where its tools are; empty: it is in this process
  Dialect dialect = kCanonicalDialect;       // that its MLIR is spoken to in
  int mlir_version = Info(dialect).version;  // its MLIR's major version
  std::vector<const Route*> routes;          // those that it has, but for kCustomRoute; others it refuses to build
  std::string custom_pipeline;               // of kCustomRoute; empty: it has no such route
  std::string only_pipeline;                 // not empty: cases go through this one, whatever their routes say
  std::vector<std::string> plugins;          // what has been loaded into it, for result files: a line each
  size_t batch_size = 1;                     // how many cases are worth preparing at once; 1: preparing changes nothing

  // The pass pipeline behind a route; empty if there is no such route.
  std::string PipelineOf(absl::string_view route) const;
};

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  Toolchain(const Toolchain&) = delete;
  Toolchain& operator=(const Toolchain&) = delete;

  const ToolchainDescription& description() const { return description_; }
  // Walks the stages until one ends the case. Does not return if MLIR kills the process: see worker_pool.h.
  // Whatever the case is, the answer is an Observation.
  virtual Observation Observe(const Case& test_case) = 0;
  // Does for many cases at once what their Observe, in any process that is or will be a copy of this one, would do for
  // each. What Observe answers does not depend on it. What is prepared serves one Observe.
  virtual void Prepare(absl::Span<const Case>) {}

  // What it can besides; null: it cannot.
  Verifier* verifier() const { return capabilities_.verifier; }
  DeciderFactory* deciders() const { return capabilities_.deciders; }
  Lowering* lowering() const { return capabilities_.lowering; }
  PatternWatcher* patterns() const { return capabilities_.patterns; }

 protected:
  // REQUIRES: the capabilities live as long as the toolchain.
  explicit Toolchain(ToolchainDescription description, const Capabilities& capabilities = {})
      : description_(std::move(description)), capabilities_(capabilities) {}

 private:
  const ToolchainDescription description_;
  const Capabilities capabilities_;
};

// What is said where a capability is lacking, after the toolchain's name.
inline constexpr absl::string_view kLacksPipelines = " has no pass pipelines but its routes'";
inline constexpr absl::string_view kLacksText = " gives no text of its IR";
inline constexpr absl::string_view kLacksDeciders = " decides on no op alone";
inline constexpr absl::string_view kLacksProbe = " has no op with the Broadcastable trait alone";

// What is said of a pass that left a constant of a type without static shape: such IR cannot be read back.
inline constexpr absl::string_view kLooseConstant = "a constant of a type without static shape";

// Computes an op of the program on operands of these elements (shift and zero points included), which broadcast to
// `result_sizes`: what the external library does on a route that calls one. May answer anything where the documents
// allow anything.
using LibraryFunction =
    std::function<Tensor(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                         const std::vector<int64_t>& result_sizes)>;

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
