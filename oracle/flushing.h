// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flushing: subnormals of f16, bf16 and f32 may become the zero of their sign, as operands "before calculation" and as
// results (the operators' precision requirements); "either all values must be flushed to sign-preserved zero, or none
// of them" (introduction.adoc, "Floating-Point Precision Requirements"). The readings are in docs/policies.md.
//
// An element by itself may have been made with its operands flushed or not, and be flushed or not. All elements of a
// case together must be what one target can make that keeps the second sentence.
#ifndef TOSAIC_ORACLE_FLUSHING_H_
#define TOSAIC_ORACLE_FLUSHING_H_

#include <cstdint>
#include <vector>

#include "model/verdict.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Whether the bits are a subnormal of f16, bf16 or f32: one that may be flushed.
bool MayBeFlushed(ElementType type, uint64_t bits);

// Makes each operand that may be flushed the zero of its sign; false if there is none.
bool FlushOperands(ScalarInput* in);

// Whether one number alone rounds right: then a zero in the place of a subnormal is a flushed one. Elsewhere
// tosa_reference_check_fp_bnd lets a zero pass whose function underflowed on the way, as 1 / (1 + exp(12)) of f16 does.
bool IsRoundedExactly(const ScalarInput& in);

// A set of the eight targets that there can be: each flushes, of each of the three types, all subnormals or none.
class FlushingTargets {
 public:
  static FlushingTargets None() { return FlushingTargets(0); }
  static FlushingTargets All() { return FlushingTargets(0xff); }
  // Those that flush the type, or those that do not: all of them, if it is one that nobody may flush.
  static FlushingTargets That(bool flush, ElementType type);

  bool IsEmpty() const { return targets_ == 0; }
  // Whether the target is among them that flushes nothing at all.
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
  bool allowed = false;  // by the rules of the op alone
  // Those of the targets asked for that may have computed it. If the element is allowed and there is none, only a
  // mixture computes it, or a target that was not asked for.
  FlushingTargets targets = FlushingTargets::None();
};
// Judges an element by the op's function. REQUIRES: some target is asked for.
ElementCheck CheckElement(const ScalarInput& in, ScalarFunction function, uint64_t actual_raw_bits,
                          FlushingTargets asked = FlushingTargets::All());

// What the elements of a case, over all runs and ops, say of the target that made them.
class FlushingRecord {
 public:
  // An element that narrowed down which target it can be.
  struct Witness {
    FlushingTargets targets;  // those that explain it
    ElementMismatch element;  // `expected` is of operands as they are
  };

  // What is added from here on belongs to this run and op.
  void MoveTo(size_t run, size_t op) {
    run_ = static_cast<int>(run);
    op_ = static_cast<int>(op);
  }
  // The targets that explain all elements so far.
  FlushingTargets open() const { return open_; }
  bool Narrows(FlushingTargets targets) const { return (open_ & targets) != open_; }
  void Add(Witness witness);

  // An element that shows that a subnormal was flushed, and one at odds with it, which kept some: null if the first is
  // a mixture by itself. REQUIRES: open() is empty.
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

// Blames a mixture, in a program with these ops: a wrong value under value.flushing.
void BlameMixture(const Program& program, const FlushingRecord& record, Judgement* judgement);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_FLUSHING_H_
