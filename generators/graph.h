// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of several ops that are no chains: random graphs, and ops around constants that trap.
#ifndef TOSAIC_GENERATORS_GRAPH_H_
#define TOSAIC_GENERATORS_GRAPH_H_

#include "generators/program_builder.h"

namespace tosaic {

// Draws the ops of a graph, mostly few, and sometimes of a second graph in a separate group: 2 to 30 ops, with shared
// values, several element types by way of casts and comparisons, and broadcasting anywhere. False, without building
// anything, if the options have no op of the specification.
bool BuildGraphs(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

// Builds a program around constants that trap or are undefined: a divisor of 0, the least integer divided by -1, shift
// amounts out of range. Their elements are undefined, but a folder must not crash on them or leave illegal IR. False,
// without building anything, if the options have no op that can trap (traps.cpp).
bool BuildTrap(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GRAPH_H_
