// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Toolchain: takes a case through verify, infer, lower, compile and run, and records how each stage ended.
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
#include "toolchain/route_limit.h"
#include "toolchain/spoken_words.h"

namespace tosaic {

// The description of a toolchain, which does not depend on a case.
struct ToolchainDescription {
  std::string name;                          // "mlir-22"
  std::string version;                       // "LLVM 22.1.8"
  std::string directory;                     // where its tools are; empty: it is in this process
  Dialect dialect = kCanonicalDialect;       // that programs for its MLIR are written in
  int mlir_version = Info(dialect).version;  // its MLIR's major version
  std::vector<Unspoken> unspoken;            // of that dialect, what it does not read
  std::vector<const Route*>
      routes;                      // the routes that it has, without kCustomRoute; it refuses to build cases on others
  std::vector<RouteLimit> limits;  // of an MLIR that was asked: what its routes cannot do
  std::string custom_pipeline;     // of kCustomRoute; empty: it has no such route
  std::string custom_like;         // the route whose pipeline that is, edited; empty: none is known
  std::vector<std::string> custom_flags;  // of the command line, that made it: "--replace=PASS:NEW"
  std::string lowers_on;                  // not empty: the other MLIR whose passes go on from buffers: "LLVM 22.1.8"
  bool leaves_tosa = false;               // the passes leave a TOSA program, which the oracle computes
  std::string only_pipeline;              // not empty: cases go through this one, whatever their routes say
  std::vector<std::string> plugins;       // loaded into it, for result files: a line each
  std::string cpu;                        // a name of model/cpus.h: where programs run; empty: on this machine's
  std::string cpu_runtime;                // what they run on there: "glibc 2.36 in qemu-aarch64 7.2.22 -cpu max"
  size_t batch_size = 1;                  // how many cases are worth preparing at once; 1: preparing changes nothing

  // Whether it reads all attributes that the draft of 1.1 adds to the catalogue's ops.
  bool ReadsDraftAttributes() const;
  // The block-scaled types that it reads.
  std::vector<ElementType> BlocksRead() const;
  // The pass pipeline behind a route; empty if there is no such route.
  std::string PipelineOf(absl::string_view route) const;
};

class Toolchain {
 public:
  virtual ~Toolchain() = default;
  Toolchain(const Toolchain&) = delete;
  Toolchain& operator=(const Toolchain&) = delete;

  const ToolchainDescription& description() const { return description_; }
  // Goes through the stages until one ends the case. Does not return if MLIR kills the process: see worker_pool.h. For
  // every case, the answer is an Observation.
  virtual Observation Observe(const Case& test_case) = 0;
  // Does for many cases at once what Observe, in this process or in any copy of it, would do for each. The answer of
  // Observe does not depend on it. What is prepared serves one Observe.
  virtual void Prepare(absl::Span<const Case>) {}

  // Its other abilities; null if it lacks one.
  Verifier* verifier() const { return capabilities_.verifier; }
  DeciderFactory* deciders() const { return capabilities_.deciders; }
  Lowering* lowering() const { return capabilities_.lowering; }
  Reader* reader() const { return capabilities_.reader; }
  PatternWatcher* patterns() const { return capabilities_.patterns; }
  RewriteSwitch* rewrites() const { return capabilities_.rewrites; }

 protected:
  // REQUIRES: the capabilities live as long as the toolchain.
  explicit Toolchain(ToolchainDescription description, const Capabilities& capabilities = {})
      : description_(std::move(description)), capabilities_(capabilities) {}

 private:
  const ToolchainDescription description_;
  const Capabilities capabilities_;
};

// The message about a missing capability, after the toolchain's name.
inline constexpr absl::string_view kLacksPipelines = " has no pass pipelines but its routes'";
inline constexpr absl::string_view kLacksText = " gives no text of its IR";
inline constexpr absl::string_view kLacksDeciders = " decides on no op alone";
inline constexpr absl::string_view kLacksProbe = " has no op with the Broadcastable trait alone";

// The message about a pass that left a constant of a type without static shape, because such IR cannot be read back.
inline constexpr absl::string_view kLooseConstant = "a constant of a type without static shape";

// Computes an op of the program on operands with these elements (including shift and zero points), which broadcast to
// `result_sizes`, as the external library does on a route that calls one. It may return anything if the documents allow
// anything.
using LibraryFunction =
    std::function<Tensor(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                         const std::vector<int64_t>& result_sizes)>;

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_TOOLCHAIN_H_
