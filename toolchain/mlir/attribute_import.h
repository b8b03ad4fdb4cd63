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

// None if it is not a tensor, if it has an encoding, or if a case cannot have its element type.
std::optional<TensorType> ToTensorType(mlir::Type type);

// Whether a type is the other one, or says less of the same sizes.
bool SaysNoMore(const TensorType& type, const TensorType& than);

// An attribute of an op, whether the op's dialect is loaded or not.
mlir::Attribute AttributeOf(mlir::Operation& op, llvm::StringRef name);
// As MLIR writes it: "#tosa.rounding_mode<SINGLE_ROUND>".
std::string TextOf(mlir::Attribute attribute);
std::optional<TypedBits> ToTypedBits(mlir::Attribute attribute);
// The bits of an untyped bound as a value of `type`; none if it is not such a value.
std::optional<TypedBits> BoundAs(mlir::Attribute attribute, ElementType type, mlir::Type mlir_type);

// The elements of a constant of type `type`; none, with the reason, if they cannot be read.
std::optional<Tensor> ToTensor(mlir::Attribute attribute, mlir::Type type, std::string* why);

// The number after "NAME = " in the text of an attribute; none if it is not there.
std::optional<int64_t> NumberIn(absl::string_view text, absl::string_view name);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_ATTRIBUTE_IMPORT_H_
