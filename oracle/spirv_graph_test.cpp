// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as the instruction set's document has them, as literals, and each of them spoiled in one way per rule.
#include "oracle/spirv_graph.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/mlir_text.h"
#include "oracle/explain.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

using MadeBy = SpirvValue::Kind;
using enum ValueRef::Kind;

TensorType SpirvType(absl::string_view text) { return ParseTensorType(text).value(); }

// A case and its graph, which the spoilers change.
struct GraphExample {
  Case test_case;
  SpirvGraph graph;

  Program& program() { return test_case.program; }
  int Add(SpirvValue value) {
    graph.values.push_back(std::move(value));
    return static_cast<int>(graph.values.size()) - 1;
  }
  // An argument of the program and its input.
  void Argument(absl::string_view type, absl::string_view in_graph) {
    const auto number = static_cast<int64_t>(program().arguments.size());
    program().arguments.push_back(SpirvType(type));
    Add({.kind = MadeBy::kInput, .type = SpirvType(in_graph), .number = number});
  }
  void Argument(absl::string_view type) { Argument(type, type); }
  int GraphConstant(ElementType type, std::vector<int64_t> sizes, absl::string_view hex) {
    return Add({.kind = MadeBy::kConstant,
                .type = TensorType{Shape::OfSizes(sizes), type},
                .elements = TensorFromHex(type, sizes, hex).value()});
  }
  // A constant of the program, and the same in the graph.
  void Constant(ElementType type, const std::vector<int64_t>& sizes, absl::string_view hex) {
    program().constants.push_back(TensorFromHex(type, sizes, hex).value());
    GraphConstant(type, sizes, hex);
  }
  void Op(OpKind op, std::vector<ValueRef> operands, absl::string_view type, Attributes attributes = {}) {
    program().ops.push_back({op, std::move(operands), std::move(attributes), SpirvType(type)});
    program().results = {{kOp, static_cast<int>(program().ops.size()) - 1}};
  }
  int Instruction(std::string name, std::vector<int> operands, absl::string_view type,
                  std::vector<SpirvAttribute> attributes = {}) {
    graph.outputs = {Add({.kind = MadeBy::kInstruction,
                          .name = std::move(name),
                          .operands = std::move(operands),
                          .attributes = std::move(attributes),
                          .type = SpirvType(type)})};
    return graph.outputs[0];
  }
  void Returns(int value) { graph.outputs = {value}; }
};

// greater_equal(mul(a, b) - c, a), and the difference.
GraphExample Chain() {
  GraphExample e;
  e.Argument("tensor<1x2xi32>");
  e.Argument("tensor<1x1xi32>");
  e.Constant(ElementType::kI8, {1}, "03");
  e.Constant(ElementType::kI32, {1, 2}, "00000001 ffffffff");
  e.Op(OpKind::kMul, {{kArgument, 0}, {kArgument, 1}, {kConstant, 0}}, "tensor<1x2xi32>");
  e.Op(OpKind::kSub, {{kOp, 0}, {kConstant, 1}}, "tensor<1x2xi32>");
  e.Op(OpKind::kGreaterEqual, {{kOp, 1}, {kArgument, 0}}, "tensor<1x2xi1>");
  e.program().results = {{kOp, 2}, {kOp, 1}};
  e.Instruction("Mul", {0, 1, 2}, "tensor<1x2xi32>");
  e.Instruction("Sub", {4, 3}, "tensor<1x2xi32>");
  e.Instruction("GreaterEqual", {5, 0}, "tensor<1x2xi1>");
  e.graph.outputs = {6, 5};
  return e;
}

GraphExample Clamp() {
  GraphExample e;
  e.Argument("tensor<2xf32>");
  Attributes attributes;
  attributes.min_val = {ElementType::kF32, 0xbf800000};
  attributes.max_val = {ElementType::kF32, 0x7f800000};
  attributes.nan_mode = NanMode::kIgnore;
  e.Op(OpKind::kClamp, {{kArgument, 0}}, "tensor<2xf32>", attributes);
  e.Instruction("Clamp", {0}, "tensor<2xf32>",
                {{"min_val", "0xbf800000 : f32"}, {"max_val", "0x7f800000 : f32"}, {"nan_mode", "Ignore"}});
  return e;
}

// No nan_mode is the first one.
GraphExample Maximum() {
  GraphExample e;
  e.Argument("tensor<2xf32>");
  e.Argument("tensor<2xf32>");
  e.Op(OpKind::kMaximum, {{kArgument, 0}, {kArgument, 1}}, "tensor<2xf32>");
  e.Instruction("Maximum", {0, 1}, "tensor<2xf32>", {{"nan_mode", "Propagate"}});
  return e;
}

// From i48, whose zero point is -1.
GraphExample Rescale() {
  GraphExample e;
  e.Argument("tensor<2xi48>", "tensor<2xi64>");
  e.Constant(ElementType::kI16, {1}, "4000");
  e.Constant(ElementType::kI8, {1}, "0e");
  e.program().constants.push_back(TensorFromHex(ElementType::kI48, {1}, "ffffffffffff").value());
  e.GraphConstant(ElementType::kI64, {1}, "ffffffffffffffff");
  e.Constant(ElementType::kI8, {1}, "00");
  Attributes attributes;
  attributes.scale32 = false;
  attributes.rounding_mode = RoundingMode::kDoubleRound;
  attributes.per_channel = false;
  attributes.input_unsigned = false;
  attributes.output_unsigned = true;
  e.Op(OpKind::kRescale, {{kArgument, 0}, {kConstant, 0}, {kConstant, 1}, {kConstant, 2}, {kConstant, 3}},
       "tensor<2xi8>", attributes);
  e.Instruction("Rescale", {0, 1, 2, 3, 4}, "tensor<2xi8>",
                {{"scale32", "false"},
                 {"rounding_mode", "DoubleRound"},
                 {"per_channel", "false"},
                 {"input_unsigned", "false"},
                 {"output_unsigned", "true"}});
  return e;
}

GraphExample Reshape() {
  GraphExample e;
  e.Argument("tensor<2x3xf32>");
  Attributes attributes;
  attributes.new_shape = {3, 2};
  e.Op(OpKind::kReshape, {{kArgument, 0}}, "tensor<3x2xf32>", attributes);
  e.GraphConstant(ElementType::kI32, {2}, "00000003 00000002");
  e.Instruction("Reshape", {0, 1}, "tensor<3x2xf32>");
  return e;
}

GraphExample Scalar() {
  GraphExample e;
  e.Argument("tensor<f32>", "tensor<1xf32>");
  e.Op(OpKind::kAbs, {{kArgument, 0}}, "tensor<f32>");
  e.Instruction("Abs", {0}, "tensor<1xf32>");
  return e;
}

GraphExample Dynamic() {
  GraphExample e;
  e.Argument("tensor<?x3xf32>", "tensor<?x?xf32>");
  e.Op(OpKind::kAbs, {{kArgument, 0}}, "tensor<?x3xf32>");
  e.Op(OpKind::kIdentity, {{kOp, 0}}, "tensor<?x3xf32>");
  e.Instruction("Abs", {0}, "tensor<?x?xf32>");
  return e;
}

// x + 0, which is x. The other argument is no operand.
GraphExample Increased(absl::string_view by) {
  GraphExample e;
  e.Argument("tensor<2xi32>");
  e.Argument("tensor<2xi32>");
  e.Constant(ElementType::kI32, {1}, by);
  e.Op(OpKind::kAdd, {{kArgument, 0}, {kConstant, 0}}, "tensor<2xi32>");
  const Tensor data = TensorFromHex(ElementType::kI32, {2}, "00000005 fffffff6").value();
  e.test_case.runs = {{data, data}};
  e.Returns(0);
  return e;
}
GraphExample FoldedToInput() { return Increased("00000000"); }
GraphExample FoldedWrongly() { return Increased("00000001"); }

// 2 + 3, which is 5.
GraphExample FoldedToConstant() {
  GraphExample e;
  e.Constant(ElementType::kI32, {1}, "00000002");
  e.Constant(ElementType::kI32, {1}, "00000003");
  e.Op(OpKind::kAdd, {{kConstant, 0}, {kConstant, 1}}, "tensor<1xi32>");
  e.test_case.runs = {{}};
  e.Returns(e.GraphConstant(ElementType::kI32, {1}, "00000005"));
  return e;
}

// -(-x), which saturates.
GraphExample NegatedTwice(absl::string_view data) {
  GraphExample e;
  e.Argument("tensor<2xi8>");
  e.Constant(ElementType::kI8, {1}, "00");
  e.Op(OpKind::kNegate, {{kArgument, 0}, {kConstant, 0}, {kConstant, 0}}, "tensor<2xi8>");
  e.Op(OpKind::kNegate, {{kOp, 0}, {kConstant, 0}, {kConstant, 0}}, "tensor<2xi8>");
  e.test_case.runs = {{TensorFromHex(ElementType::kI8, {2}, data).value()}};
  e.Returns(0);
  return e;
}
GraphExample NegatedTwiceAboveLeast() { return NegatedTwice("81 7f"); }
GraphExample NegatedTwiceLeast() { return NegatedTwice("81 80"); }

// | |x| |, which is |x|.
GraphExample FoldedToInstruction() {
  GraphExample e;
  e.Argument("tensor<2xi32>");
  e.Op(OpKind::kAbs, {{kArgument, 0}}, "tensor<2xi32>");
  e.Op(OpKind::kAbs, {{kOp, 0}}, "tensor<2xi32>");
  e.test_case.runs = {{TensorFromHex(ElementType::kI32, {2}, "00000001 ffffffff").value()}};
  e.Instruction("Abs", {0}, "tensor<2xi32>");
  return e;
}

// A reshape of a reshape, of which the second takes what the first takes.
GraphExample ReshapedTwice() {
  GraphExample e;
  e.Argument("tensor<6xf32>");
  e.Argument("tensor<6xf32>");
  Attributes attributes;
  attributes.new_shape = {2, 3};
  e.Op(OpKind::kReshape, {{kArgument, 0}}, "tensor<2x3xf32>", attributes);
  attributes.new_shape = {3, 2};
  e.Op(OpKind::kReshape, {{kOp, 0}}, "tensor<3x2xf32>", attributes);
  e.GraphConstant(ElementType::kI32, {2}, "00000003 00000002");
  e.Instruction("Reshape", {0, 2}, "tensor<3x2xf32>");
  return e;
}

// x + 0 of a zero with two elements is x only if x has two.
GraphExample FoldedBroadcast(int64_t extent) {
  GraphExample e;
  e.Argument("tensor<?xi32>");
  e.Constant(ElementType::kI32, {2}, "00000000 00000000");
  e.Op(OpKind::kAdd, {{kArgument, 0}, {kConstant, 0}}, "tensor<?xi32>");
  e.test_case.runs = {{Tensor(ElementType::kI32, {extent})}};
  e.Returns(0);
  return e;
}
GraphExample FoldedBroadcastOf1() { return FoldedBroadcast(1); }
GraphExample FoldedBroadcastOf2() { return FoldedBroadcast(2); }

using Spoil = void (*)(SpirvGraph& graph);
struct SpoiledGraph {
  GraphExample (*example)();
  Spoil spoil;
  RuleId rule;
};
void AsItIs(SpirvGraph&) {}

const SpoiledGraph kSpoiledGraphs[] = {
    {Chain, [](SpirvGraph& g) { g.values[5].name = "Add"; }, RuleId::kSpirvOp},
    {Chain, [](SpirvGraph& g) { g.values[6].name = "Greater"; }, RuleId::kSpirvOp},
    {Chain, [](SpirvGraph& g) { g.values.push_back({.name = "builtin.unrealized_conversion_cast"}); },
     RuleId::kSpirvOp},
    {Chain, [](SpirvGraph& g) { g.values.push_back(g.values[5]); }, RuleId::kSpirvOp},
    {Chain, [](SpirvGraph& g) { g.values[0].type = SpirvType("tensor<2x1xi32>"); }, RuleId::kSpirvType},
    {Chain, [](SpirvGraph& g) { g.values[4].type = SpirvType("tensor<1x2xi16>"); }, RuleId::kSpirvType},
    {Chain, [](SpirvGraph& g) { g.values[2].type = SpirvType("tensor<1x1xi8>"); }, RuleId::kSpirvType},
    {Chain, [](SpirvGraph& g) { g.values[6].type.reset(); }, RuleId::kSpirvType},
    {Chain, [](SpirvGraph& g) { g.values[5].operands = {3, 4}; }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g.values[5].operands = {4, 0}; }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g.values[6].operands = {5, 1}; }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g.values[4].operands = {0, 1}; }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g.outputs.pop_back(); }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g = {}; }, RuleId::kSpirvOperands},
    {Chain, [](SpirvGraph& g) { g.values[2].elements->SetBits(0, 2); }, RuleId::kSpirvConstant},
    {Chain, [](SpirvGraph& g) { g.values[3].elements->SetBits(1, 0xfffffffe); }, RuleId::kSpirvConstant},
    {Clamp, [](SpirvGraph& g) { g.values[1].attributes[0].value = "0xbf800001 : f32"; }, RuleId::kSpirvAttribute},
    {Clamp, [](SpirvGraph& g) { g.values[1].attributes[1].value = "0x7f80 : bf16"; }, RuleId::kSpirvAttribute},
    {Clamp, [](SpirvGraph& g) { g.values[1].attributes[2].value = "Propagate"; }, RuleId::kSpirvAttribute},
    {Clamp, [](SpirvGraph& g) { g.values[1].attributes.pop_back(); }, RuleId::kSpirvAttribute},
    {Maximum, [](SpirvGraph& g) { g.values[2].attributes[0].value = "Ignore"; }, RuleId::kSpirvAttribute},
    {Maximum, [](SpirvGraph& g) { g.values[2].operands = {0, 0}; }, RuleId::kSpirvOperands},
    {Rescale, [](SpirvGraph& g) { g.values[5].attributes[1].value = "InexactRound"; }, RuleId::kSpirvAttribute},
    {Rescale, [](SpirvGraph& g) { g.values[5].attributes[4].value = "false"; }, RuleId::kSpirvAttribute},
    {Rescale, [](SpirvGraph& g) { g.values[3].elements->SetBits(0, 0xffffffffffff); }, RuleId::kSpirvConstant},
    {Rescale, [](SpirvGraph& g) { g.values[0].type = SpirvType("tensor<2xi48>"); }, RuleId::kSpirvType},
    {Reshape, [](SpirvGraph& g) { g.values[1].elements->SetBits(0, 2); }, RuleId::kSpirvConstant},
    {Reshape, [](SpirvGraph& g) { g.values[2].operands = {0}; }, RuleId::kSpirvOperands},
    {Scalar, [](SpirvGraph& g) { g.values[1].type = SpirvType("tensor<f32>"); }, RuleId::kSpirvType},
    {Dynamic, [](SpirvGraph& g) { g.values[1].type = SpirvType("tensor<?x3xf32>"); }, RuleId::kSpirvType},
    {FoldedWrongly, AsItIs, RuleId::kSpirvValue},
    {FoldedToInput, [](SpirvGraph& g) { g.outputs = {1}; }, RuleId::kSpirvOperands},
    {FoldedToConstant, [](SpirvGraph& g) { g.values[2].elements->SetBits(0, 4); }, RuleId::kSpirvValue},
    {FoldedToInstruction, [](SpirvGraph& g) { g.outputs = {0}; }, RuleId::kSpirvValue},
    {ReshapedTwice, [](SpirvGraph& g) { g.values[3].operands = {1, 2}; }, RuleId::kSpirvOperands},
    {NegatedTwiceLeast, AsItIs, RuleId::kSpirvValue},
    {FoldedBroadcastOf1, AsItIs, RuleId::kSpirvValue},
};

// What is right, with the notes that say which freedom it takes.
const SpoiledGraph kRightGraphs[] = {
    {Chain, AsItIs, RuleId::kNone},
    {Chain, [](SpirvGraph& g) { std::swap(g.values[4].operands[0], g.values[4].operands[1]); }, RuleId::kSpirvCommuted},
    {Clamp, AsItIs, RuleId::kNone},
    {Maximum, AsItIs, RuleId::kNone},
    {Maximum, [](SpirvGraph& g) { g.values[2].operands = {1, 0}; }, RuleId::kSpirvCommuted},
    {Rescale, AsItIs, RuleId::kNone},
    {Reshape, AsItIs, RuleId::kNone},
    {Scalar, AsItIs, RuleId::kSpirvScalar},
    {Dynamic, AsItIs, RuleId::kNone},
    {FoldedToInput, AsItIs, RuleId::kSpirvFolded},
    {FoldedToConstant, AsItIs, RuleId::kSpirvFolded},
    {FoldedToInstruction, AsItIs, RuleId::kSpirvFolded},
    {ReshapedTwice, AsItIs, RuleId::kSpirvFolded},
    {NegatedTwiceAboveLeast, AsItIs, RuleId::kSpirvFolded},
    {FoldedBroadcastOf2, AsItIs, RuleId::kSpirvFolded},
};

SpirvCheck Checked(const SpoiledGraph& row, std::string* program = nullptr) {
  GraphExample example = row.example();
  row.spoil(example.graph);
  if (program != nullptr) *program = ToMlir(example.program());
  return CheckSpirvGraph(example.test_case, example.graph, {});
}

TEST(SpirvGraphTest, EachRuleIsBrokenByOneMistake) {
  std::string program;
  for (size_t i = 0; i < std::size(kSpoiledGraphs); ++i) {
    const SpirvCheck check = Checked(kSpoiledGraphs[i], &program);
    ASSERT_TRUE(check.breach) << "row " << i << ", " << Name(kSpoiledGraphs[i].rule) << "\n" << program;
    EXPECT_EQ(check.breach->rule, kSpoiledGraphs[i].rule)
        << "row " << i << ": " << check.breach->expected << ", not " << check.breach->actual << "\n"
        << program;
  }
}

TEST(SpirvGraphTest, RightGraphsBreakNoneAndNoteTheirFreedom) {
  for (const SpoiledGraph& row : kRightGraphs) {
    std::string program;
    const SpirvCheck check = Checked(row, &program);
    EXPECT_FALSE(check.breach) << Name(check.breach->rule) << ": " << check.breach->actual << "\n" << program;
    const std::vector<RuleId> notes = row.rule == RuleId::kNone ? std::vector<RuleId>() : std::vector{row.rule};
    EXPECT_EQ(check.notes, notes) << program;
  }
}

TEST(SpirvGraphTest, TypesAreMapped) {
  constexpr std::pair<absl::string_view, absl::string_view> kRows[] = {
      {"tensor<2x3xi1>", "tensor<2x3xi1>"},
      {"tensor<2xi48>", "tensor<2xi64>"},
      {"tensor<2x?xi8>", "tensor<?x?xi8>"},
      {"tensor<*xbf16>", "tensor<*xbf16>"},
      {"tensor<f8E5M2>", "tensor<1xf8E5M2>"},
      {"tensor<2xi64>", ""},
      {"tensor<2xi4>", ""},
      {"tensor<2xf64>", ""},
  };
  for (const auto& [type, mapped] : kRows) {
    const std::optional<TensorType> actual = TypeInGraph(SpirvType(type));
    EXPECT_EQ(actual ? ToString(*actual) : "", mapped) << type;
  }
}

TEST(SpirvGraphTest, WhatTheSetLacksIsNamed) {
  struct Row {
    absl::string_view signature;
    absl::string_view inexpressible;
    absl::string_view refusable;  // if it can be expressed
  };
  constexpr Row kRows[] = {
      {"abs(tensor<2xi32>) -> tensor<2xi32>", "", ""},
      {"abs(tensor<2xi8>) -> tensor<2xi8>", "the instruction set has no abs(tensor<2xi8>) -> tensor<2xi8>", ""},
      {"abs(tensor<2xi64>) -> tensor<2xi64>", "the instruction set has no type for i64", ""},
      {"identity(tensor<2xi4>) -> tensor<2xi4>", "the instruction set has no type for i4", ""},
      {"identity(tensor<2xi48>) -> tensor<2xi48>", "", "the instruction set has no IDENTITY"},
      {"abs(tensor<?xf32>) -> tensor<?xf32>", "", "tensors of TOSA 1.0 have static shapes"},
      {"abs(tensor<*xf32>) -> tensor<*xf32>", "", "tensors of TOSA 1.0 have static shapes"},
      {"abs(tensor<f32>) -> tensor<f32>", "", "a tensor of SPIR-V has no shape of rank 0"},
      {"abs(tensor<1x1x1x1x1x2xf32>) -> tensor<1x1x1x1x1x2xf32>", "", ""},
      {"abs(tensor<1x1x1x1x1x1x2xf32>) -> tensor<1x1x1x1x1x1x2xf32>", "", "level 8K of TOSA has ranks up to 6"},
      {"mul(tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>",
       "shifts, scales, zero points and tables must be constants", ""},
      {"cast(tensor<2xf32>) -> tensor<2xi1>", "the instruction set has no cast(tensor<2xf32>) -> tensor<2xi1>", ""},
      {"cast(tensor<2xf32>) -> tensor<2xf8E4M3FN>", "", ""},
  };
  for (const Row& row : kRows) {
    const Program program = ParseSignature(row.signature).value();
    EXPECT_EQ(WhyInexpressible(program), row.inexpressible) << row.signature;
    EXPECT_EQ(WhyRefusable(program), row.inexpressible.empty() ? row.refusable : row.inexpressible) << row.signature;
  }
  for (const int64_t entries : {256, 255}) {
    Program table = ParseSignature("table(tensor<2xi8>, tensor<256xi8>) -> tensor<2xi8>").value();
    table.arguments.pop_back();
    table.constants = {Tensor(ElementType::kI8, {entries})};
    table.ops[0].operands[1] = {kConstant, 0};
    EXPECT_EQ(WhyInexpressible(table), entries == 256 ? "" : "a table of i8 has 256 entries");
  }
  Program reshape = Reshape().program();
  EXPECT_EQ(WhyRefusable(reshape), "");
  reshape.ops[0].attributes.new_shape = {3, -1};
  EXPECT_EQ(WhyInexpressible(reshape), "a shape of the instruction set has no -1");
}

}  // namespace

std::set<RuleId> RulesOfGraphs() {
  std::set<RuleId> named;
  for (const SpoiledGraph& row : kSpoiledGraphs) named.insert(Checked(row).breach->rule);
  for (const SpoiledGraph& row : kRightGraphs) {
    const std::vector<RuleId> notes = Checked(row).notes;
    named.insert(notes.begin(), notes.end());
  }
  return named;
}

}  // namespace tosaic
