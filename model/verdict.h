// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdict and Judgement: what the oracle says about an observation. A divergence is a value, not an error.
#ifndef TOSAIC_MODEL_VERDICT_H_
#define TOSAIC_MODEL_VERDICT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "codec/names.h"
#include "model/judged_elements.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

class Visitor;

enum class Verdict : uint8_t {
  kAgree,
  kUnsupported,  // refused cleanly, and the support table says so
  kUndefined,    // the documents allow anything
  // Divergences.
  kFalseAccept,
  kFalseReject,
  kWrongInference,
  kLoweringFailed,
  kCrash,
  kTimeout,
  kMemoryFault,
  kUninitializedResult,
  kLeak,
  kWrongShape,
  kWrongValue,
  kContractViolation,
  kJudgesDisagree,  // the oracle, and what a test of another suite states of its result: one of the two is wrong
  // Tosaic's own failure, or a divergence that does not repeat in a fresh process.
  kHarnessFault,
};
EnumNames NamesOf(Verdict verdict);  // "false-accept"
inline bool IsDivergence(Verdict verdict) {
  return verdict >= Verdict::kFalseAccept && verdict <= Verdict::kJudgesDisagree;
}

// The first element that disagrees, explained.
struct ElementMismatch {
  int run = 0;
  int op = 0;                       // index into Program::ops
  uint64_t index = 0;               // row-major index into the result
  std::vector<std::string> inputs;  // the operands' elements: "nan(0x7fc00000)"
  std::string expected;             // a value, or a range "[a, b]"
  std::string actual;
  std::string expected_bits;
  std::string actual_bits;
  double ulp_distance = 0;  // floats: |actual - expected| in units of the expected's last place
  std::string bound;        // the rule and its width: "2 ulp"
  uint64_t count = 0;       // elements of this run and op that disagree

  friend bool operator==(const ElementMismatch& a, const ElementMismatch& b) = default;
};
void Fields(Visitor& v, ElementMismatch& mismatch);

// The rule that decided a case: as text its label, and of a harness-fault also what failed: "harness.executor: no
// memory".
struct DecidingRule {
  RuleId id = RuleId::kNone;
  std::string fault;  // of a label that this version does not have: the whole text

  friend bool operator==(const DecidingRule& a, const DecidingRule& b) = default;
};
std::string ToString(const DecidingRule& rule);
absl::Status ReadText(absl::string_view text, DecidingRule& rule);

struct Judgement {
  Verdict verdict = Verdict::kAgree;
  Stage stage = Stage::kExecute;
  bool beyond_spec = false;     // element types outside the specification's tuples
  RuleId rule = RuleId::kNone;  // the rule that decided: bcast.verify.rank
  std::string strictness;       // of tosa-validate's judgement: Strictness(target); else empty
  std::string expected;
  std::string actual;
  std::optional<int> op;  // index of the op that a verifier or inference decided at; of wrong values see mismatch->op
  std::optional<ElementMismatch> mismatch;
  uint64_t compared = 0;               // elements really compared, over all runs
  uint64_t masked = 0;                 // elements left out as unpredictable
  uint64_t open = 0;                   // elements of which more than half of all values are allowed
  std::vector<JudgedElements> judged;  // all three, by what computed them (AddTo)
  std::vector<std::string> notes;

  friend bool operator==(const Judgement& a, const Judgement& b) = default;
};
void Fields(Visitor& v, Judgement& judgement);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_VERDICT_H_
