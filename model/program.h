// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program and Case: a toolchain's input. A program is a graph of TOSA elementwise ops over arguments and
// constants; a case is a program with concrete runs. They are plain values, and nothing here decides whether they are
// legal.
#ifndef TOSAIC_MODEL_PROGRAM_H_
#define TOSAIC_MODEL_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "model/attributes.h"
#include "model/op_catalogue.h"
#include "model/shape.h"
#include "model/tensor.h"

namespace tosaic {

class Visitor;

// Names a value of a program: %arg0, %cst0, %0.
struct ValueRef {
  enum class Kind : uint8_t { kArgument, kConstant, kOp };
  Kind kind = Kind::kArgument;
  int index = 0;

  friend bool operator==(ValueRef a, ValueRef b) = default;
};
std::string ToString(ValueRef ref);
absl::Status ReadText(absl::string_view text, ValueRef& ref);

struct OpApplication {
  OpKind op = OpKind::kAdd;
  std::vector<ValueRef> operands;
  Attributes attributes;
  TensorType result;

  friend bool operator==(const OpApplication& a, const OpApplication& b) = default;
};
void Fields(Visitor& v, OpApplication& op);

struct Program {
  std::vector<TensorType> arguments;
  std::vector<Tensor> constants;   // of static type; emitted as tosa.const
  std::vector<OpApplication> ops;  // each uses only arguments, constants and earlier ops
  std::vector<ValueRef> results;   // what the function returns

  friend bool operator==(const Program& a, const Program& b) = default;
};
void Fields(Visitor& v, Program& program);

// The declared type of a value of the program. REQUIRES: the reference is in range.
TensorType TypeOf(const Program& program, ValueRef ref);
ElementType ElementTypeOf(const Program& program, ValueRef ref);
std::vector<TensorType> OperandTypes(const Program& program, const OpApplication& op);
// The constant that an operand refers to, or null if it is not a constant.
const Tensor* AsConstant(const Program& program, ValueRef ref);
// The element types that select the op's tuple: those of the first kInput operand and of the result.
TypePair TypesOf(const Program& program, const OpApplication& op);
ElementType InputElementType(const Program& program, const OpApplication& op);

// Whether all inputs of the op have one element type.
bool HasOneInputType(const Program& program, const OpApplication& op);
// Whether the op has an attribute that only the draft of 1.1 has, and it says more than its absence.
bool SaysDraft(const OpApplication& op);
// Whether a version of the specification has what the op says, and its element types: all inputs have the same, and
// with the result's it is one of the op's tuples.
bool HasSpecTypes(const Program& program, const OpApplication& op, SpecVersion version = SpecVersion::k1_0_2);

// Whether an argument, a constant or an op's result has such an element type; a block-scaled one.
bool HasType(const Program& program, absl::FunctionRef<bool(ElementType)> is_such);
bool HasBlocks(const Program& program);

// Whether all ops of the program are elementwise.
bool IsElementwise(const Program& program);

// The ops whose values reach no result of the program, directly or through others.
std::vector<size_t> OpsWithoutEffect(const Program& program);

// Whether a shift or zero point of the op is not a compile-time constant: the op verifier lets it pass, the
// specification does not (tosa-semantics.md, "Where the two verifiers stand").
bool HasSpecialOperandAtRunTime(const Program& program, const OpApplication& op);

// Whether an op that MLIR lowers as if its operand had a rank has one without: the op verifier lets it pass, and no
// lowering is owed (findings.md, F20, F23, F24).
bool TakesUnrankedForRanked(const Program& program, const OpApplication& op);

// One execution: a tensor for each argument, with the argument's sizes at run time.
using Run = std::vector<Tensor>;

// The values that the executor passes to compiled code.
inline constexpr size_t kMostArgumentsOfRuns = 31;

// The version of the case format that this build writes, and the newest it reads (docs/keys.md).
inline constexpr int kCaseFormatVersion = 1;

struct Case {
  Program program;
  std::vector<Run> runs;
  std::string route = "loops";  // a name in the toolchain's table of routes
  // If not empty, the name of a variant of the case whose results must be the same (generators/twins.h).
  std::string twin;
  std::string origin;  // where it comes from, for people; no effect on the replay

  friend bool operator==(const Case& a, const Case& b) = default;
};
// Reading checks that the case is well-formed.
void Fields(Visitor& v, Case& test_case);

// Checks what every consumer may rely on: references are in range and in order, operand counts are those of the
// catalogue, there is at least one op and one result, and each run has a tensor per argument whose element type and
// sizes fit the argument's type. The error says where and what is wrong. It does not check legality in TOSA's sense.
absl::Status CheckWellFormed(const Case& test_case);

// "add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>", for one op of a program.
std::string Signature(const Program& program, const OpApplication& op);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PROGRAM_H_
