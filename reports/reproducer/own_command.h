// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reproducer folder of an implementation other than MLIR: the program, the inputs of a run, and the
// implementation's own command line.
#ifndef TOSAIC_REPORTS_REPRODUCER_OWN_COMMAND_H_
#define TOSAIC_REPORTS_REPRODUCER_OWN_COMMAND_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "model/program.h"
#include "model/verdict.h"

namespace tosaic {

struct OwnCommand {
  std::string implementation;  // "iree 3.13.0"
  std::string command;  // of bash: its program is $program, its function $function, its inputs' files $1, $2, ...
  std::string module;   // MLIR, as the implementation was given it
  Run inputs;           // of the run that shows it
};

// The files by name: case.json, repro.mlir, 0.npy, ..., repro.sh, issue.md.
std::map<std::string, std::string> OwnCommandFiles(const Case& test_case, const Judgement& judgement,
                                                   absl::string_view signature, const OwnCommand& own);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_OWN_COMMAND_H_
