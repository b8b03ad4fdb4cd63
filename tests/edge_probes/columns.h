// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns: one element of every value of a program, with the results of a toolchain that is right or makes one mistake.
// Elements do not depend on each other, for nothing broadcasts.
#ifndef TOSAIC_TESTS_EDGE_PROBES_COLUMNS_H_
#define TOSAIC_TESTS_EDGE_PROBES_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.h"
#include "tests/edge_probes/one_op.h"

namespace tosaic::edge_probes {

struct Column {
  std::vector<uint64_t> arguments;
  std::vector<uint64_t> ops;
};

struct Mistake {
  enum class Kind : uint8_t {
    kStepOutside,   // a result one step outside what is allowed
    kOtherContent,  // of an operand that is not returned, the op sees another value than other ops do
  };
  Kind kind;
  size_t op;
};

class ColumnMaker {
 public:
  // Of a target that flushes all subnormals, or none. The program and the dice must outlive it.
  ColumnMaker(const Program& program, bool flushes, Dice& dice);

  // nullopt if random data leave an element unpredictable, or no room for the mistake, each time it is tried.
  std::optional<Column> Make(std::optional<Mistake> mistake);

  // Whether some values of what is not returned explain what is; nullopt if that cannot be told.
  std::optional<bool> IsExplained(const Column& column) const;

 private:
  dumb::Fit BestExplanation(size_t op, dumb::Fit so_far, Column& column, int64_t& budget) const;
  std::optional<Column> Try(std::optional<Mistake> mistake);
  bool ChangeContent(const Column& column, size_t op, Operands& operands);
  Operands OperandsOf(const Column& column, size_t op) const;

  const Program& program_;
  const bool flushes_;
  Dice& dice_;
  std::vector<OneOp> ops_;
  std::vector<bool> is_returned_;
};

}  // namespace tosaic::edge_probes

#endif  // TOSAIC_TESTS_EDGE_PROBES_COLUMNS_H_
