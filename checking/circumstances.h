// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circumstances: facts about a finding's case that its signature does not have, and that a known cause may name: the
// patterns of its ops, their element types (a signature beyond the specification has none), their classes of shapes,
// and the passes that may be to blame. Reducing the case changes neither them nor the signature.
#ifndef TOSAIC_CHECKING_CIRCUMSTANCES_H_
#define TOSAIC_CHECKING_CIRCUMSTANCES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/program.h"
#include "model/signature.h"

namespace tosaic {

struct Circumstances {
  // The patterns of the ops, each in every one of these forms that differs:
  // - as written (OpPatterns);
  // - with ops that take constants alone folded to a constant;
  // - either of these with the attributes that tell: the bounds of a clamp if both are infinite,
  //   "clamp(x, -inf, inf, IGNORE)", the unsigned sides of a rescale, "rescale(x, c, c, input_unsigned)", and the -1 of
  //   a new shape, "reshape(x, rest)".
  std::vector<std::string> ops;
  std::vector<std::string> types;   // of the ops: "i8-i32", each once, sorted
  std::vector<std::string> shapes;  // names of the ops' ShapeClass, each once, sorted
  std::vector<std::string> passes;  // by name, each once, sorted
};

// Each op of the program with the ops that its operands come from: "clamp(add(x, 0))". Arguments are x, y, z, ... in
// the order of their first use. A constant is "0" or "1" if all its elements are, else "c"; a shift or zero point of
// constant 0 is left out. The fourth level of nesting is "..", because the relevant patterns are short.
std::vector<std::string> OpPatterns(const Program& program);

// The patterns of the ops whose results no other op uses, joined: the name of a program of several ops.
std::string PatternOf(const Program& program);

// The signature of a finding, given that of its reduced case: if several ops show it together, it includes their
// pattern.
FindingSignature NameOf(FindingSignature signature, const Program& reduced);

// `pipeline`: that of the case's route. The pass is the one in which the case ended, if the signature names it: else
// any of the pipeline may be at fault.
Circumstances CircumstancesOf(const FindingSignature& signature, const Case& test_case, absl::string_view pipeline);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_CIRCUMSTANCES_H_
