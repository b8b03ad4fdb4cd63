// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writers of a reproducer folder's files, and the texts that they share.
#ifndef TOSAIC_REPORTS_REPRODUCER_PARTS_H_
#define TOSAIC_REPORTS_REPRODUCER_PARTS_H_

#include <string>

#include "reports/reproducer/reproducer.h"

namespace tosaic {

// repro.sh. Exit status: 1 while it diverges, 0 once it conforms, 2 if that cannot be told.
std::string ScriptText(const Reproduction& r);
// test.mlir, for lit.
std::string LitTest(const Reproduction& r);
// issue.md.
std::string IssueText(const Reproduction& r);
// driver.c, to be linked with the LLVM IR of the program's function @test (llvm.emit_c_interface), its malloc, free,
// calloc and aligned_alloc wrapped (-Wl,--wrap=malloc,...): calls the program on guarded memory, for what a runner
// cannot show. Prints "diverges: ..." (exit status 1) or "conforms" (0).
std::string DriverText(const Reproduction& r);

// The op that the judgement is about.
const OpApplication& BlamedOp(const Reproduction& r);
// "mul(inf, 0) in f16 gives 0 instead of NaN". It uses the reproduction's case, judgement and end.
std::string Statement(const Reproduction& r);
// "[mlir][tosa] mul(inf, 0) in f16 gives 0 instead of NaN".
std::string Title(const Reproduction& r);
// The part of MLIR at fault: a pass, or "the verifier".
std::string Culprit(const Reproduction& r);
// Whether the code that MLIR makes ends the case, rather than MLIR itself.
bool DiesInCode(const Reproduction& r);
std::string SignalName(int signal);  // "SIGSEGV"

// A module that has each op of the program once, on types of the specification, and with the types of the program's
// values. Any MLIR that knows the program's ops in its dialect's spelling accepts it.
std::string Vocabulary(const Reproduction& r);

// Whether MLIR, which dies or hangs, may as well refuse the program.
bool MayRefuse(const Reproduction& r);
// Whether one pass is enough to show it.
bool HasOnePass(const Reproduction& r);
// The name of the file that is executed.
std::string ExecutedFile(const Reproduction& r);
// Whether the driver in C calls the program.
bool HasDriver(Showing showing);
// Whether the runner executes the program.
bool IsExecuted(Showing showing);
// Whether it runs on another CPU than the machine's.
bool RunsElsewhere(const Reproduction& r);
// Whether the pass pipeline stops before LLVM.
bool EndsEarly(const Reproduction& r);
// Whether the pass pipeline needs the wrappers of APFloat.
bool UsesApFloat(const Reproduction& r);
// Whether the pass pipeline leaves an attribute of the target on the module.
bool HasTarget(const Reproduction& r);
// Runner and mlir-translate do not know that attribute.
inline constexpr char kWithoutTarget[] = "sed 's/^module attributes {tosa.target_env = .*} {/module {/'";

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_PARTS_H_
