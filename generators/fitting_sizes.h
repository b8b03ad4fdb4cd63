// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run-time sizes of the arguments of a program that was not generated: whether they fit everywhere, and some that do.
#ifndef TOSAIC_GENERATORS_FITTING_SIZES_H_
#define TOSAIC_GENERATORS_FITTING_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Whether every op's operands broadcast, and give what its result's type admits. `arguments`: the sizes of each.
bool SizesFit(const Program& program, const std::vector<std::vector<int64_t>>& arguments);

// Whether every op's operands have one rank: else no value is defined (docs/policies.md), and none is mended.
bool HaveOneRank(const Program& program, const std::vector<std::vector<int64_t>>& arguments);

// Sizes that are likely to fit, as the program's types say.
class SizesByTypes {
 public:
  // In place of an attempt: the innermost dynamic dimension is 67, if no type says what it is.
  static constexpr int kWide = -1;

  explicit SizesByTypes(const Program& program);
  // The sizes of each argument. Attempt 0 has each dynamic dimension as large as the types around it say, later ones 1
  // in some of an argument's. A dynamic operand of a reshape gets as many elements as the new shape, if some sizes do.
  std::vector<std::vector<int64_t>> Draw(ChoiceSource& choices, int attempt) const;

 private:
  // Of the types of values that ops bring together: the largest static size by distance from the innermost dimension,
  // and the rank.
  struct Hints {
    std::map<size_t, int64_t> sizes;
    std::optional<size_t> rank;

    void Add(const Shape& shape);
    std::optional<int64_t> SizeAt(size_t place) const;
  };

  size_t GroupOf(ValueRef ref) const;
  // Gives the dynamic dimensions of reshapes' operands sizes.
  void SolveReshapes(ChoiceSource& choices, int attempt, std::map<size_t, Hints>* hints) const;

  const Program& program_;
  size_t constants_, ops_;     // the places of the first constant and op in `group_`, behind the arguments
  std::vector<size_t> group_;  // values that ops bring together; what one is says nothing of another
  std::map<size_t, Hints> hints_;
};

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_FITTING_SIZES_H_
