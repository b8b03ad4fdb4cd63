// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/progress.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

Outcome OutcomeOf(Death::How how) {
  switch (how) {
    case Death::How::kSignal:
    case Death::How::kExit:
      return Outcome::kSignal;
    case Death::How::kDeadline:
      return Outcome::kDeadline;
    case Death::How::kOutOfMemory:
      return Outcome::kOutOfMemory;
    case Death::How::kNonsense:
      return Outcome::kToolFailure;
  }
  return Outcome::kToolFailure;
}

constexpr absl::string_view kKilledFromOutside = "killed from outside";

// Says why a death is not the tested code's fault; empty if it is.
std::string OwnFault(const Death& death) {
  if (death.how == Death::How::kSignal && IsSignalFromOutside(death.status)) return KilledFromOutside(death.status);
  const bool is_at_limit = death.how == Death::How::kOutOfMemory || death.how == Death::How::kDeadline;
  if (!death.at.own_work) {
    return is_at_limit && death.cramped
               ? "a limit of this process (ulimit) leaves less memory or time than a case may take"
               : "";
  }
  constexpr absl::string_view kOwn = "Tosaic's own part of the case";
  switch (death.how) {
    case Death::How::kDeadline:
      return absl::StrCat(kOwn, " takes more than the time limit of a case (--cpu-limit, --wall-limit)");
    case Death::How::kOutOfMemory:
      return absl::StrCat(kOwn, " takes more than the memory of a case");
    case Death::How::kSignal:
      return absl::StrCat(kOwn, " ended with signal ", death.status, ": ", death.output);
    case Death::How::kExit:
      return absl::StrCat(kOwn, " ended with exit status ", death.status, ": ", death.output);
    case Death::How::kNonsense:
      break;
  }
  return "";
}

}  // namespace

std::string KilledFromOutside(int signal) { return absl::StrCat(kKilledFromOutside, ": signal ", signal); }

bool IsOfKillFromOutside(const Observation& observation) {
  return observation.outcome == Outcome::kToolFailure && !observation.diagnostics.empty() &&
         absl::StartsWith(observation.diagnostics.front(), kKilledFromOutside);
}

void EnterStage(Stage stage) { EnterPhase(static_cast<uint32_t>(stage)); }

void EnterStage(Stage stage, Observation* observation) {
  observation->stage = stage;
  EnterStage(stage);
}

void EnterPass(absl::string_view name) { NoteProgress(name); }

void EnterRun(uint32_t run) { EnterStep(run); }

bool RetireAfter(const Observation& observation) {
  if (observation.outcome != Outcome::kIllegalIr) return false;
  RetireProcess();
  return true;
}

Observation Observed(absl::FunctionRef<Observation()> observe) {
  EnterStage(Stage::kBuild);
  Observation observation = observe();
  RetireAfter(observation);
  SetOwnWork(true);
  return observation;
}

Observation EndedAt(const Progress& progress) {
  Observation end;
  end.outcome = progress.own_work ? Outcome::kToolFailure : Outcome::kSignal;
  end.stage = static_cast<Stage>(progress.phase);
  end.pass = progress.note;
  end.run = progress.step;
  return end;
}

Observation ObservationOf(const Death& death) {
  Observation end = EndedAt(death.at);
  if (std::string why = OwnFault(death); !why.empty()) {
    end.outcome = Outcome::kToolFailure;
    end.diagnostics.push_back(std::move(why));
    return end;
  }
  end.outcome = OutcomeOf(death.how);
  if (death.how == Death::How::kSignal) end.signal = death.status;
  if (death.how == Death::How::kExit) {
    end.diagnostics.push_back(absl::StrCat("the process exited with status ", death.status));
  }
  if (!death.output.empty()) end.diagnostics.push_back(death.output);
  return end;
}

}  // namespace tosaic
