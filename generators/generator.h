// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns choices into a case: a program with one TOSA op, legal or with one named illegality, or a program with several
// ops, and its runs. It decides only by the op's row of the catalogue and does not know the oracle. What it intended is
// in `origin`, for people.
#ifndef TOSAIC_GENERATORS_GENERATOR_H_
#define TOSAIC_GENERATORS_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/typed_op.h"
#include "model/program.h"
#include "model/shape_class.h"

namespace tosaic {

// Generates a case. Always passes CheckWellFormed; its `origin` is "intent=NAME", NAME one of intents.h or of an
// illegality; for chains and identities followed by which: "intent=chain/clamp-clamp",
// "intent=chain/same-op+cast-back". Illegal cases have no runs. The op, its types and shapes are those that are drawn
// at the `head`-th time, counted from 0 (steering.h). REQUIRES: CheckOptions(options).ok().
Case GenerateCase(ChoiceSource& choices, const GeneratorOptions& options, int head = 0);

// Generates case `number` of a seed; `origin` is "seed=S case=N intent=NAME".
Case GenerateCase(uint64_t seed, uint64_t number, const GeneratorOptions& options, int head = 0);

// The properties that a case combines. A program of several ops has no op and no shape class; a program around
// identities has the op and, instead of a shape class, the name of the last identity.
struct Combination {
  absl::string_view route;  // of the options, which must outlive it
  absl::string_view intent;
  std::optional<TypedOp> op;
  absl::string_view identity;
  ShapeClass shapes = ShapeClass::kRank0;

  auto Parts() const { return std::tie(route, intent, op, identity, shapes); }
  friend bool operator<(const Combination& a, const Combination& b) { return a.Parts() < b.Parts(); }
  friend bool operator==(const Combination& a, const Combination& b) { return a.Parts() == b.Parts(); }
  template <typename H>
  friend H AbslHashValue(H hash, const Combination& combination) {
    return H::combine(std::move(hash), combination.route, combination.intent, combination.op.value_or(TypedOp()),
                      combination.identity, combination.shapes);
  }
};

// The combinations of the first `count` heads of a case; only one for a chain or a graph, whose heads are all the same.
// They name routes of `options`, which must outlive them.
std::vector<Combination> CombinationsOf(uint64_t seed, uint64_t number, const GeneratorOptions& options, int count);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_GENERATOR_H_
