// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs of 2 to 30 ops: values shared, element types mixed through cast and comparisons, broadcasting anywhere.
#ifndef TOSAIC_GENERATORS_GRAPH_H_
#define TOSAIC_GENERATORS_GRAPH_H_

#include "generators/program_builder.h"

namespace tosaic {

inline constexpr int kMostGraphOps = 30;

// Draws the ops of a graph, mostly few, and at times of a second one in a group of its own. False if the options have
// no op of the specification: then nothing was built.
bool BuildGraphs(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GRAPH_H_
