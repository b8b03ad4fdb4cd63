// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs of 2 to 30 ops, with shared values, several element types by way of casts and comparisons, and
// broadcasting anywhere.
#ifndef TOSAIC_GENERATORS_GRAPH_H_
#define TOSAIC_GENERATORS_GRAPH_H_

#include "generators/program_builder.h"

namespace tosaic {

inline constexpr int kMostGraphOps = 30;

// Draws the ops of a graph, mostly few, and sometimes of a second graph in a separate group. False, without building
// anything, if the options have no op of the specification.
bool BuildGraphs(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GRAPH_H_
