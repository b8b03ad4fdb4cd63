// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutation: changes a case by steps of a table. Each step extends or changes the case, as the reducer's steps make it
// smaller. The mutant is well formed, and it is legal if the case was, or has one named illegality; the oracle decides.
// All choices come from a ChoiceSource, so the same choices give the same mutant.
#ifndef TOSAIC_MUTATION_MUTATION_H_
#define TOSAIC_MUTATION_MUTATION_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "model/program.h"

namespace tosaic {

// The tools that a step may use.
struct MutationTools {
  ChoiceSource& choices;
  const GeneratorOptions& options;  // the allowed ops, types, routes, sizes and runs
  const Case& other;                // a second case, for steps that combine two
};

// Changes the case; the caller then settles its result types and runs. False if the step is not applicable; the case
// may then be partly changed.
using MutationFunction = bool(const MutationTools& tools, Case& mutant);

struct MutationStep {
  absl::string_view name;
  absl::string_view description;  // one line for people
  int weight;                     // how often it is drawn
  MutationFunction* apply;
};

absl::Span<const MutationStep> MutationSteps();

// The case after one step. None if the step is not applicable, or if no shapes of results fit. `origin` gets " +NAME"
// appended, or the name of the illegality if there is one.
std::optional<Case> ApplyStep(const MutationStep& step, const MutationTools& tools, const Case& test_case);

// The case after one to four steps, drawn by weight, sometimes with another route and a twin. The case itself if no
// step is applicable after many tries.
Case Mutated(const MutationTools& tools, const Case& test_case);

// ---- The steps, for the table ----

MutationFunction ReplaceOp, InsertOp, AppendOp, DuplicateOp, Rewrite, ShareValue, Splice, ChangeResults,
    ChangeElementTypes, ChangeAttributes, BreakARule;
MutationFunction ConstantAsArgument, ArgumentAsConstant, SplatConstant, DenseConstant, SpecialElements, FreshRuns;
MutationFunction LoosenType, TightenType, OneAndMany, RaiseRank, LowerRank;
MutationFunction ChangePasses;

}  // namespace tosaic

#endif  // TOSAIC_MUTATION_MUTATION_H_
