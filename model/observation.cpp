#include "model/observation.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace tosaic {

absl::string_view Name(Stage stage) {
  constexpr absl::string_view kNames[] = {"build", "verify", "infer", "lower", "translate", "compile", "execute"};
  return kNames[static_cast<size_t>(stage)];
}

absl::string_view Name(Outcome outcome) {
  constexpr absl::string_view kNames[] = {"completed", "refused",       "illegal-ir",   "signal",
                                          "deadline",  "out-of-memory", "memory-fault", "tool-failure"};
  return kNames[static_cast<size_t>(outcome)];
}

std::string ToString(const MemoryFault& fault) {
  return absl::StrCat(fault.is_write ? "write" : "read", " at byte ", fault.offset, " of ", fault.region, " (",
                      fault.region_bytes, " bytes)");
}

std::string Summarize(const Observation& observation) {
  if (observation.outcome == Outcome::kCompleted) {
    return absl::StrCat("completed ", observation.runs.size(), " runs");
  }
  std::string text = absl::StrCat(Name(observation.outcome), " at ", Name(observation.stage));
  if (!observation.pass.empty()) absl::StrAppend(&text, " (", observation.pass, ")");
  if (observation.outcome == Outcome::kSignal) absl::StrAppend(&text, ": signal ", observation.signal);
  if (observation.fault) absl::StrAppend(&text, ": ", ToString(*observation.fault));
  if (!observation.diagnostics.empty()) absl::StrAppend(&text, ": ", observation.diagnostics.front());
  return text;
}

}  // namespace tosaic
