// Signature: the name under which equal divergences are one finding. It survives shrinking: no sizes, no seeds, no
// addresses, no value names.
#ifndef TOSAIC_CAMPAIGN_CHECKING_SIGNATURE_H_
#define TOSAIC_CAMPAIGN_CHECKING_SIGNATURE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/verdict.h"

namespace tosaic {

// Stands for op and element types where nobody knows which of several ops it was.
inline constexpr absl::string_view kSeveralOps = "several-ops";

// "wrong-value/tanh/bf16/loops/value.tanh/number-for-nan". Parts: verdict, op, element types (for verdicts that
// depend on them), route (for verdicts after the verifier), rule, tosa-validate's strictness, and what distinguishes
// causes under that rule. A shift or zero point that is no constant is a cause of its own:
// ".../special-operand-at-run-time". In a program of several ops only a wrong value tells which one it is about;
// otherwise "several-ops" stands for op and element types.
std::string FindingSignature(const Case& test_case, const Observation& observation, const Judgement& judgement);

// Whether a case shows the finding with that signature. One op is enough to show a finding of several.
bool ShowsFinding(absl::string_view signature, const Case& test_case, const Observation& observation,
                  const Judgement& judgement);

// The signature without op, element types, route and the pass that left illegal IR: what stays the same if another op,
// say, shows the same defect.
std::string FindingKind(const Case& test_case, const Observation& observation, const Judgement& judgement);

// Of a judgement on the op that has the Broadcastable trait alone: "false-accept/broadcastable/bcast.verify.rank", with
// "/vector" behind it if a vector takes part.
std::string ProbeSignature(const OpSignature& probe, const Judgement& judgement);

// The first line of a diagnostic with types, numbers and value names taken out.
std::string NormalizeDiagnostic(absl::string_view diagnostic);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CHECKING_SIGNATURE_H_
