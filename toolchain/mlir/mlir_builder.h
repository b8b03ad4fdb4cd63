// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds an MLIR module from a program with the builder API, without text. It can build any well-formed program,
// including illegal ones: the verifier is asked later.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_BUILDER_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_BUILDER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "model/program.h"

namespace tosaic {

mlir::Type ToMlirType(mlir::MLIRContext* context, ElementType type);
mlir::Type ToMlirType(mlir::MLIRContext* context, const TensorType& type);
mlir::Type ToMlirType(mlir::MLIRContext* context, const ValueType& type);
// The catalogue's element type; the second REQUIRES that there is one.
std::optional<ElementType> FindElementType(mlir::Type type);
ElementType ToElementType(mlir::Type type);
// The same characters, which it does not own.
inline llvm::StringRef Ref(absl::string_view text) { return {text.data(), text.size()}; }
// MLIR's spelling of a type.
std::string TextOf(mlir::Type type);
// MLIR's sizes of a ranked shape, dynamic ones included.
Shape ToShape(llvm::ArrayRef<int64_t> sizes);

// Gives the block an argument per argument of the program.
void AddArguments(mlir::Block* block, mlir::MLIRContext* context, const Program& program);

struct BuiltOps {
  std::vector<mlir::Operation*> constants;  // one tosa.const per constant of the program; none of an older dialect
  std::vector<mlir::Operation*> ops;        // one per op of the program, in its order
};
// No ops if an older dialect's parser refuses them. Appends the program's constants and ops to a block that has its
// arguments. An op's location is its name: "%0".
BuiltOps BuildOps(mlir::Block* block, mlir::MLIRContext* context, const Program& program);

// The op of the program that has this location, or the only one within it; whatever is lowered from it should keep it.
std::optional<int> OpAt(mlir::Location location);

struct BuiltModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<mlir::Operation*> ops;  // one per op of the program, in its order
};
// No module if an older dialect's parser refuses it, with a diagnostic. REQUIRES: the tosa and func dialects are
// loaded.
BuiltModule BuildModule(mlir::MLIRContext* context, const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_BUILDER_H_
