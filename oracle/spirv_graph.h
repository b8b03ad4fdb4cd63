// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph that a program becomes in SPIR-V, by the document of the TOSA extended instruction set 001000.1: "Each TOSA
// operator maps to a single extended instruction". A value of the graph stands for a value of the program if it is that
// input or constant, the op's instruction, or what the op is folded to (docs/policies.md).
#ifndef TOSAIC_ORACLE_SPIRV_GRAPH_H_
#define TOSAIC_ORACLE_SPIRV_GRAPH_H_

#include <optional>
#include <string>
#include <vector>

#include "model/program.h"
#include "model/spirv_graph.h"
#include "oracle/linalg_properties.h"
#include "oracle/policy.h"

namespace tosaic {

// The type of a tensor in a graph (Type mapping; SPV_ARM_tensors: OpTypeTensorARM): an i48 is an i64, and a shape with
// a dynamic dimension is absent, which is written as `?` in all dimensions. A tensor of rank 0 has no shape there, for
// an array has at least one element: it stands as one of rank 1 with one element. nullopt: the set has no such type.
std::optional<TensorType> TypeInGraph(const TensorType& type);

// Why no graph can say the same as the program, in words; empty if one can.
std::string WhyInexpressible(const Program& program);
// Why a toolchain may refuse to make a graph of the program; empty if it may not.
std::string WhyRefusable(const Program& program);

struct SpirvCheck {
  std::optional<Breach> breach;
  std::vector<RuleId> notes;  // policies that were needed
};

// Checks the graph that was made of a case: the rules of RuleFamily::kSpirv (model/rules.def).
// REQUIRES: the program is legal, and not inexpressible.
SpirvCheck CheckSpirvGraph(const Case& test_case, const SpirvGraph& graph, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SPIRV_GRAPH_H_
