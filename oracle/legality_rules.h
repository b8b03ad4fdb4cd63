// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of legality.cpp that are defined in other files, and the Subject that all of them judge.
#ifndef TOSAIC_ORACLE_LEGALITY_RULES_H_
#define TOSAIC_ORACLE_LEGALITY_RULES_H_

#include <cstddef>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "model/op_catalogue.h"
#include "model/program.h"
#include "model/shape.h"
#include "oracle/legality.h"

namespace tosaic {

inline constexpr Decision kNoObjection = {};
inline constexpr size_t kUsualOperands = 4;

// The input of every rule. It points to shapes instead of copying them, because this is the sweep's hot path.
class Subject {
 public:
  Subject(const Program& program, const OpApplication& op, const Policies& policies)
      : program(program), op(op), info(Info(op.op)), policies(policies) {
    constant_shapes_.reserve(op.operands.size());
    for (ValueRef operand : op.operands) AddOperand(operand);
    input_type = element_types[FirstInput(info)];
  }
  Subject(const Subject&) = delete;

  absl::Span<const Shape* const> BroadcastShapes() const {
    return absl::MakeConstSpan(shapes).first(BroadcastOperandCount(info));
  }
  // The constant that operand `i` is, or null.
  const Tensor* Constant(size_t i) const { return AsConstant(program, op.operands[i]); }

  const Program& program;
  const OpApplication& op;
  const OpInfo& info;
  const Policies& policies;
  absl::InlinedVector<const Shape*, kUsualOperands> shapes;  // per operand, as are the element types
  absl::InlinedVector<ElementType, kUsualOperands> element_types;
  ElementType input_type;
  bool inputs_differ = false;  // in their element types
  std::optional<Shape> inferred;

 private:
  void AddOperand(ValueRef ref) {
    if (const Tensor* constant = AsConstant(program, ref)) {
      constant_shapes_.push_back(Shape::OfSizes(constant->sizes()));
      shapes.push_back(&constant_shapes_.back());
      element_types.push_back(constant->element_type());
      return;
    }
    const TensorType& type =
        ref.kind == ValueRef::Kind::kArgument ? program.arguments[ref.index] : program.ops[ref.index].result;
    shapes.push_back(&type.shape);
    element_types.push_back(type.element_type);
  }

  absl::InlinedVector<Shape, 1> constant_shapes_;  // reserved at once, so pointers into it stay valid
};

// The rules about attributes, and about the values of constant operands (legality_of_attributes.cpp). Each is
// independent of the others.
Decision CheckAttributesPresent(Subject& s);  // legal.attribute.missing
Decision CheckBounds(Subject& s);             // legal.attribute.bounds
Decision CheckZeroPoints(Subject& s);         // legal.zero-point
Decision CheckShift(Subject& s);              // legal.shift
Decision CheckRescale(Subject& s);            // legal.rescale
Decision CheckInputUnsigned(Subject& s);      // legal.input-unsigned

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LEGALITY_RULES_H_
