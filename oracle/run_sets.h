// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RunSets: the allowed sets of a program's values in one run, from its arguments and constants through the ops whose
// results are not returned. A value that the program returns is known, so it is a point; any other value is a set. If
// an element is unpredictable, everything that depends on it is unpredictable, even if the element is returned, because
// a compiler may fold both ops together.
#ifndef TOSAIC_ORACLE_RUN_SETS_H_
#define TOSAIC_ORACLE_RUN_SETS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "model/program.h"
#include "oracle/allowed_set.h"
#include "oracle/policy.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/scalar_ops.h"
#include "oracle/set_ops.h"

namespace tosaic {

class RunSets {
 public:
  // `known`: each op's result, null if it is not known (KnownOpResults); all null for a run that did not end. nullopt
  // if the sizes of some op are undefined. The case, the known tensors and the policies must outlive the sets.
  // `subnormals`: what is known about how the target treats subnormals.
  static std::optional<RunSets> Of(const Case& test_case, size_t run, std::vector<const Tensor*> known,
                                   const Policies& policies, std::optional<SubnormalsOf> subnormals = std::nullopt);

  // The sizes of an op's result.
  const std::vector<int64_t>& sizes(size_t op) const { return sizes_[op]; }
  // The same with the rule behind them.
  RuntimeShape ShapeOf(size_t op) const;

  // The possible values of an element of an op's result, given what its operands are or may be, even if the element
  // itself is known. Also undefined if no rule has values for the op's element types.
  AllowedSet Allowed(size_t op, size_t element);

  // The result of an op that the run showed; null if the program does not return it.
  const Tensor* known(size_t op) const { return known_[op]; }

  // By op, whether it uses the result of the op, directly or by way of hidden values.
  std::vector<bool> UsersOf(size_t op) const;
  // A hidden element, and a set that its value is supposed to be in.
  struct Given {
    size_t op;
    size_t element;
    std::vector<bool> users;  // UsersOf(op)
    AllowedSet set;
  };
  // The same as Allowed, of an element of a user's result.
  AllowedSet AllowedIf(const Given& given, size_t op, size_t element);

  // Where ScalarInput::bits of an element of an op's result come from: one element of a value (`first` is `last`), or
  // one of several where an operand's set decides which.
  struct Read {
    ValueRef ref;
    size_t first, last;

    friend bool operator==(const Read& a, const Read& b) = default;
  };
  absl::InlinedVector<Read, 3> ReadsOf(size_t op, size_t element, const Given* given = nullptr);
  // The sets of these. `given`, if not null, is one more thing that is known; the op is one of its users.
  using OperandSets = absl::InlinedVector<AllowedSet, 3>;
  OperandSets OperandsOf(size_t op, size_t element, const Given* given = nullptr);

  // The bits of these, if each has only one possible value. A NaN has the payload that it has in a value that
  // is known, be it behind reshapes; no op but reshape looks at it, and for that one there are no bits if it is not
  // known.
  std::optional<ElementBits> OnlyOperandsOf(size_t op, size_t element);

  // Whether an element of an op whose result is known is unpredictable.
  bool IsUndefined(size_t op, size_t element);
  // The sets without the implausible members of hidden values (PlausibleOf); null if no op has implausible values.
  RunSets* Plausible();
  // The image of the operands' sets in an element of the op's result, implausible values included.
  AllowedSet ImageOfOperands(size_t op, size_t element, const Given* given = nullptr);

  // Which elements of the op's result depend on an unpredictable one; empty if none can do so.
  std::vector<bool> DependingOnUndefined(size_t op);
  // Whether an element of some op's result is, or may be, unpredictable.
  bool MayHaveUndefined();
  // Whether an op that can leave the whole run open (LeavesTheRunOpen) has an element that does so, or may do so.
  bool MayLeaveTheRunOpen();

 private:
  RunSets(const Case& test_case, size_t run, std::vector<const Tensor*> known, const Policies& policies);
  const std::vector<int64_t>& SizesOf(ValueRef ref) const;
  AllowedSet Operand(ValueRef ref, size_t element, const Given* given);
  AllowedSet SetOf(const Read& read, const Given* given);
  // The image of a lookup: the union over its entries, each with the members of the operand that read it.
  AllowedSet ImageOfEntries(size_t op, absl::Span<const Read> reads, const AllowedSet& looked_up, const Given* given);
  std::optional<uint64_t> KnownBits(ValueRef ref, size_t element) const;
  AllowedSet Image(size_t op, size_t element);
  AllowedSet ImageUnder(size_t op, const OperandSets& operands) const;
  bool AnyElement(absl::FunctionRef<bool(size_t op, size_t element)> is_such) const;
  bool MayHaveNoQuotient(size_t op, size_t element);
  bool DependsOnUndefined(size_t op, size_t element);

  // A cache of sets, indexed by element modulo the cache's size.
  static constexpr size_t kRemembered = 1024;
  struct Remembered {
    size_t element;
    AllowedSet set;
  };

  const Case& case_;
  size_t run_;
  std::vector<const Tensor*> known_;
  const Policies& policies_;
  std::optional<SubnormalsOf> subnormals_;
  bool is_plausible_ = false;
  std::unique_ptr<RunSets> plausible_;
  std::vector<std::vector<int64_t>> sizes_;
  std::vector<bool> has_values_;               // by op: HasValues
  std::vector<ScalarInput> inputs_;            // by op, without operands
  std::vector<bool> may_depend_on_undefined_;  // by op: an op that it depends on may be unpredictable
  std::vector<bool> may_be_undefined_;         // by op: that, or it itself
  std::vector<std::vector<std::optional<Remembered>>> remembered_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RUN_SETS_H_
