// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ChangedOps: learns from the cases of a campaign which ops the patch under review is about, so that later cases have
// these ops more often.
#ifndef TOSAIC_GENERATORS_CHANGED_OPS_H_
#define TOSAIC_GENERATORS_CHANGED_OPS_H_

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generators/generator_options.h"
#include "generators/typed_op.h"
#include "model/program.h"

namespace tosaic {

class ChangedOps {
 public:
  // A program, and whether the patch changes its IR.
  struct Known {
    Known(const Case& test_case, bool is_changed, std::vector<double> numbers = {});

    std::set<OpKind> ops;
    std::vector<TypedOp> typed_ops;
    bool is_changed;
    std::vector<double> numbers;  // that its IR has with the patch alone
    bool has_runs;                // else it says nothing: verifiers are asked about it, whatever the patch changes
  };
  void Add(Known known);
  void Add(const Case& test_case, bool is_changed, std::vector<double> numbers = {}) {
    Add(Known(test_case, is_changed, std::move(numbers)));
  }

  // The ops that explain which programs change: first the one whose programs change most often, then those that explain
  // the rest half as well. If no program of such an op alone changes, also the ops beside it with which most change,
  // for the patch may be about both. Empty if no program has changed.
  std::vector<OpKind> Likely() const;

  // The element type that an op of `likely` has in each program that has changed; the one whose programs change most
  // often. None if there is none, or too few programs have changed to tell.
  std::optional<ElementType> LikelyType(const std::vector<OpKind>& likely) const;

  // The numbers that the patch brings into several programs, the most frequent first: a limit of its own is in all of
  // them, a value that it computes from a program's own in few. At most eight.
  std::vector<double> Numbers() const;

  // Options for later cases. Of `all` they have the likely ops and their type alone, and favour the numbers. Before a
  // program has changed, they have by turns the few ops that the patch's code names, and all; if none of many has
  // changed, these are in chains, for the patch may be about several ops in a row. If all programs that changed have
  // element types beyond the specification, which are drawn rarely, most cases have such types.
  GeneratorOptions PreferredOf(const GeneratorOptions& all) const;

 private:
  // The share of changed programs among those that have an op, by op, of the programs with ops that `counts` accepts.
  std::map<OpKind, double> SharesAmong(absl::FunctionRef<bool(const std::set<OpKind>& ops)> counts) const;
  // Whether some programs have changed, all of them with types beyond that version of the specification.
  bool ChangesBeyond(SpecVersion version) const;
  // Whether a program of that op alone changes.
  bool ChangesAlone(OpKind op) const;

  std::vector<Known> programs_;
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHANGED_OPS_H_
