// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of programs of several ops: many of a kind, and the sizes that their ops have in a run.
#ifndef TOSAIC_GENERATORS_COMPOSED_TESTING_H_
#define TOSAIC_GENERATORS_COMPOSED_TESTING_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {

inline std::string Text(absl::string_view view) { return std::string(view.data(), view.size()); }

enum class Composition { kChains, kGraphs, kIdentities };

inline GeneratorOptions Only(Composition composition) {
  GeneratorOptions options;
  options.illegal_percent = options.beyond_spec_percent = 0;
  options.chain_percent = composition == Composition::kChains ? 100 : 0;
  options.graph_percent = composition == Composition::kGraphs ? 100 : 0;
  options.identity_percent = composition == Composition::kIdentities ? 100 : 0;
  return options;
}

inline std::vector<Case> Cases(uint64_t seed, uint64_t count, const GeneratorOptions& options) {
  std::vector<Case> cases;
  for (uint64_t i = 0; i < count; ++i) cases.push_back(GenerateCase(seed, i, options));
  return cases;
}

inline const std::vector<Case>& TwoThousand(Composition composition) {
  static auto& all = *new std::map<Composition, std::vector<Case>>;
  if (all.count(composition) == 0) all[composition] = Cases(21, 2000, Only(composition));
  return all[composition];
}

// "chain/clamp-clamp", "graph".
inline std::string Origin(const Case& generated) {
  return generated.origin.substr(generated.origin.find("intent=") + 7);
}

// The sizes that every op of a run has; a failure if operands do not broadcast, or a declared type does not admit them.
inline std::vector<std::vector<int64_t>> SizesOfOps(const Case& generated, const Run& run) {
  std::vector<std::vector<int64_t>> ops;
  for (const OpApplication& op : generated.program.ops) {
    std::vector<int64_t> result;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const ValueRef ref = op.operands[k];
      const std::vector<int64_t> sizes = ref.kind == ValueRef::Kind::kOp ? ops[ref.index]
                                         : ref.kind == ValueRef::Kind::kArgument
                                             ? run[ref.index].sizes()
                                             : generated.program.constants[ref.index].sizes();
      if (k == 0) result.assign(sizes.size(), 1);
      EXPECT_EQ(sizes.size(), result.size());
      for (size_t d = 0; d < sizes.size(); ++d) {
        EXPECT_TRUE(sizes[d] == 1 || result[d] == 1 || sizes[d] == result[d]) << CaseToText(generated);
        result[d] = std::max(result[d], sizes[d]);
      }
    }
    EXPECT_TRUE(Admits(op.result.shape, result)) << CaseToText(generated);
    ops.push_back(std::move(result));
  }
  return ops;
}

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_COMPOSED_TESTING_H_
