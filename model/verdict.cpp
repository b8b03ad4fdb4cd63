#include "model/verdict.h"

#include <cstddef>

namespace tosaic {
namespace {

constexpr absl::string_view kNames[] = {"agree",
                                        "unsupported",
                                        "undefined",
                                        "false-accept",
                                        "false-reject",
                                        "wrong-inference",
                                        "lowering-failed",
                                        "crash",
                                        "timeout",
                                        "memory-fault",
                                        "uninitialized-result",
                                        "leak",
                                        "wrong-shape",
                                        "wrong-value",
                                        "contract-violation",
                                        "harness-fault"};

constexpr Verdict kVerdicts[] = {
    Verdict::kAgree,       Verdict::kUnsupported,    Verdict::kUndefined,           Verdict::kFalseAccept,
    Verdict::kFalseReject, Verdict::kWrongInference, Verdict::kLoweringFailed,      Verdict::kCrash,
    Verdict::kTimeout,     Verdict::kMemoryFault,    Verdict::kUninitializedResult, Verdict::kLeak,
    Verdict::kWrongShape,  Verdict::kWrongValue,     Verdict::kContractViolation,   Verdict::kHarnessFault};

}  // namespace

absl::Span<const Verdict> AllVerdicts() { return kVerdicts; }

absl::string_view Name(Verdict verdict) { return kNames[static_cast<size_t>(verdict)]; }

std::optional<Verdict> FindVerdict(absl::string_view name) {
  for (Verdict verdict : kVerdicts) {
    if (Name(verdict) == name) return verdict;
  }
  return std::nullopt;
}

absl::string_view FindingStatus(absl::string_view known_reason, bool beyond_spec) {
  if (!known_reason.empty()) return "known";
  return beyond_spec ? "beyond-spec" : "new";
}

}  // namespace tosaic
