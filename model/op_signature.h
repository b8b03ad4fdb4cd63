// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSignature: an op's name with the types of its operands and its result, as people write it.
#ifndef TOSAIC_MODEL_OP_SIGNATURE_H_
#define TOSAIC_MODEL_OP_SIGNATURE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/shape.h"

namespace tosaic {

struct OpSignature {
  std::string op;  // without the dialect's prefix
  std::vector<ValueType> operands;
  ValueType result;

  friend bool operator==(const OpSignature& a, const OpSignature& b) = default;
};

// An op that has the Broadcastable trait and nothing else, so that the trait can be tested apart from the TOSA ops that
// use it. It takes any number of operands of any container and element types. The toolchain defines it in its own
// dialect.
inline constexpr char kProbeOp[] = "broadcastable";

// "add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"
std::string ToString(const OpSignature& signature);

// Parses it; blanks between the parts and a dialect's prefix are allowed. The error is one line: the text, what was
// expected, and at which column (from 1).
absl::StatusOr<OpSignature> ParseOpSignature(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_OP_SIGNATURE_H_
