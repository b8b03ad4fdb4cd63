// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the signature of a divergence: the finding (model/signature.h) that a judged observation shows.
#ifndef TOSAIC_CHECKING_SIGNATURE_H_
#define TOSAIC_CHECKING_SIGNATURE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/signature.h"
#include "model/verdict.h"

namespace tosaic {

// In a program of several ops only a wrong value shows which op it is about; otherwise kSeveralOps stands for the op
// and its element types.
FindingSignature SignatureOf(const Case& test_case, const Observation& observation, const Judgement& judgement);

// For the op that has only the Broadcastable trait: "false-accept/broadcastable/bcast.verify.rank", with "vector" as
// its detail if a vector takes part.
FindingSignature SignatureOf(const OpSignature& probe, const Judgement& judgement);

// Whether a case shows the finding with that signature. One op is enough to show a finding of several.
bool ShowsFinding(FindingSignature signature, const Case& test_case, const Observation& observation,
                  const Judgement& judgement);

// The parts that stay the same if, for example, another op shows the same defect.
struct DefectKind {
  FindingSignature
      signature;  // without op, element types of the specification, route and the pass that left illegal IR
  Stage stage = Stage::kBuild;

  friend bool operator==(const DefectKind& a, const DefectKind& b) = default;
};
DefectKind KindOf(const Case& test_case, const Observation& observation, const Judgement& judgement);

// The detail of findings on an op that MLIR lowers by reading memory that it should not (kSpecialOperand,
// kUnrankedOperand); empty for any other op. The symptom differs from run to run, and is one cause, not one per type
// and message.
absl::string_view DetailOfForeignMemory(const Program& program, const OpApplication& op);

// The first line of a diagnostic with types, numbers and value names taken out.
std::string NormalizeDiagnostic(absl::string_view diagnostic);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_SIGNATURE_H_
