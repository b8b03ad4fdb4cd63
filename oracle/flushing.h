// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flushing: subnormals of f16, bf16 and f32 may become the zero of their sign, as operands "before calculation" and as
// results (the operators' precision requirements); "either all values must be flushed to sign-preserved zero, or none
// of them" (introduction.adoc, "Floating-Point Precision Requirements"). The readings are in docs/policies.md.
//
// For a single element, the operands may be flushed or not, and so may the result. Some one target that obeys the
// second sentence must be able to make all elements of a case together.
#ifndef TOSAIC_ORACLE_FLUSHING_H_
#define TOSAIC_ORACLE_FLUSHING_H_

#include <cstdint>
#include <vector>

#include "model/verdict.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Whether the bits are a subnormal of f16, bf16 or f32: one that may be flushed.
bool MayBeFlushed(ElementType type, uint64_t bits);

// Whether the op may flush its operands or its result.
inline bool MayFlush(const OpInfo& op) { return !MovesElements(op); }

// Replaces each operand that may be flushed by the zero of its sign; false if there is none.
bool FlushOperands(ScalarInput* in);

// Whether only one number is the right result: then a zero instead of a subnormal shows flushing. Otherwise
// tosa_reference_check_fp_bnd also allows a zero from an intermediate underflow, as in 1 / (1 + exp(12)) on f16.
bool IsRoundedExactly(const ScalarInput& in);

// A set of the eight possible targets: for each of the three types, a target flushes all subnormals or none.
class FlushingTargets {
 public:
  static FlushingTargets None() { return FlushingTargets(0); }
  static FlushingTargets All() { return FlushingTargets(0xff); }
  // The targets that flush the type, or those that do not; all of them, if the type may not be flushed.
  static FlushingTargets That(bool flush, ElementType type);

  bool IsEmpty() const { return targets_ == 0; }
  // Whether the set has the target that flushes nothing.
  bool HasTheOneThatKeepsAll() const { return (targets_ & 1) != 0; }

  friend FlushingTargets operator&(FlushingTargets a, FlushingTargets b) {
    return FlushingTargets(a.targets_ & b.targets_);
  }
  friend FlushingTargets operator|(FlushingTargets a, FlushingTargets b) {
    return FlushingTargets(a.targets_ | b.targets_);
  }
  friend bool operator==(FlushingTargets a, FlushingTargets b) = default;

 private:
  explicit FlushingTargets(int targets) : targets_(static_cast<uint8_t>(targets)) {}
  uint8_t targets_;  // bit t: the target that flushes the types in t
};

struct ElementCheck {
  bool allowed = false;  // by the op's rules alone
  // The targets, among those asked for, that may have computed it. If the element is allowed and this is empty, only a
  // mixture or a target that was not asked for computes it.
  FlushingTargets targets = FlushingTargets::None();
};
// Judges an element by the op's function. REQUIRES: at least one target is asked for.
ElementCheck CheckElement(const ScalarInput& in, ScalarFunction function, uint64_t actual_raw_bits,
                          FlushingTargets asked = FlushingTargets::All());

// Which targets (FlushingTargets) explain all elements of a case, over all runs and ops.
class FlushingRecord {
 public:
  // An element that narrowed down the possible targets.
  struct Witness {
    FlushingTargets targets;  // those that explain it
    ElementMismatch element;  // `expected` is of operands as they are
  };

  // Elements added from now on belong to this run and op.
  void MoveTo(size_t run, size_t op) {
    run_ = static_cast<int>(run);
    op_ = static_cast<int>(op);
  }
  // The targets that explain all elements so far.
  FlushingTargets open() const { return open_; }
  bool Narrows(FlushingTargets targets) const { return (open_ & targets) != open_; }
  void Add(Witness witness);

  // An element that shows that a subnormal was flushed, and one that contradicts it because it kept a subnormal; the
  // latter is null if the first is a mixture by itself. REQUIRES: open() is empty.
  struct Mixture {
    const ElementMismatch& flushed;
    const ElementMismatch* kept;
  };
  Mixture FindMixture() const;

 private:
  FlushingTargets open_ = FlushingTargets::All();
  int run_ = 0, op_ = 0;
  std::vector<Witness> witnesses_;  // at most nine: each takes a target away
};

// Turns the judgement of a program with these ops into a wrong value under value.flushing, because of a mixture.
void BlameMixture(const Program& program, const FlushingRecord& record, Judgement* judgement);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_FLUSHING_H_
