// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutation: a case becomes another by steps of a table, each of which grows or changes it, as the reducer's table makes
// it smaller. What comes out is well formed, and legal if what went in was, or it has one named illegality; the oracle
// decides. All choices come from a ChoiceSource: the same choices, the same mutant.
#ifndef TOSAIC_MUTATION_MUTATION_H_
#define TOSAIC_MUTATION_MUTATION_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "model/program.h"

namespace tosaic {

// What a step may take from.
struct MutationTools {
  ChoiceSource& choices;
  const GeneratorOptions& options;  // what ops, types, routes, sizes and runs there may be
  const Case& other;                // a second case, for what joins two
};

struct MutationStep {
  absl::string_view name;
  absl::string_view what;  // one line for people
  int weight;              // how often it is drawn
  // Changes the case; who runs the step then settles its result types and runs. False: there is no place for it, and
  // the case may be left half changed.
  bool (*apply)(const MutationTools& tools, Case& mutant);
};

absl::Span<const MutationStep> MutationSteps();

// The case after one step. None if the step has no place in it, or if no shapes of results fit what it did. `origin`
// gets " +NAME" appended, the name of the illegality if there is one.
std::optional<Case> ApplyStep(const MutationStep& step, const MutationTools& tools, const Case& test_case);

// The case after one to four steps, drawn by weight; with a route and a twin of its own at times. The case itself if
// none of many has a place.
Case Mutated(const MutationTools& tools, const Case& test_case);

// ---- The steps, for the table ----

bool ReplaceOp(const MutationTools& tools, Case& mutant);
bool InsertOp(const MutationTools& tools, Case& mutant);
bool AppendOp(const MutationTools& tools, Case& mutant);
bool DuplicateOp(const MutationTools& tools, Case& mutant);
bool Rewrite(const MutationTools& tools, Case& mutant);
bool ShareValue(const MutationTools& tools, Case& mutant);
bool Splice(const MutationTools& tools, Case& mutant);
bool ChangeResults(const MutationTools& tools, Case& mutant);
bool ChangeElementTypes(const MutationTools& tools, Case& mutant);
bool ChangeAttributes(const MutationTools& tools, Case& mutant);
bool BreakARule(const MutationTools& tools, Case& mutant);

bool ConstantAsArgument(const MutationTools& tools, Case& mutant);
bool ArgumentAsConstant(const MutationTools& tools, Case& mutant);
bool SplatConstant(const MutationTools& tools, Case& mutant);
bool DenseConstant(const MutationTools& tools, Case& mutant);
bool SpecialElements(const MutationTools& tools, Case& mutant);
bool FreshRuns(const MutationTools& tools, Case& mutant);

bool LoosenType(const MutationTools& tools, Case& mutant);
bool TightenType(const MutationTools& tools, Case& mutant);
bool OneAndMany(const MutationTools& tools, Case& mutant);
bool RaiseRank(const MutationTools& tools, Case& mutant);
bool LowerRank(const MutationTools& tools, Case& mutant);

bool ChangePasses(const MutationTools& tools, Case& mutant);

}  // namespace tosaic

#endif  // TOSAIC_MUTATION_MUTATION_H_
