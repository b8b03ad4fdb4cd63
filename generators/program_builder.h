// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ProgramBuilder: builds a legal program of several ops from element types alone. Finish then draws all shapes,
// declared results, runs and data, so that all values of a group fit each other. Its users choose the ops (graph.h,
// chains.h, identities.h).
#ifndef TOSAIC_GENERATORS_PROGRAM_BUILDER_H_
#define TOSAIC_GENERATORS_PROGRAM_BUILDER_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/shapes.h"
#include "generators/typed_op.h"
#include "model/program.h"

namespace tosaic {

// The values of an argument, chosen so that a chain stays defined and finite beyond its first op.
enum class Domain : uint8_t {
  kAny,
  kPositive,  // floats without a sign, numbers only
  kModerate,  // seven of eight floats are numbers of magnitude below 16
  kLimits,    // half of them the type's smallest and largest value
};

class ProgramBuilder {
 public:
  // `all_static`: no dynamic dimension and no unranked tensor anywhere. Both references must outlive it.
  ProgramBuilder(ChoiceSource& choices, const GeneratorOptions& options, bool all_static);

  // Values made from now on form a new group: their shapes fit each other, but not those of other groups.
  void BeginGroup();
  // Leaves constants as they are, even if they make elements undefined or trap, and limits the number of runs.
  void KeepConstants(int most_runs);

  ValueRef Argument(ElementType type, Domain domain = Domain::kAny);
  // A constant of random data.
  ValueRef Constant(ElementType type);
  // A constant with one value everywhere. It has the full shape, or dimensions of 1 that broadcast against the other
  // operand.
  ValueRef Splat(ElementType type, uint64_t bits);
  // The same except for one element, if it has three or more; it has the full shape.
  ValueRef NearlySplat(ElementType type, uint64_t bits);
  // An operand that acts as an attribute, and has this value in every run: a constant, or an argument.
  ValueRef Parameter(Tensor value, bool at_run_time);
  // An argument, or sometimes a constant.
  ValueRef Leaf(ElementType type);

  // Applies an op to these operands, and adds a leaf for each missing one that broadcasts. Shift and zero points that
  // are missing become constants. REQUIRES: the operands have the op's element types and are of the group.
  ValueRef Apply(const TypedOp& op, std::vector<ValueRef> operands);
  // The same with the op's attributes given.
  ValueRef Apply(const TypedOp& op, std::vector<ValueRef> operands, const Attributes& attributes);
  // The same for mul, with the shift given.
  ValueRef ApplyShifted(const TypedOp& op, std::vector<ValueRef> operands, int shift);
  // The value after an op that does not change it; for a constant, the op's result mostly has a less precise type (`4`
  // -> `?`). None if the options allow no such op.
  std::optional<ValueRef> Weaken(ValueRef value);

  ElementType ElementTypeOf(ValueRef ref) const { return tosaic::ElementTypeOf(program_, ref); }
  const Program& program() const { return program_; }

  // Draws the rest. The program returns all ops' results, or those that no op uses, and sometimes an argument as well.
  // REQUIRES: at least one op was applied, and this was not called before.
  Case Finish();

 private:
  // A value that others broadcast against. Finish() draws its type; until then it is declared as a scalar.
  struct Source {
    ValueRef ref;
    Domain domain = Domain::kAny;
    std::optional<uint64_t> splat;
    size_t group = 0;
    bool has_odd_place = false;  // of a splat
  };
  using Sizes = std::vector<int64_t>;

  ValueRef AddOp(const TypedOp& op, std::vector<ValueRef> operands, const Attributes& attributes,
                 std::optional<int> shift);
  ValueRef AddSource(ValueRef ref, Domain domain, std::optional<uint64_t> splat);
  int64_t MostElements() const;
  bool HasManyGroups() const;
  // Whether an op reshapes. It is to its operand's own shape, of which then all is known.
  bool HasReshape() const;
  // The group's plan; its operands are the group's sources in order.
  ShapePlan DrawSources(size_t group);
  void MakePlain(ShapePlan& plan, const std::vector<bool>& must_be_static);
  void BroadcastAllButOne(ShapePlan& plan);
  void FillConstantSource(const Source& source, const Shape& shape);
  std::vector<Sizes> DrawSourceSizes(const std::vector<ShapePlan>& plans);
  std::vector<Sizes> SizesOfOps(const std::vector<Sizes>& source_sizes) const;
  void DrawResultTypes(const std::vector<ShapePlan>& plans, const std::vector<std::vector<Sizes>>& runs);
  void DrawChannels(const Shape& input, OpApplication* op);
  Run DrawRun(const std::vector<Sizes>& source_sizes);
  void DrawResults();
  // The first op's result type that the value is an operand of.
  ElementType UsedFor(ValueRef ref) const;

  ChoiceSource& choices_;
  const GeneratorOptions& options_;
  const bool all_static_;
  Program program_;
  std::vector<Source> sources_;
  std::vector<std::pair<int, Tensor>> parameters_;  // arguments with their values
  size_t group_ = 0;                                // that is being made
  std::vector<size_t> group_of_op_;
  std::vector<bool> is_plain_;    // by group: one shape throughout
  std::optional<int> most_runs_;  // constants are kept
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PROGRAM_BUILDER_H_
