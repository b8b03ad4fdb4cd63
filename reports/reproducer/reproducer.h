// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writers of a reproducer folder, which shows a divergence with nothing but mlir-opt, a runner and a C compiler. They
// only make text: the pass pipeline, the right values, and the IR that MLIR makes of the program are given.
#ifndef TOSAIC_REPORTS_REPRODUCER_REPRODUCER_H_
#define TOSAIC_REPORTS_REPRODUCER_REPRODUCER_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/bit_range.h"
#include "model/cpus.h"
#include "model/judged_case.h"
#include "model/program.h"
#include "model/verdict.h"

namespace tosaic {

// The ways to show a divergence.
enum class Showing : uint8_t {
  kRefuses,   // mlir-opt must refuse the program
  kAccepts,   // mlir-opt must accept it
  kInfers,    // tosa-infer-shapes must leave the inferred type
  kLowers,    // mlir-opt with the pass pipeline must end well, and mlir-translate must take its output
  kRereads,   // mlir-opt must be able to read the pass pipeline's output again
  kExecutes,  // the runner must print the right bits
  kStops,     // generated code must stop itself
  kGuards,    // generated code, linked to a driver in C, must stay within its memory
  kPoison,    // an element changes with the value that stands for poison in the LLVM IR, as a driver in C shows
  kIr,        // the pass pipeline's output breaks a rule, which only a reader can see
};
// The row of the table: a verdict at a stage, by a rule.
Showing ShowingOf(const Judgement& judgement);
// "3" of "run 0, %0: 3": what a judgement saw, without its run and value.
absl::string_view WithoutPlace(absl::string_view actual);
// Whether MLIR, or its code, comes to no end of its own.
bool DiesOrHangs(const Judgement& judgement);

// A result of a run that the runner prints, and which bits each element may have.
struct ShownResult {
  size_t run = 0;
  size_t result = 0;  // index into Program::results
  // The sizes that it must have; `elements` are the allowed bits, row major. Not known: the run must only end.
  std::optional<std::vector<int64_t>> sizes;
  std::vector<std::vector<BitRange>> elements;
};

// One pass of mlir-opt that by itself makes the program wrong, so that reading what it prints is enough.
struct OnePass {
  std::string pipeline;  // "builtin.module(func.func(canonicalize))"; empty: none is known
  std::string left;      // its output for SmallestModule
  std::string wrong;     // the mistake in that: "it returns 0 instead of NaN"
};
void Fields(Visitor& v, OnePass& pass);

// A pass behind which code runs before anybody can tell that it is wrong, with what it gets of SmallestModule.
struct PassAlone {
  std::string pipeline;  // empty: none is known
  std::string before;    // right IR
  std::string after;     // wrong IR
};

struct Reproduction : JudgedCase {
  Case test_case;
  Showing showing = Showing::kExecutes;
  bool may_be_illegal = false;        // the documents or a target leave open whether MLIR accepts the program
  bool folded = false;                // the program is right if its constants are arguments
  std::string blamed_pass;            // not empty: the first after which the code is wrong
  PassAlone blamed_alone;             // the same by itself, if nothing smaller shows it
  std::string blamed_function;        // not empty: one of MLIR's without which the program is right
  std::string stack_trace;            // of MLIR's death, if it is known
  std::string version;                // "LLVM 22.1.8"
  std::vector<std::string> policies;  // flags by which the documents are not read as by default
  std::string since;     // by dated builds of MLIR: since when and until when it is wrong; empty: nobody asked them
  int tools = 22;        // the number in the tools' names: mlir-opt-22
  std::string program;   // the case's program in MLIR's text; its function is @main
  std::string pipeline;  // that mlir-opt gets
  // If not empty, the pass pipeline of which `pipeline` is a prefix. An MLIR that completes the prefix and fails later
  // is not right.
  std::string whole_pipeline;
  bool optimized = false;    // LLVM at -O2
  bool host_cpu = false;     // code for the machine's CPU
  const Cpu* cpu = nullptr;  // that the program runs on; null: the machine's
  bool frees = false;        // generated code frees what it allocates
  bool has_plugin = false;   // the pass pipeline has passes of a plugin
  std::string obstacle;      // not empty: why stock tools cannot show it
  ShownResult shown;
  // The twin that it differs from, by result, and its pass pipeline.
  std::optional<Case> twin;
  std::string twin_program;
  std::string twin_pipeline;
  size_t twin_result = 0;
  // The IR that MLIR made of ReproducerModule, if it is known: for kGuards and kPoison LLVM IR, for kIr
  // MLIR.
  std::string lowered;
  std::string shows_poison;  // for kPoison: the same with its poison shown (toolchain/execution/poison.h)
  // Set if repro.mlir is not ReproducerModule but what passes of Tosaic's own made of it; `pipeline` is the rest then.
  std::string prepared;
  std::string prepared_by;  // the last of these passes
  OnePass one_pass;
};

// The IR that is executed, in repro.mlir or beside it: `prepared`, or ReproducerModule.
std::string ModuleText(const Reproduction& r);
// The program as function @test, with nothing around it.
std::string SmallestModule(const std::string& program);
// repro.mlir: the program as function @test, and where it is executed a @main that calls it with a run's data and
// prints the result's sizes and bits.
std::string ReproducerModule(const Reproduction& reproduction);
// The same of the twin. REQUIRES: it has one.
std::string TwinModule(const Reproduction& reproduction);

// The files of the folder by name: case.json, repro.mlir, repro.sh, issue.md, test.mlir and what those need. If one
// pass is enough, repro.mlir is SmallestModule, and what is executed lies beside it. before.mlir and after.mlir are
// PassAlone.
std::map<std::string, std::string> ReproducerFiles(const Reproduction& r);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_REPRODUCER_H_
