// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices -> Case: a program with one TOSA op, legal or with one named illegality, or with several, and its runs.
// Decides by the op's row of the catalogue only. Knows nothing of the oracle: what it believes about a case stands in
// `origin`, for people.
#ifndef TOSAIC_GENERATORS_GENERATOR_H_
#define TOSAIC_GENERATORS_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/typed_op.h"
#include "model/program.h"
#include "model/shape_class.h"

namespace tosaic {

// Generates a case. Always passes CheckWellFormed; its `origin` is "intent=NAME", NAME one of AllIntents() (intents.h);
// for chains and identities followed by which: "intent=chain/clamp-clamp", "intent=chain/same-op+cast-back".
// Illegal cases have no runs. The op, its types and shapes are those that are drawn at the `head`-th time, counted from
// 0 (steering.h). REQUIRES: CheckOptions(options).ok().
Case GenerateCase(ChoiceSource& choices, const GeneratorOptions& options, int head = 0);

// Generates case `number` of a seed; `origin` is "seed=S case=N intent=NAME".
Case GenerateCase(uint64_t seed, uint64_t number, const GeneratorOptions& options, int head = 0);

// What a case is a combination of. A program of several ops has no op and no shape class; one around identities has the
// op and the name of the last instead of a shape class.
struct Combination {
  std::string route;
  absl::string_view intent;
  std::optional<TypedOp> op;
  absl::string_view identity;
  ShapeClass shapes = ShapeClass::kRank0;

  friend bool operator<(const Combination& a, const Combination& b) {
    return std::tie(a.route, a.intent, a.op, a.identity, a.shapes) <
           std::tie(b.route, b.intent, b.op, b.identity, b.shapes);
  }
};

// Those of the first `count` heads of a case; one if it is a chain or a graph, whose heads are all the same.
std::vector<Combination> CombinationsOf(uint64_t seed, uint64_t number, const GeneratorOptions& options, int count);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GENERATOR_H_
