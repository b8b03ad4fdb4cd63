// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unsigned numbers of rescale: older dialects tell them by their type (ui8), where a case has i8 and an attribute.
#ifndef TOSAIC_MODEL_UNSIGNED_TYPES_H_
#define TOSAIC_MODEL_UNSIGNED_TYPES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/program.h"

namespace tosaic {

bool HasUnsignedTypes(const DialectInfo& dialect);

// The program with such types, as the dialect writes it; nullopt: a value would have two types, or has one of them in
// the case, where it means something else.
std::optional<Program> WithUnsignedTypes(Program program);

// The reverse: what these rescales, which are spelled so, take and make. `data`: of its arguments, as far as they have
// any. Why no case can say it, if none can.
std::string UnsignedTypesToAttributes(absl::Span<const size_t> rescales, Program* program,
                                      std::vector<std::optional<Tensor>>* data);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_UNSIGNED_TYPES_H_
