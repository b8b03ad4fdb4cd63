// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of `tosaic check`, of each subject and of all of them, as text.
#ifndef TOSAIC_TOOLS_CHECK_ANSWER_H_
#define TOSAIC_TOOLS_CHECK_ANSWER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checking/check_case.h"

namespace tosaic {

// The outcome of a subject.
struct CheckAnswer {
  std::string file, skipped, part, given;
  absl::Status unread;  // an error if the whole file could not be read, and is skipped for it
  std::vector<std::string> untested;
  bool interrupted = false;
  std::string not_run;  // why nothing but the types of a function was judged, though they are right
  std::optional<int> spelled;
  CheckedCase checked;  // without what was observed, which may be large
  std::string route;    // empty: of a probe, and of tosa-validate, which lowers nothing
  size_t runs = 0;
  std::string signature;
  bool known = false;
  std::string pass;  // of code that depends on poison: the one that brought it in, in words
};

void Fields(Visitor& v, CheckAnswer& answer);

bool IsChecked(const CheckAnswer& answer);
bool Agrees(const CheckAnswer& answer);
// False of a file that has none.
bool HasFunction(const CheckAnswer& answer);

// The ops of a function that its case leaves out: " (not tested: tosa.mul in tosa.cond_if (line 6))".
std::string UntestedText(const CheckAnswer& answer);
// A line for each reason: "FILE:@f, FILE:@g, FILE:@h and 12 more: skipped: uses tosa.reverse, ...".
std::string SkippedText(const std::vector<CheckAnswer>& answers);
// "FILE, FILE: not read"; empty: all were.
std::string UnreadText(const std::vector<CheckAnswer>& answers);
// Says of cases that were tried on all routes on how many they agree.
std::string AgreeingText(const std::vector<CheckAnswer>& answers);
// The results of the user's own run on the routes that agree: once, if they are the same on all of them.
std::string GivenText(const std::vector<CheckAnswer>& answers);
// On which routes the cases were tried: one may be wrong on another.
std::string RoutesLine(const std::vector<CheckAnswer>& answers, bool all_routes);
// "3 cases: agree 2 crash 1; skipped 4; 1 op not tested".
std::string Totals(const std::vector<CheckAnswer>& answers);
// The command's exit status, or the error that there was nothing to check.
absl::StatusOr<int> ExitStatusOf(const std::vector<CheckAnswer>& answers);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_CHECK_ANSWER_H_
