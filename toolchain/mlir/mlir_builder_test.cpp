// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module that is built and the module parsed from the text of a reproducer are the same.
#include "toolchain/mlir/mlir_builder.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "model/mlir_text.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

constexpr auto kArgument = ValueRef::Kind::kArgument;
constexpr auto kConstant = ValueRef::Kind::kConstant;
constexpr auto kOp = ValueRef::Kind::kOp;

class MlirBuilder : public testing::Test {
 protected:
  MlirBuilder() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.loadDialect<mlir::func::FuncDialect, mlir::tosa::TosaDialect>();
  }

  static std::string Generic(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, mlir::OpPrintingFlags().printGenericOpForm());
    return text;
  }

  std::string Built(const Program& program) { return Generic(*BuildModule(&context_, program).module); }

  std::string Parsed(const Program& program) {
    std::string errors;
    mlir::ScopedDiagnosticHandler handler(&context_, [&](mlir::Diagnostic& diagnostic) {
      errors += diagnostic.str() + "\n";
      return mlir::success();
    });
    // Illegal programs have a text too; the verifier is asked elsewhere.
    const mlir::ParserConfig config(&context_, /*verifyAfterParse=*/false);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(ToMlir(program), config);
    return module ? Generic(*module) : "does not parse: " + errors;
  }

  void ExpectSame(const Program& program) { EXPECT_EQ(Built(program), Parsed(program)) << ToMlir(program); }

  mlir::MLIRContext context_;
};

// One program that adds up `values` constants of a type, each element as given.
Program ReturnsConstant(const Tensor& constant) {
  Program program;
  program.constants = {constant};
  program.results = {{kConstant, 0}};
  return program;
}

// Zeros, ones, all bits, single bits and both NaN kinds, whatever the width.
std::vector<uint64_t> Patterns(ElementType type) {
  const uint64_t mask = BitMask(type);
  std::vector<uint64_t> patterns = {0, One(type), mask, mask >> 1, mask ^ (mask >> 1), 0x5a5a5a5a5a5a5a5a & mask};
  if (IsFloat(type)) {
    const ElementTypeInfo& info = Info(type);
    const uint64_t infinity = ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
    const uint64_t sign = mask ^ (mask >> 1);
    for (uint64_t payload : {uint64_t{0}, uint64_t{1}, uint64_t{1} << (info.mantissa_bits - 1),
                             (uint64_t{1} << (info.mantissa_bits - 1)) | 1}) {
      patterns.push_back(infinity | payload);
      patterns.push_back(sign | infinity | payload);
    }
  }
  return patterns;
}

TEST_F(MlirBuilder, BuildsWhatTheTextSaysForEveryTupleOfTheSpecification) {
  const Shape shapes[] = {
      Shape(),           Dynamic(1), Shape::OfSizes({2, 3}), Shape({Dim::Dynamic(), Dim::Static(1), Dim::Static(7)}),
      Shape::Unranked(), Dynamic(6)};
  size_t programs = 0;
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      for (const Shape& shape : shapes) {
        ExpectSame(OneOp(op, tuple, shape));
        ++programs;
      }
    }
  }
  EXPECT_GT(programs, 800u);
}

TEST_F(MlirBuilder, BuildsWhatTheTextSaysForEveryPairOfElementTypesOfEveryOp) {
  for (const OpInfo& op : AllOps()) {
    for (const ElementTypeInfo& input : AllElementTypes()) {
      ExpectSame(OneOp(op, input.type, input.type, Dynamic(2)));
      ExpectSame(OneOp(op, input.type, ElementType::kI1, Dynamic(2)));
    }
  }
  for (const ElementTypeInfo& input : AllElementTypes()) {
    for (const ElementTypeInfo& result : AllElementTypes()) {
      ExpectSame(OneOp(Info(OpKind::kCast), input.type, result.type, Dynamic(1)));
    }
  }
}

TEST_F(MlirBuilder, BuildsConstantsBitForBit) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    const std::vector<uint64_t> patterns = Patterns(info.type);
    const int64_t count = static_cast<int64_t>(patterns.size());
    ExpectSame(ReturnsConstant(TensorOf(info.type, {count}, patterns)));
    ExpectSame(ReturnsConstant(TensorOf(info.type, {1, count, 1}, patterns)));
    for (uint64_t bits : patterns) {
      ExpectSame(ReturnsConstant(TensorOf(info.type, {}, {bits})));  // rank 0
      ExpectSame(ReturnsConstant(Filled(info.type, {2, 3}, bits)));  // a splat
    }
    ExpectSame(ReturnsConstant(Tensor(info.type, {0})));  // no element at all
    ExpectSame(ReturnsConstant(Tensor(info.type, {2, 0, 3})));
  }
}

TEST_F(MlirBuilder, KeepsTheBitsOfConstants) {
  // Not only the same in both: what was asked for. A quiet and a signalling NaN with payload, and -0.
  const std::vector<uint64_t> bits = {0x7fc00001, 0xff800001, 0x80000000};
  BuiltModule built = BuildModule(&context_, ReturnsConstant(TensorOf(ElementType::kF32, {3}, bits)));
  std::vector<uint64_t> found;
  built.module->walk([&](mlir::tosa::ConstOp op) {
    for (const llvm::APFloat& value : mlir::cast<mlir::DenseElementsAttr>(op.getValues()).getValues<llvm::APFloat>()) {
      found.push_back(value.bitcastToAPInt().getZExtValue());
    }
  });
  EXPECT_EQ(found, bits);
}

TEST_F(MlirBuilder, BuildsAttributesBitForBit) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    for (uint64_t bits : Patterns(info.type)) {
      Program program = OneOp(Info(OpKind::kClamp), info.type, info.type, Dynamic(1));
      program.ops[0].attributes.min_val = TypedBits{info.type, bits};
      program.ops[0].attributes.max_val = TypedBits{ElementType::kI32, 7};  // of another type than the operand
      program.ops[0].attributes.nan_mode = NanMode::kPropagate;
      ExpectSame(program);
    }
  }
  Program absent = OneOp(Info(OpKind::kClamp), ElementType::kF32, ElementType::kF32, Dynamic(1));
  absent.ops[0].attributes = {};
  ExpectSame(absent);
  Program shift = OneOp(Info(OpKind::kArithmeticRightShift), ElementType::kI16, ElementType::kI16, Dynamic(1));
  shift.ops[0].attributes.round = false;
  ExpectSame(shift);
}

TEST_F(MlirBuilder, BuildsSpecialOperandsAsConstantsAndAsArguments) {
  for (OpKind kind : {OpKind::kMul, OpKind::kNegate}) {
    Program program = OneOp(Info(kind), ElementType::kI32, ElementType::kI32, Dynamic(2));
    for (uint64_t value : {uint64_t{0}, uint64_t{31}, uint64_t{0x80}}) {
      for (Tensor& constant : program.constants) constant.SetBits(0, value);
      ExpectSame(program);
    }
    for (ValueRef& operand : program.ops[0].operands) {
      if (operand.kind != kConstant) continue;
      const TensorType type = TypeOf(program, operand);
      operand = {kArgument, static_cast<int>(program.arguments.size())};
      program.arguments.push_back(type);
    }
    ExpectSame(program);
  }
}

TEST_F(MlirBuilder, BuildsProgramsOfSeveralOps) {
  const TensorType wide = {Shape({Dim::Dynamic(), Dim::Static(4)}), ElementType::kF32};
  Program program;
  program.arguments = {wide, {Shape::OfSizes({1, 4}), ElementType::kF32}};
  program.constants = {TensorOf(ElementType::kF32, {1, 1}, {0x7fc01234}), Tensor(ElementType::kI8, {1})};
  program.ops = {
      {.op = OpKind::kAdd, .operands = {{kArgument, 0}, {kArgument, 1}}, .attributes = {}, .result = wide},
      {.op = OpKind::kMul, .operands = {{kOp, 0}, {kConstant, 0}, {kConstant, 1}}, .attributes = {}, .result = wide},
      {.op = OpKind::kGreater,
       .operands = {{kOp, 1}, {kOp, 0}},
       .attributes = {},
       .result = {wide.shape, ElementType::kI1}},
      {.op = OpKind::kSelect, .operands = {{kOp, 2}, {kOp, 0}, {kOp, 1}}, .attributes = {}, .result = wide},
  };
  program.results = {{kOp, 3}, {kOp, 0}, {kOp, 0}, {kArgument, 1}, {kConstant, 0}};
  ExpectSame(program);
}

TEST_F(MlirBuilder, BuildsIllegalProgramsToo) {
  const TensorType three = {Shape::OfSizes({3}), ElementType::kF32};
  ExpectSame(CaseOf(OpKind::kAdd, {three, {Shape::OfSizes({2}), ElementType::kI8}}, three, {}).program);
  ExpectSame(CaseOf(OpKind::kAbs, {three}, {Shape::Unranked(), ElementType::kSi32}, {}).program);
  ExpectSame(CaseOf(OpKind::kAbs, {{Shape::OfSizes({0, 2}), ElementType::kF16}}, three, {}).program);
}

TEST_F(MlirBuilder, HandsOutTheOpsInTheOrderOfTheProgram) {
  Program program = OneOp(Info(OpKind::kNegate), ElementType::kF32, ElementType::kF32, Dynamic(1));
  program.ops.push_back(
      {.op = OpKind::kAbs, .operands = {{kOp, 0}}, .attributes = {}, .result = program.ops[0].result});
  const BuiltModule built = BuildModule(&context_, program);
  ASSERT_EQ(built.ops.size(), 2u);
  EXPECT_EQ(built.ops[0]->getName().getStringRef(), "tosa.negate");
  EXPECT_EQ(built.ops[1]->getName().getStringRef(), "tosa.abs");
}

}  // namespace
}  // namespace tosaic
