// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/payload.h"

namespace tosaic {
namespace {

// The scalar op on floats and on integers, and the kind of linalg.elementwise that is the same; empty where the
// pseudo-code takes more than one op, or has no such types.
struct PayloadRow {
  OpKind op;
  absl::string_view on_floats, on_integers;
  absl::string_view kind_on_floats = "", kind_on_integers = "";
};

constexpr PayloadRow kRows[] = {
    {OpKind::kErf, "math.erf", "", "erf"},
    {OpKind::kTanh, "math.tanh", "", "tanh"},
    {OpKind::kAdd, "arith.addf", "arith.addi", "add", "add"},
    {OpKind::kBitwiseAnd, "", "arith.andi"},
    {OpKind::kBitwiseOr, "", "arith.ori"},
    {OpKind::kBitwiseXor, "", "arith.xori"},
    {OpKind::kIntdiv, "", "arith.divsi", "", "div"},
    {OpKind::kLogicalAnd, "", "arith.andi"},
    {OpKind::kLogicalLeftShift, "", "arith.shli"},
    {OpKind::kLogicalRightShift, "", "arith.shrui"},
    {OpKind::kLogicalOr, "", "arith.ori"},
    {OpKind::kLogicalXor, "", "arith.xori"},
    {OpKind::kMaximum, "arith.maximumf", "arith.maxsi", "max_signed", "max_signed"},
    {OpKind::kMinimum, "arith.minimumf", "arith.minsi", "min_signed", "min_signed"},
    {OpKind::kMul, "arith.mulf", "arith.muli", "mul", "mul"},
    {OpKind::kPow, "math.powf", "", "powf"},
    {OpKind::kSub, "arith.subf", "arith.subi", "sub", "sub"},
    {OpKind::kAbs, "math.absf", "", "abs"},
    {OpKind::kCeil, "math.ceil", "", "ceil"},
    {OpKind::kClz, "", "math.ctlz"},
    {OpKind::kCos, "math.cos", ""},
    {OpKind::kExp, "math.exp", "", "exp"},
    {OpKind::kFloor, "math.floor", "", "floor"},
    {OpKind::kLog, "math.log", "", "log"},
    {OpKind::kRsqrt, "math.rsqrt", "", "rsqrt"},
    {OpKind::kSin, "math.sin", ""},
    {OpKind::kNegate, "arith.negf", "", "negf"},
    {OpKind::kSelect, "arith.select", "arith.select", "select", "select"},
    {OpKind::kEqual, "arith.cmpf oeq,", "arith.cmpi eq,"},
    {OpKind::kGreater, "arith.cmpf ogt,", "arith.cmpi sgt,"},
    {OpKind::kGreaterEqual, "arith.cmpf oge,", "arith.cmpi sge,"},
};

const PayloadRow* RowOf(OpKind op) {
  for (const PayloadRow& row : kRows) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

// An input and a result type, one wider than the other, of the same kind: what a cast by one op is.
std::string CastBetween(ElementType input, ElementType result) {
  const bool widens = BitWidth(result) > BitWidth(input);
  if (BitWidth(result) == BitWidth(input)) return "";
  if (IsFloat(input) && IsFloat(result)) return widens ? "arith.extf" : "arith.truncf";
  if (IsInteger(input) && IsFloat(result)) return input == ElementType::kI1 ? "arith.uitofp" : "arith.sitofp";
  if (IsFloat(input) || result == ElementType::kI1) return "";  // rounded and saturated; compared with 0
  if (!widens) return "arith.trunci";
  return input == ElementType::kI1 ? "arith.extui" : "arith.extsi";
}

// Whether the op is more than its row says: a NaN is ignored, a shift rounds, a product is widened or shifted, a
// boolean is negated.
bool IsMore(const Program& program, const OpApplication& op, ElementType input) {
  if (IgnoresNan(op.attributes) && IsFloat(input)) return true;
  if (op.op != OpKind::kMul) return false;
  const Tensor* shift = AsConstant(program, op.operands.back());
  return input != op.result.element_type || shift == nullptr || shift->Bits(0) != 0;
}

}  // namespace

std::optional<std::string> PayloadOf(const Program& program) {
  const OpApplication& op = program.ops[0];
  const ElementType input = InputElementType(program, op);
  std::string payload;
  if (op.op == OpKind::kCast) {
    payload = CastBetween(input, op.result.element_type);
  } else if (op.op == OpKind::kArithmeticRightShift) {
    payload = op.attributes.round.value_or(false) ? "" : "arith.shrsi";
  } else if (const PayloadRow* row = RowOf(op.op); row != nullptr && !IsMore(program, op, input)) {
    payload = std::string(IsFloat(input) ? row->on_floats : row->on_integers);
  }
  if (payload.empty()) return std::nullopt;
  return payload;
}

absl::string_view ElementwiseKindOf(const Program& program) {
  const OpApplication& op = program.ops[0];
  const ElementType input = InputElementType(program, op);
  const PayloadRow* row = RowOf(op.op);
  if (row == nullptr || input == ElementType::kI1 || IsMore(program, op, input)) return "";
  return IsFloat(input) ? row->kind_on_floats : row->kind_on_integers;
}

}  // namespace tosaic
