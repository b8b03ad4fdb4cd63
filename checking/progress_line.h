// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The progress of long work on standard error: one line rewritten in place on a terminal, a plain line now and then
// elsewhere.
#ifndef TOSAIC_CHECKING_PROGRESS_LINE_H_
#define TOSAIC_CHECKING_PROGRESS_LINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tosaic {

class ProgressLine {
 public:
  // From now on this process shows no progress.
  static void TurnOff();

  ProgressLine();
  ~ProgressLine() { Finish(); }
  // Shows `text` if it is time to.
  void Show(const std::string& text);
  // Ends the line on a terminal.
  void Finish();

 private:
  bool terminal_;
  bool shown_ = false;
  absl::Time last_;
};

// As long as it lives, shows how long this process has waited for its workers, once that is more than two seconds.
// `subject` it waits for: "case.json".
class WaitingLine {
 public:
  explicit WaitingLine(absl::string_view subject);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;
};

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_PROGRESS_LINE_H_
