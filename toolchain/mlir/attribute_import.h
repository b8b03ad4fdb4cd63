// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's types and attributes -> the model's: tensor types, numbers with their type, the elements of constants.
#ifndef TOSAIC_TOOLCHAIN_MLIR_ATTRIBUTE_IMPORT_H_
#define TOSAIC_TOOLCHAIN_MLIR_ATTRIBUTE_IMPORT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"
#include "model/program.h"
#include "model/tensor.h"

namespace tosaic {

// None: no tensor of an element type that a case can have, or one with an encoding.
std::optional<TensorType> ToTensorType(mlir::Type type);

// An attribute of an op, whether the op's dialect is loaded or not.
mlir::Attribute AttributeOf(mlir::Operation& op, llvm::StringRef name);
// An integer attribute's value, 0 where there is none.
int64_t IntegerOf(mlir::Operation& op, llvm::StringRef name);
std::optional<TypedBits> ToTypedBits(mlir::Attribute attribute);
// The bits of a bound that has no type of its own, as `type`; none if it is no value of it.
std::optional<TypedBits> BoundAs(mlir::Attribute attribute, ElementType type, mlir::Type mlir_type);

// The elements of a constant whose type is `type`; none, and what is in the way.
std::optional<Tensor> ToTensor(mlir::Attribute attribute, mlir::Type type, std::string* why);

// The number behind "NAME = " in the text of an attribute; none if it does not stand there.
std::optional<int64_t> NumberIn(absl::string_view text, absl::string_view name);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_ATTRIBUTE_IMPORT_H_
