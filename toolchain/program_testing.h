// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs and cases for the tests of this folder: one op with its attributes and special operands, plain data.
#ifndef TOSAIC_TOOLCHAIN_PROGRAM_TESTING_H_
#define TOSAIC_TOOLCHAIN_PROGRAM_TESTING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/op_catalogue.h"
#include "model/program.h"
#include "model/signature_program.h"
#include "model/special_operands.h"
#include "model/static_program.h"

namespace tosaic {

inline uint64_t One(ElementType type) { return OneBits(type); }

inline Tensor Filled(ElementType type, std::vector<int64_t> sizes, uint64_t bits) {
  Tensor tensor(type, std::move(sizes));
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, bits);
  return tensor;
}

inline Tensor TensorOf(ElementType type, std::vector<int64_t> sizes, const std::vector<uint64_t>& bits) {
  Tensor tensor(type, std::move(sizes));
  for (size_t i = 0; i < bits.size(); ++i) tensor.SetBits(i, bits[i]);
  return tensor;
}

inline Shape Dynamic(size_t rank) { return Shape(std::vector<Dim>(rank, Dim::Dynamic())); }

// Every attribute that the op has, sizes apart: bounds 0 and 1, else its kind's last value.
inline Attributes AllAttributes(const OpInfo& op, ElementType type) {
  Attributes attributes;
  const ByKind set{[&](const AttributeInfo& info, std::optional<TypedBits>& number) {
                     number = {type, info.at_most ? 0 : OneBits(type)};
                   },
                   [](const AttributeInfo&, std::optional<bool>& value) { value = true; },
                   []<NamedEnum E>(const AttributeInfo&, std::optional<E>& value) { value = All<E>().back(); },
                   [](const AttributeInfo&, std::optional<std::vector<int64_t>>&) {}};
  ForEachAttribute(attributes, [&](const AttributeInfo& info, auto& value) {
    if (IsDrawn(op, info.attribute)) set(info, value);
  });
  if (op.kind == OpKind::kRescale) {  // not all suit each other
    attributes = {.scale32 = type != ElementType::kI48,
                  .rounding_mode = RoundingMode::kSingleRound,
                  .per_channel = false,
                  .input_unsigned = false,
                  .output_unsigned = false};
  }
  return attributes;
}

// One op whose operands are arguments of `shape`; parameters are the plainest constants.
inline Program OneOp(const OpInfo& op, ElementType input, ElementType result, const Shape& shape) {
  Program program;
  OpApplication application{.op = op.kind, .operands = {}, .attributes = AllAttributes(op, input), .result = {}};
  application.result = {shape, result};
  StateNewShape(application);
  for (OperandRole role : op.operands) {
    if (IsSpecial(role)) {
      application.operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program.constants.size())});
      program.constants.push_back(PlainParameter(role, input, result, application.attributes));
    } else {
      application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size())});
      program.arguments.push_back({shape, TypeOfOperand(role, input, result)});
    }
  }
  program.ops = {application};
  program.results = {{ValueRef::Kind::kOp, 0}};
  return program;
}

// The same for a tuple of the specification.
inline Program OneOp(const OpInfo& op, const TypeTuple& tuple, const Shape& shape) {
  return OneOp(op, tuple.input, tuple.result, shape);
}

// The program with one run, all arguments of these sizes and filled with ones.
inline Case OnOnes(const Program& program, const std::vector<int64_t>& sizes) {
  Case test_case;
  test_case.program = program;
  test_case.runs.emplace_back();
  for (const TensorType& type : program.arguments) {
    test_case.runs[0].push_back(Filled(type.element_type, sizes, One(type.element_type)));
  }
  return test_case;
}

// A case of one op on arguments; with a run of two elements each that are 1, or without any.
inline Case CaseOf(absl::string_view signature, bool runs = true, absl::string_view route = "loops") {
  Case test_case = OnOnes(ParseSignature(signature).value(), {2});
  test_case.route = std::string(route);
  if (!runs) test_case.runs.clear();
  return test_case;
}

// A case of one op on arguments of these types, with a run of this data.
inline Case CaseOf(OpKind op, const std::vector<TensorType>& arguments, const TensorType& result, const Run& run) {
  Case test_case;
  test_case.program.arguments = arguments;
  OpApplication application{.op = op, .operands = {}, .attributes = {}, .result = result};
  for (size_t i = 0; i < arguments.size(); ++i) {
    application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
  }
  test_case.program.ops = {application};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {run};
  return test_case;
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_PROGRAM_TESTING_H_
