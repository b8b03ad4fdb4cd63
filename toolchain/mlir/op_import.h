// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An elementwise op of TOSA as some version of the dialect spells it -> what the canonical dialect says in its place.
#ifndef TOSAIC_TOOLCHAIN_MLIR_OP_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_OP_IMPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mlir/IR/Operation.h"
#include "model/dialect.h"
#include "model/op_catalogue.h"
#include "model/program.h"

namespace tosaic {

// An op in canonical terms. Its operands are values of MLIR, and behind them the constants that are attributes in that
// version: a shift, zero points.
struct ImportedOp {
  std::vector<mlir::Value> operands;
  std::vector<Tensor> special_operands;
  Attributes attributes;
  TensorType result;
};

// Why it is not the op as that version spells it, by its operands and attributes; empty: it is.
std::string WhyNotSpelled(mlir::Operation& op, OpKind kind, const DialectInfo& version);

// Why what it says cannot be said in canonical terms; empty: *imported says it. REQUIRES: the version spells it so, and
// its operands are tensors of the model's types, or shapes.
std::string ImportOp(mlir::Operation& op, OpKind kind, const DialectInfo& version, ImportedOp* imported);

// Whether an op of this name only looks at a tensor: it computes nothing that would have to be judged.
bool OnlyReads(absl::string_view name);

// Whether a program can have the constant. The weights of a network that only other ops take are not read: they take
// longer than all else.
bool IsTaken(mlir::Operation& constant);

// The elements of a constant (tosa.const, arith.constant, or a constant of an unknown dialect, which has nothing but
// its elements); none if it is no constant, or with the reason if its elements cannot be read. If it is the tosa.const
// of another version, *spelled is that.
std::optional<Tensor> ImportConstant(mlir::Operation& op, const DialectInfo& version, std::string* why,
                                     const DialectInfo** spelled);

// The sizes that an op of shapes makes, where the file tells them: those that a tosa.const_shape holds, a static size
// that tosa.dim takes, and what tosa.concat_shape makes of such. None: it is another op (or null), or they are not
// told.
std::optional<std::vector<int64_t>> ConstantShape(mlir::Operation* op);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_OP_IMPORT_H_
