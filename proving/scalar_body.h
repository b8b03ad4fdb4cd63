// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScalarBody: what a lowering computes of each element, as a plain value, read from the text of the IR that it leaves.
// (model/lowered_ir.h has what the contract needs of a region, the names of its ops; a formula needs all of it, from
// any toolchain that gives text.)
#ifndef TOSAIC_PROVING_SCALAR_BODY_H_
#define TOSAIC_PROVING_SCALAR_BODY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// One op of a body. A value's number is that of the argument or, behind all arguments, of the op that makes it. The op
// kChannelConstant is a constant with an element for each channel: its only word is these, "30, 31, 32". The op
// kTableEntry is the element of a constant of rank 1 at an index; its words are the elements, as MLIR prints those of
// many (their bytes in hexadecimal, with quotes), and their number.
inline constexpr char kChannelConstant[] = "tosaic.channel", kTableEntry[] = "tensor.extract";
struct BodyOp {
  std::string name;                // "arith.addi"
  std::vector<int> operands;       // numbers of values
  std::vector<std::string> words;  // the rest: "slt", "overflow<nsw>", "fastmath<nnan>", a constant's "-5", "0x7FC0"
  std::string type;                // of the operands, and of the result unless it has another: "i32"
  std::string result_type;

  friend bool operator==(const BodyOp& a, const BodyOp& b) = default;
};

struct ScalarBody {
  std::vector<std::string> arguments;  // types: those of the function's arguments, in their order
  std::vector<BodyOp> ops;
  int yields = 0;  // a number of a value

  friend bool operator==(const ScalarBody& a, const ScalarBody& b) = default;
};
// "%2 = arith.addi %0, %1 : i32; yield %2": the same for equal bodies.
std::string ToString(const ScalarBody& body);

// Reads a module whose only function returns one value: the result of one linalg.generic of the function's arguments,
// of constants of equal elements, all at the same place (its maps are one identity), of constants of rank 1 that are
// read at the last index, and of such that the body looks elements up in; or an argument or a constant of equal
// elements itself. Errors say what else there is.
absl::StatusOr<ScalarBody> ReadScalarBody(absl::string_view module);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_SCALAR_BODY_H_
