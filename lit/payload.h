// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scalar op computes an op of the specification: the op of `arith` or `math` that is documented to do what the
// pseudo-code does. None where the pseudo-code takes several, for which there are many right ways.
#ifndef TOSAIC_LIT_PAYLOAD_H_
#define TOSAIC_LIT_PAYLOAD_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "model/program.h"

namespace tosaic {

// "arith.addf", "arith.cmpf oeq,".
std::optional<std::string> PayloadOf(const Program& program);

// The kind of linalg.elementwise that computes the op on its operands as they are: "add". Empty if there is none.
absl::string_view ElementwiseKindOf(const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_LIT_PAYLOAD_H_
