// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages to and from the server that runs programs on another CPU, in an emulator (tools/cpu_server): frames
// (workers/frames.h). The server greets; then each task is answered by notes, at most, and an Observation.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CPU_PROTOCOL_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CPU_PROTOCOL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codec/visitor.h"
#include "model/program.h"
#include "toolchain/execution/executor.h"

namespace tosaic {

// The first character of a frame from the server says what follows it.
enum CpuNote : char {
  kRunEntered = 'r',     // the number of a run that is at work from now on
  kLibraryCalled = 'l',  // a LibraryQuestion, which is answered with a Tensor
  kExecuted = 'x',       // the task's Observation
};

struct CpuSymbol {
  std::string name;
  uint64_t address = 0;
};
void Fields(Visitor& v, CpuSymbol& symbol);

// The frame that the server sends unasked. It is the same of every process of one program.
struct CpuGreeting {
  uint64_t code = 0;               // the address of the memory for a program's code and constants
  uint64_t code_bytes = 0;         // its size
  std::vector<CpuSymbol> symbols;  // that the program may call
  std::string runtime;             // whose functions these are: "glibc 2.36"
};
void Fields(Visitor& v, CpuGreeting& greeting);

// A part of a linked program.
struct CodeSegment {
  uint64_t address = 0;  // of a page
  uint64_t bytes = 0;
  bool is_executable = false;
  bool is_writable = false;
};
void Fields(Visitor& v, CodeSegment& segment);

// The arguments of Executor::Execute, without Options::library_function. The line of JSON is followed by the bytes of
// all segments.
struct CpuTask {
  std::vector<CodeSegment> segments;
  uint64_t entry = 0;
  int cpu_seconds = 10;  // after which the server ends by SIGXCPU
  Executor::Options options;
  Case test_case;
};
void Fields(Visitor& v, CpuTask& task);

// The arguments of a LibraryFunction.
struct LibraryQuestion {
  int op = 0;  // of the program
  std::vector<Tensor> operands;
  std::vector<int64_t> result_sizes;
};
void Fields(Visitor& v, LibraryQuestion& question);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CPU_PROTOCOL_H_
