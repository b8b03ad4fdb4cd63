// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpirvGraph: a graph of SPIR-V (SPV_ARM_graph) whose instructions are those of the TOSA extended instruction set, as a
// plain value. It only records and does not judge. It does not depend on MLIR.
#ifndef TOSAIC_MODEL_SPIRV_GRAPH_H_
#define TOSAIC_MODEL_SPIRV_GRAPH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/shape.h"
#include "model/tensor.h"

namespace tosaic {

class Visitor;

// An attribute argument, which the instruction set takes from a constant: a number as NumberText writes it, "true", or
// an enumerated value's name as MLIR spells it ("SingleRound").
struct SpirvAttribute {
  std::string name;
  std::string value;

  friend bool operator==(const SpirvAttribute& a, const SpirvAttribute& b) = default;
};
void Fields(Visitor& v, SpirvAttribute& attribute);

// "0x3f800000 : f32".
std::string NumberText(ElementType type, uint64_t bits);

// A value of the graph and what makes it.
struct SpirvValue {
  enum class Kind : uint8_t {
    kInput,        // `number`: which
    kConstant,     // `elements`
    kInstruction,  // of the set: `name` is its name as MLIR spells it, "GreaterEqual"
    kOther,        // anything else: `name` of the op, "builtin.unrealized_conversion_cast"
  };
  Kind kind = Kind::kOther;
  std::string name = {};
  std::vector<int> operands = {};               // earlier entries of SpirvGraph::values; the input arguments, in order
  std::vector<SpirvAttribute> attributes = {};  // those that the catalogue knows
  std::optional<TensorType> type = {};          // `?` in all dimensions: its shape is absent; unranked: its rank too
  int64_t number = 0;                           // kInput
  std::optional<Tensor> elements = {};          // kConstant

  friend bool operator==(const SpirvValue& a, const SpirvValue& b) = default;
};
EnumNames NamesOf(SpirvValue::Kind kind);  // "input"
void Fields(Visitor& v, SpirvValue& value);

struct SpirvGraph {
  std::vector<SpirvValue> values;
  std::vector<int> outputs;  // entries of `values`

  friend bool operator==(const SpirvGraph& a, const SpirvGraph& b) = default;
};
void Fields(Visitor& v, SpirvGraph& graph);

// "GreaterEqual tensor<2xi1>", for messages.
std::string Describe(const SpirvValue& value);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPIRV_GRAPH_H_
