// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Observation: what a toolchain did with a case, stage by stage, as a plain value. It only records and does not judge.
#ifndef TOSAIC_MODEL_OBSERVATION_H_
#define TOSAIC_MODEL_OBSERVATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/category.h"
#include "model/lowered_ir.h"
#include "model/shape.h"
#include "model/spirv_graph.h"
#include "model/tensor.h"

namespace tosaic {

class Visitor;

// The stages in order. A toolchain goes through them until one ends the case.
enum class Stage : uint8_t { kBuild, kVerify, kInfer, kLower, kTranslate, kCompile, kExecute };
EnumNames NamesOf(Stage stage);

// How the walk ended.
enum class Outcome : uint8_t {
  kCompleted,    // every run executed
  kRefused,      // the stage said no, with diagnostics
  kIllegalIr,    // a pass succeeded and left IR that does not verify
  kSignal,       // the process died of a signal
  kDeadline,     // CPU or wall time ran out
  kOutOfMemory,  // the memory limit was hit
  kMemoryFault,  // generated code touched memory that is not its own
  kToolFailure,  // the harness itself failed; the diagnostics say why
};
EnumNames NamesOf(Outcome outcome);

inline constexpr absl::string_view kNobodysMemory = "memory that is no buffer of this call";

// An access outside all buffers, relative to the nearest one. If none is near it is to kNobodysMemory, without numbers.
struct MemoryFault {
  bool is_write = false;     // not, as far as the signal tells: of an address that no memory can have, x86 does not
  std::string region;        // "operand 1", "allocation 0", kNobodysMemory, or "unknown"
  int64_t offset = 0;        // bytes from the region's first byte; negative before it
  int64_t region_bytes = 0;  // size of the region

  friend bool operator==(const MemoryFault& a, const MemoryFault& b) = default;
};
void Fields(Visitor& v, MemoryFault& fault);
std::string ToString(const MemoryFault& fault);

// How often an element's memory was stored to: 0 if a byte that must be stored to was never stored to, otherwise the
// greatest number over its bytes.
struct StoreCount {
  uint64_t element = 0;
  uint64_t stores = 0;

  friend bool operator==(const StoreCount& a, const StoreCount& b) = default;
};
// [element, stores].
void Visit(Visitor& v, StoreCount& count);

struct ResultObservation {
  Tensor tensor;
  // Elements that still hold the poison after each of two executions with different poison.
  std::vector<uint64_t> unwritten;
  // Elements that depend on undefined behaviour of the code: they change with what its poison is taken for, or are of a
  // run that then does not end (toolchain/execution/poison.h).
  std::vector<uint64_t> poisoned;
  // By the elements of `poisoned`: their bits where poison is taken for another value; empty if that run does not end.
  std::vector<uint64_t> poisoned_otherwise;
  // On a route that counts stores, if generated code allocated the memory: elements that were not stored to exactly
  // once.
  std::vector<StoreCount> not_stored_once;
  // A later call of the function changed the memory that it lies in, which the code did not allocate in its own run.
  bool overwritten = false;
  // On a route that deallocates: what it lies in, if that is not the caller's to free ("operand 0").
  std::string not_owned;

  friend bool operator==(const ResultObservation& a, const ResultObservation& b) = default;
};
void Fields(Visitor& v, ResultObservation& result);

// An allocation of generated code that was not stored to exactly once throughout.
struct UnevenStores {
  std::string region;        // "allocation 0"
  int64_t region_bytes = 0;  // size of the region
  int64_t never = 0;         // bytes never stored
  int64_t repeated = 0;      // bytes stored more than once
  int64_t first_repeated = -1;
  int64_t most = 0;  // stores to one byte

  friend bool operator==(const UnevenStores& a, const UnevenStores& b) = default;
};
void Fields(Visitor& v, UnevenStores& stores);

// A memref that generated code passed to a library function, with the elements that it describes.
struct LibraryView {
  Tensor tensor;                 // an operand's elements as the function found them, the result's as it left them
  IndexingMap map;               // of the linalg.generic that became the call
  std::vector<int64_t> strides;  // in elements
  std::string region;            // "operand 1", "allocation 0", or "unknown", as a constant of the module is
  int64_t offset = 0;            // of the first element: bytes from the region's first byte
  int64_t region_bytes = 0;      // size of the region

  friend bool operator==(const LibraryView& a, const LibraryView& b) = default;
};
void Fields(Visitor& v, LibraryView& view);

// A call of the library function that a linalg.generic became.
struct LibraryCall {
  int op = -1;            // the op of the program that was lowered to it; -1: unknown
  bool is_copy = false;   // the payload yields its input: a run-time broadcast of one of the op's operands
  bool computed = false;  // false: the views made no sense to the function, and it wrote nothing
  std::vector<LibraryView> operands;
  LibraryView result;

  friend bool operator==(const LibraryCall& a, const LibraryCall& b) = default;
};
void Fields(Visitor& v, LibraryCall& call);

struct RunObservation {
  std::vector<ResultObservation> results;  // one per result of the program
  int64_t leaked_buffers = 0;              // counted on routes that deallocate; else 0
  std::string stopped;  // the message of generated code that stopped itself; there are no results then
  std::vector<UnevenStores> uneven_stores;  // on a route that counts stores
  std::vector<LibraryCall> library_calls;   // in order, on a route that has them
  // If a result is poisoned: the instructions that made poison in the run, and what of: "%3 = shl i32 1, %2 where %2 =
  // 40".
  std::vector<std::string> poison;

  friend bool operator==(const RunObservation& a, const RunObservation& b) = default;
};
void Fields(Visitor& v, RunObservation& run);

struct Observation {
  Outcome outcome = Outcome::kCompleted;
  Stage stage = Stage::kExecute;         // the stage that ended the walk
  std::string pass;                      // kLower: the pass at work when it ended
  int signal = 0;                        // kSignal: its number
  uint32_t run = 0;                      // kExecute: the run at work when it ended
  std::vector<std::string> diagnostics;  // errors, in the order they were emitted
  // If the program was refused at kVerify or before: what the first diagnostic is about, if the toolchain knows its
  // text.
  std::optional<Category> category;
  // For each op of the program, what the op's own shape inference says, if it says anything. If inference leaves the
  // element type open, this has the declared one.
  std::vector<std::optional<MadeType>> inferred;
  // On a route that extracts: the IR that the passes left. The case then ends, completed, at kLower without a run.
  std::optional<LoweredIr> lowered;
  // On a route that makes a graph: that graph. The case then ends, completed, at kLower without a run.
  std::optional<SpirvGraph> graph;
  bool makes_graph = false;       // the route is to end with that graph
  bool extracts = false;          // the route is to end with that IR, which has elementwise ops alone
  bool verifies_extents = false;  // generated code is to stop itself where run-time extents do not fit
  bool calls_library = false;     // every linalg.generic is to have become a call of a library function
  // Why undefined behaviour of the code may have gone unseen: kinds of instructions that the search for it does not
  // understand ("icmp"), or that there was no LLVM IR to search. Empty too where nobody makes LLVM IR.
  std::vector<std::string> poison_unseen;
  std::vector<RunObservation> runs;  // those that finished or stopped themselves; on a fault, those before it
  std::optional<MemoryFault> fault;  // kMemoryFault

  friend bool operator==(const Observation& a, const Observation& b) = default;
};
void Fields(Visitor& v, Observation& observation);

// "refused at verify: 'tosa.add' op ...", one line for people.
std::string Summarize(const Observation& observation);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_OBSERVATION_H_
