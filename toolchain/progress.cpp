// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/progress.h"

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

}  // namespace

void EnterStage(Stage stage) { EnterPhase(static_cast<uint32_t>(stage)); }

void EnterStage(Stage stage, Observation* observation) {
  observation->stage = stage;
  EnterStage(stage);
}

void EnterPass(absl::string_view name) { NoteProgress(name); }

void EnterRun(uint32_t run) { EnterStep(run); }

Observation EndedAt(const Progress& progress) {
  Observation end;
  end.outcome = Outcome::kSignal;
  end.stage = static_cast<Stage>(progress.phase);
  end.pass = progress.note;
  end.run = progress.step;
  return end;
}

Observation ObservationOf(const Death& death) {
  Observation end = EndedAt(death.at);
  end.outcome = OutcomeOf(death.how);
  if (death.how == Death::How::kSignal) end.signal = death.status;
  if (death.how == Death::How::kExit) {
    end.diagnostics.push_back(absl::StrCat("the process exited with status ", death.status));
  }
  if (!death.output.empty()) end.diagnostics.push_back(death.output);
  return end;
}

}  // namespace tosaic
