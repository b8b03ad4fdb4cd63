// Program -> MLIR text in the spelling of LLVM 22, for people and reproducers. The in-process toolchain builds the
// same module without text; a test holds the two together.
#ifndef TOSAIC_MODEL_MLIR_TEXT_H_
#define TOSAIC_MODEL_MLIR_TEXT_H_

#include <string>

#include "model/program.h"

namespace tosaic {

// A module with one function @main that takes the arguments and returns the results.
std::string ToMlir(const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_MLIR_TEXT_H_
