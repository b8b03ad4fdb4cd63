// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FindingSignature: the name under which equal divergences are one finding. It survives shrinking: no sizes, no seeds,
// no addresses, no value names. Files and people have its text; the parts stand between slashes, and those that say
// nothing are left out.
#ifndef TOSAIC_MODEL_SIGNATURE_H_
#define TOSAIC_MODEL_SIGNATURE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/verdict.h"

namespace tosaic {

class Visitor;

// In the place of the op where nobody knows which of several ops it was. The trait alone has kProbeOp.
inline constexpr absl::string_view kSeveralOps = "several-ops";
// In the place of the element types: all those outside the specification's tuples are one class.
inline constexpr absl::string_view kBeyondSpecTypes = "beyond-spec";
// In the place of rule and detail: the cause is a shift or zero point that is no constant, whatever comes of it.
inline constexpr absl::string_view kSpecialOperand = "special-operand-at-run-time";

// A detail of a wrong value: another number. Until 2026 a zero on either side was a kind of its own.
inline constexpr absl::string_view kNumberForNumber = "number-for-number";

// "wrong-value/tanh/bf16/loops/value.tanh/number-for-nan"
struct FindingSignature {
  std::optional<Verdict> verdict;  // none: no divergence, or a text that is no signature, which stands in `detail`
  std::string op;
  std::string types;       // "i8-i32"; of verdicts that depend on them, and if it is known which op it was
  std::string route;       // of verdicts after the verifier
  std::string rule;        // its label
  std::string strictness;  // of tosa-validate's judgements
  std::string detail;      // what distinguishes causes under the rule; it may hold slashes
  std::string ops;  // of a reduced case of several ops: their pattern, "negate(negate(x))"; as text: the last part

  // There is no divergence.
  bool empty() const { return !verdict && detail.empty(); }

  friend bool operator==(const FindingSignature& a, const FindingSignature& b) = default;
};

std::string ToString(const FindingSignature& signature);
// Takes any text, and ToString gives it back.
FindingSignature ParseFindingSignature(absl::string_view text);
absl::Status ReadText(absl::string_view text, FindingSignature& signature);

// Whether a text can stand in the place of the op, and in that of element types of the specification.
bool IsSignedOp(absl::string_view part);
bool AreSignedTypes(absl::string_view part);

// Which signatures: a shell pattern for each part. `*` is anything, also nothing.
struct SignaturePattern {
  std::string verdict = "*", op = "*", types = "*", route = "*", rule = "*", strictness = "*", detail = "*";

  bool Matches(const FindingSignature& signature) const;
};
std::string ToString(const SignaturePattern& pattern);  // all parts, for people
void Fields(Visitor& v, SignaturePattern& pattern);

// Whether a text is what a shell pattern describes, or is that very text, whatever it holds: "[", "?".
bool MatchesGlob(const std::string& pattern, const std::string& text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SIGNATURE_H_
