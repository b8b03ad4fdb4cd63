// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program -> MLIR text, for people, reproducers and toolchains outside this process. The in-process toolchain builds
// the same module without text; a test holds the two together.
#ifndef TOSAIC_MODEL_MLIR_TEXT_H_
#define TOSAIC_MODEL_MLIR_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "model/dialect.h"
#include "model/program.h"

namespace tosaic {

// A module with one function that takes the arguments and returns the results. Where shifts and zero points are
// attributes, their constants are left out. REQUIRES: the dialect can express it (FindUnwritable).
std::string ToMlir(const Program& program, Dialect dialect = kCanonicalDialect, absl::string_view function = "main");

// An op with any number of operands and results, which no Program has.
struct LooseOp {
  OpKind op = OpKind::kAdd;
  std::vector<TensorType> operands, results;
  Attributes attributes;

  friend bool operator==(const LooseOp& a, const LooseOp& b) = default;
};
// A module with one function around it, whose arguments are the operands; nothing uses the results. REQUIRES: the
// dialect writes all operands as operands: the canonical one, or a newer.
std::string ToMlir(const LooseOp& op, Dialect dialect = kCanonicalDialect);

// A value of an attribute that is an enum, as MLIR writes it: "#tosa.rounding_mode<SINGLE_ROUND>".
template <NamedEnum E>
std::string EnumText(const AttributeInfo& info, E value) {
  return absl::StrCat("#tosa.", info.name, "<", Name(value), ">");
}

// The same where it is kQuoted: "\"SINGLE_ROUND\"".
template <NamedEnum E>
std::string QuotedText(E value) {
  return absl::StrCat("\"", Name(value), "\"");
}

// A constant's attribute: "dense<0x3f800000> : tensor<f32>"; of a block-scaled type as block_text.h says.
std::string ConstantToText(const Tensor& tensor);

// A tensor's elements as MLIR writes them between dense< and >: floats as bit patterns, "[[0x3f800000, ...], ...]".
std::string DenseElements(const Tensor& tensor);
// The same with each element as `literal` writes it.
std::string DenseElements(const Tensor& tensor,
                          absl::FunctionRef<std::string(ElementType type, uint64_t bits)> literal);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_MLIR_TEXT_H_
