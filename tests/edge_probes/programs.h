// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of the specification's elementwise ops on tensors of one static shape: each op but the first takes
// the result of an earlier one, sometimes twice.
#ifndef TOSAIC_TESTS_EDGE_PROBES_PROGRAMS_H_
#define TOSAIC_TESTS_EDGE_PROBES_PROGRAMS_H_

#include <cstddef>
#include <cstdint>

#include "model/program.h"
#include "tests/edge_probes/elements.h"

namespace tosaic::edge_probes {

// Which ops' results the program returns. The last op's always.
enum class Returned : uint8_t { kAll, kAllButOne, kLast };

Program MakeProgram(size_t ops, int64_t elements, Returned returned, Dice& dice);

}  // namespace tosaic::edge_probes

#endif  // TOSAIC_TESTS_EDGE_PROBES_PROGRAMS_H_
