// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/flushing.h"

#include <array>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/compare.h"

namespace tosaic {
namespace {

constexpr std::array<ElementType, 3> kFlushed = {ElementType::kF16, ElementType::kBF16, ElementType::kF32};

bool IsFlushedType(ElementType type) { return absl::c_linear_search(kFlushed, type); }

// Whether the element matches, and whether a target that flushes its type, or one that does not, can have made it.
bool PassesAs(const ScalarInput& in, const Expected& expected, uint64_t actual_raw_bits, bool flushes) {
  const ElementType type = in.result_type;
  if (expected.kind == Expected::Kind::kUndefined) return true;
  if (!Matches(expected, type, actual_raw_bits)) return false;
  if (!IsFlushedType(type)) return true;
  if (flushes) return !MayBeFlushed(type, actual_raw_bits);
  return !IsRoundedExactly(in) || !PassesByFlushing(type, expected, actual_raw_bits);
}

// Asks the enclosure first, which passes only what surely matches, and otherwise decides exactly.
bool Passes(ScalarInput in, ScalarFunction function, uint64_t actual_raw_bits, bool flushes) {
  for (const Mode mode : {Mode::kEnclose, Mode::kDecide}) {
    in.mode = mode;
    if (PassesAs(in, function(in), actual_raw_bits, flushes)) return true;
  }
  return false;
}

// Whether the element can be explained by flushing some operands but not others, with the result flushed or not.
bool PassesSomehow(ScalarInput in, ScalarFunction function, uint64_t actual_raw_bits, size_t operand = 0) {
  if (operand == in.ReadCount()) {
    return Passes(in, function, actual_raw_bits, false) || Passes(in, function, actual_raw_bits, true);
  }
  if (PassesSomehow(in, function, actual_raw_bits, operand + 1)) return true;
  const ElementType type = in.OperandType(operand);
  if (!MayBeFlushed(type, in.bits[operand])) return false;
  in.bits[operand] &= SignMask(type);
  return PassesSomehow(in, function, actual_raw_bits, operand + 1);
}

}  // namespace

bool IsRoundedExactly(const ScalarInput& in) {
  const Accuracy& accuracy = AccuracyOf(in.op, in.result_type, in.policies);
  switch (accuracy.kind) {
    case Accuracy::Kind::kExact:
    case Accuracy::Kind::kCast:
      return true;
    case Accuracy::Kind::kUlp:
      return accuracy.ulp <= 0.5;
    case Accuracy::Kind::kAbsoluteError:
    case Accuracy::Kind::kPow:
    case Accuracy::Kind::kPow100:
      break;
  }
  return false;
}

bool MayBeFlushed(ElementType type, uint64_t bits) {
  if (!IsFlushedType(type)) return false;
  const uint64_t magnitude = bits & (SignMask(type) - 1);
  return magnitude != 0 && magnitude < uint64_t{1} << Info(type).mantissa_bits;
}

bool FlushOperands(ScalarInput* in) {
  if (!MayFlush(in->op)) return false;
  bool flushed = false;
  for (size_t k = 0, count = in->ReadCount(); k < count; ++k) {
    const ElementType type = in->OperandType(k);
    if (!MayBeFlushed(type, in->bits[k])) continue;
    in->bits[k] &= SignMask(type);
    flushed = true;
  }
  return flushed;
}

FlushingTargets FlushingTargets::That(bool flush, ElementType type) {
  const auto* found = absl::c_find(kFlushed, type);
  if (found == kFlushed.end()) return flush ? None() : All();
  int targets = 0;
  for (int target = 0; target < 1 << kFlushed.size(); ++target) {
    const bool flushes = (target >> (found - kFlushed.begin()) & 1) != 0;
    if (flushes == flush) targets |= 1 << target;
  }
  return FlushingTargets(targets);
}

ElementCheck CheckElement(const ScalarInput& in, ScalarFunction function, uint64_t actual_raw_bits,
                          FlushingTargets asked) {
  ScalarInput flushed = in;
  FlushOperands(&flushed);
  ElementCheck check;
  for (const bool operands : {false, true}) {
    for (const bool result : {false, true}) {
      const FlushingTargets targets =
          asked & FlushingTargets::That(operands, in.input_type) & FlushingTargets::That(result, in.result_type);
      if (targets.IsEmpty() || !Passes(operands ? flushed : in, function, actual_raw_bits, result)) continue;
      check.targets = check.targets | targets;
    }
  }
  check.allowed = !check.targets.IsEmpty() || PassesSomehow(in, function, actual_raw_bits);
  return check;
}

void FlushingRecord::Add(Witness witness) {
  open_ = open_ & witness.targets;
  witness.element.run = run_;
  witness.element.op = op_;
  witnesses_.push_back(std::move(witness));
}

FlushingRecord::Mixture FlushingRecord::FindMixture() const {
  for (const Witness& witness : witnesses_) {
    if (witness.targets.IsEmpty()) return {witness.element, nullptr};
    for (const Witness& other : witnesses_) {
      if (!(witness.targets & other.targets).IsEmpty()) continue;
      const bool one_flushed = !witness.targets.HasTheOneThatKeepsAll();
      return {(one_flushed ? witness : other).element, &(one_flushed ? other : witness).element};
    }
  }
  // Three casts between two types may contradict each other although no two of them do.
  return {witnesses_.back().element, nullptr};
}

void BlameMixture(const Program& program, const FlushingRecord& record, Judgement* judgement) {
  const auto [flushed, kept] = record.FindMixture();
  const auto text = [&](const ElementMismatch& element) {
    return absl::StrCat("run ", element.run, ", %", element.op, "[", element.index,
                        "] = ", Name(program.ops[element.op].op), "(", absl::StrJoin(element.inputs, ", "),
                        ") = ", element.actual);
  };
  judgement->verdict = Verdict::kWrongValue;
  judgement->rule = RuleId::kValueFlushing;
  judgement->expected = kept == nullptr ? std::string("all subnormals of a type kept, or all flushed")
                                        : absl::StrCat("all subnormals of a type kept, as in ", text(*kept));
  judgement->actual = absl::StrCat("flushed: ", text(flushed));
  judgement->mismatch = flushed;
  judgement->mismatch->count = 1;  // the first one is enough
}

}  // namespace tosaic
