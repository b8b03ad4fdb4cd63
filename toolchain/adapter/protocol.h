// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests to an adapter and its replies: a line of JSON each (docs/adapters.md).
#ifndef TOSAIC_TOOLCHAIN_ADAPTER_PROTOCOL_H_
#define TOSAIC_TOOLCHAIN_ADAPTER_PROTOCOL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "codec/names.h"
#include "codec/visitor.h"
#include "model/element_type.h"
#include "model/observation.h"
#include "model/op_catalogue.h"
#include "model/shape.h"
#include "model/tensor.h"

namespace tosaic {

inline constexpr int kAdapterProtocol = 1;

// The first line, which the adapter writes unasked.
struct AdapterGreeting {
  int protocol = kAdapterProtocol;
  std::string name;                        // "arm-reference-model"
  std::string version;                     // "2026.8.0"
  int dialect = 22;                        // the version of MLIR whose TOSA dialect it reads
  std::vector<OpKind> ops;                 // empty: all
  std::vector<ElementType> element_types;  // empty: all
  bool static_shapes = false;              // it takes only programs of static shapes
  bool constant_operands = false;          // shifts and zero points must be constants
  bool flushes_subnormals = false;
  bool rewrites_nans = false;  // even in a value that no op computes
  int batch = 1;               // how many programs it prefers in one request
  std::string command;         // how a person runs a program without the adapter: its own command line

  bool Takes(OpKind op) const { return ops.empty() || absl::c_linear_search(ops, op); }
  bool Takes(ElementType type) const { return element_types.empty() || absl::c_linear_search(element_types, type); }
};
void Fields(Visitor& v, AdapterGreeting& greeting);

// A tensor with its elements in base64, as in memory: little endian, one byte for i1 and i4, eight bytes for i48.
struct AdapterTensor {
  Tensor tensor;
};
void Fields(Visitor& v, AdapterTensor& tensor);

struct AdapterProgram {
  std::string module;                            // MLIR, ops in generic form
  std::string function = "main";                 // the function in it
  std::vector<TensorType> results;               // its results' types
  std::vector<std::vector<AdapterTensor>> runs;  // inputs; no run: the decision alone
};
void Fields(Visitor& v, AdapterProgram& program);

struct AdapterRequest {
  uint64_t id = 0;
  std::vector<AdapterProgram> programs;
};
void Fields(Visitor& v, AdapterRequest& request);

// The outcome for a program.
enum class AdapterOutcome : uint8_t {
  kCompleted,    // accepted, and every run has its outputs
  kRefused,      // with diagnostics, at a stage
  kUnsupported,  // the adapter or the implementation cannot tell; the program is not at fault
  kStopped,      // a run ended without outputs, because they are unpredictable
  kCrashed,      // the implementation died of a signal
  kFailed,       // the adapter itself failed
};
EnumNames NamesOf(AdapterOutcome outcome);

struct AdapterRun {
  std::vector<AdapterTensor> outputs;
};
void Fields(Visitor& v, AdapterRun& run);

struct AdapterAnswer {
  AdapterOutcome outcome = AdapterOutcome::kCompleted;
  Stage stage = Stage::kVerify;          // of an end: "verify", "lower", "compile", "execute"
  int signal = 0;                        // of a crash
  std::vector<std::string> diagnostics;  // why
  std::vector<AdapterRun> runs;          // those that finished
};
void Fields(Visitor& v, AdapterAnswer& answer);

// An answer per program; or only a message about how far the first program has come.
struct AdapterReply {
  uint64_t id = 0;             // of the request
  std::optional<Stage> stage;  // the current stage; there are no answers then
  std::vector<AdapterAnswer> answers;
};
void Fields(Visitor& v, AdapterReply& reply);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ADAPTER_PROTOCOL_H_
