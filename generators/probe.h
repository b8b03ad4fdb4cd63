// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes of the Broadcastable trait alone (model/op_signature.h, kProbeOp), which reach cases that no TOSA op can. They
// have any number of operands of any rank, container and element type, and are legal or broken on purpose.
#ifndef TOSAIC_GENERATORS_PROBE_H_
#define TOSAIC_GENERATORS_PROBE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "model/op_signature.h"
#include "model/rules.h"

namespace tosaic {

// Draws one that the document allows: 1 to 8 operands of different ranks up to 6, tensors or vectors; dimensions of at
// least 1.
OpSignature DrawLegalProbe(ChoiceSource& choices);

struct ProbeIllegality {
  absl::string_view name;
  RuleId rule;  // the rule that it breaks
  // Breaks the rule. REQUIRES: a probe of DrawLegalProbe.
  void (*apply)(ChoiceSource& choices, OpSignature& probe);
};

absl::Span<const ProbeIllegality> AllProbeIllegalities();

// Draws a probe: half of them are broken by one of the illegalities, some have tensors and vectors.
OpSignature DrawProbe(ChoiceSource& choices);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PROBE_H_
