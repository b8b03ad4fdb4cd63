// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite as lit tests that MLIR could take: per op a file of lowerings whose CHECK lines say what the
// RFC and the specification demand, one of illegal programs, and one that runs. Everything in them comes from the
// oracle; MLIR is not asked.
#ifndef TOSAIC_LIT_LIT_SUITE_H_
#define TOSAIC_LIT_LIT_SUITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/op_catalogue.h"

namespace tosaic {

// The form of the lowering to linalg: a linalg.generic, or the linalg.elementwise of the op's kind where there is one.
enum class LitForm : uint8_t { kGeneric, kElementwise };
EnumNames NamesOf(LitForm form);

struct LitOptions {
  std::vector<OpKind> ops;  // empty: all
  std::string pass = "tosa-to-linalg";
  LitForm form = LitForm::kGeneric;
};

struct LitFile {
  std::string name;  // of the op's lowerings its own; with "-invalid" or "-run" behind it
  std::string content;
};
std::vector<LitFile> LitSuite(const LitOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_LIT_LIT_SUITE_H_
