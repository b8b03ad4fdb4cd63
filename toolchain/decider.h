// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decider: decides about one op for many types. It gives the same answers as Verifier::ObserveDecision several times as
// fast, because it builds the op once and changes only its operands and the result's type.
#ifndef TOSAIC_TOOLCHAIN_DECIDER_H_
#define TOSAIC_TOOLCHAIN_DECIDER_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "model/category.h"
#include "model/shape.h"

namespace tosaic {

class Decider {
 public:
  struct Answer {
    bool accepted = false;
    std::string diagnostic;            // of a refusal: the first error
    std::optional<Category> category;  // of that error
    // If accepted: what the op's own shape inference says, as in Observation::inferred.
    std::optional<TensorType> inferred;
  };

  virtual ~Decider() = default;
  // Decides on the op with operands and a result of the types with these numbers. The answer is valid until the next
  // call.
  virtual const Answer& Decide(absl::Span<const size_t> operands, size_t result) = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_DECIDER_H_
