// Program -> MLIR text in the spelling of LLVM 22, for people and reproducers. The in-process toolchain builds the
// same module without text; a test holds the two together.
#ifndef TOSAIC_MODEL_MLIR_TEXT_H_
#define TOSAIC_MODEL_MLIR_TEXT_H_

#include <string>

#include "model/program.h"

namespace tosaic {

// A module with one function @main that takes the arguments and returns the results.
std::string ToMlir(const Program& program);

// A tensor's elements as MLIR writes them between dense< and >: floats as bit patterns, "[[0x3f800000, ...], ...]".
std::string DenseElements(const Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_MLIR_TEXT_H_
