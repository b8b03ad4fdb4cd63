// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FindingSignature: divergences with the same signature are one finding. Reducing a case does not change the signature,
// because it has no sizes, seeds, addresses or names of values. Files and reports contain it as text: the non-empty
// parts, separated by slashes.
#ifndef TOSAIC_MODEL_SIGNATURE_H_
#define TOSAIC_MODEL_SIGNATURE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/verdict.h"

namespace tosaic {

class Visitor;

// Stands for the op if it is unknown which of several ops it was. kProbeOp stands for the trait alone.
inline constexpr absl::string_view kSeveralOps = "several-ops";
// Stands for the element types: all types outside the specification's tuples are one class.
inline constexpr absl::string_view kBeyondSpecTypes = "beyond-spec";
// Each stands for the rule and the detail if MLIR lowers the op by reading memory of the compiler that it should not,
// so that the symptom differs from run to run (wrong values and shapes keep their own): for a shift or zero point that
// is not a constant, and for a reshape of an unranked tensor.
inline constexpr absl::string_view kSpecialOperand = "special-operand-at-run-time";
inline constexpr absl::string_view kUnrankedOperand = "unranked-operand";
bool IsOfForeignMemory(absl::string_view detail);

// The detail if both the wrong value and the right one are numbers. Older files distinguish zeros from other numbers.
inline constexpr absl::string_view kNumberForNumber = "number-for-number";

// "wrong-value/tanh/bf16/loops/value.tanh/number-for-nan"
struct FindingSignature {
  std::optional<Verdict> verdict;  // none: no divergence, or `detail` has a text that is no signature
  std::string op;
  std::string types;       // "i8-i32"; only if the verdict depends on them and the op is known
  std::string route;       // only of verdicts after the verifier
  std::string rule;        // its label
  std::string strictness;  // only of tosa-validate's judgements
  std::string detail;      // tells causes under one rule apart; it may have slashes
  std::string ops;  // "negate(negate(x))": the pattern of a reduced case with several ops; the last part of the text

  // The signature of a case without a divergence.
  bool empty() const { return !verdict && detail.empty(); }

  friend bool operator==(const FindingSignature& a, const FindingSignature& b) = default;
};

std::string ToString(const FindingSignature& signature);
// By their texts: the order in which files and reports have findings.
bool operator<(const FindingSignature& a, const FindingSignature& b);
// Parses any text; ToString returns the same text.
FindingSignature ParseFindingSignature(absl::string_view text);
absl::Status ReadText(absl::string_view text, FindingSignature& signature);

// Whether a text can be a signature's op.
bool IsSignedOp(absl::string_view part);

// A set of signatures: a shell pattern for each part. `*` matches any text, including the empty one.
struct SignaturePattern {
  std::string verdict = "*", op = "*", types = "*", route = "*", rule = "*", strictness = "*", detail = "*";

  bool Matches(const FindingSignature& signature) const;
};
std::string ToString(const SignaturePattern& pattern);  // all parts, for people
void Fields(Visitor& v, SignaturePattern& pattern);

// Whether a text matches a shell pattern, or is equal to it, so that a pattern with "[" or "?" matches itself.
bool MatchesGlob(const std::string& pattern, const std::string& text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SIGNATURE_H_
