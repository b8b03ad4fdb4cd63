// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages to and from a worker that uses an MLIR by its C API: frames (workers/frames.h) of one line of JSON each.
// The bytes of an object file follow the line of an answer.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_PROTOCOL_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_PROTOCOL_H_

#include <optional>
#include <string>
#include <vector>

#include "codec/visitor.h"
#include "model/observation.h"

namespace tosaic {

// The first frame, which the worker sends unasked.
struct CapiGreeting {
  std::string error;     // not empty: the library cannot be used
  std::string version;   // "24.0.0"
  std::string protocol;  // a digest of these messages' fields: who greets with another one is of another build
  std::string build;     // for people: "revision 48fa9a7bd3c1"
};
void Fields(Visitor& v, CapiGreeting& greeting);

// A module that goes through the stages from verify on, until one ends it or everything that was requested is done.
struct CapiJob {
  std::string module;           // MLIR's text
  std::string pipeline;         // builtin.module(...)
  bool fresh_passes = false;    // builds the pipeline's passes for this job alone
  bool infers = false;          // asks each op of TOSA for the type of its result, between verify and the pipeline
  bool lowers = false;          // runs the pipeline
  Stage stage = Stage::kLower;  // at which its passes stand
  bool extracts = false;        // then takes Observation::lowered
  bool takes_graph = false;     // then takes Observation::graph
  bool takes_text = false;      // then takes the module's text
  bool takes_llvm_ir = false;   // or that of its translation to LLVM IR
  bool symbolizes = false;      // where MLIR dies, its stack trace names all functions (toolchain/symbolizer.h)
  bool counts_stores = false;   // then adds calls that tell of each store
  bool compiles = false;        // then makes an object file of it, and takes the text of LLVM IR if there is one
  int optimization = 0;         // of the object file, as in -O2
  bool for_host_cpu = false;    // with all features of this machine's CPU, else for a plain one
};
void Fields(Visitor& v, CapiJob& job);

struct CapiRequest {
  std::vector<CapiJob> jobs;
};
void Fields(Visitor& v, CapiRequest& request);

struct CapiAnswer {
  bool ended = false;                     // the walk: `observation` says how; else all that was asked for is there
  Observation observation;                // up to there
  std::string text;                       // of the module
  std::string entry;                      // of the job in the object file: a function of MLIR's C interface
  std::vector<LibrarySignature> library;  // that its code calls
};
void Fields(Visitor& v, CapiAnswer& answer);

// An answer to every job; the object file has the code of all jobs that did not end. If there are no answers, each of
// several jobs must be sent again alone, because of a death or of IR that does not verify (RetireAfter in
// toolchain/progress.h); for a single job, `death` says how the process ended.
struct CapiReply {
  std::vector<CapiAnswer> answers;
  std::optional<Observation> death;
  std::string last_words;  // what the process printed then, MLIR's stack trace
};
void Fields(Visitor& v, CapiReply& reply);

// The greeting of a worker of this build.
CapiGreeting OwnGreeting();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_PROTOCOL_H_
