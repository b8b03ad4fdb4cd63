// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "workers/worker_pool.h"

namespace tosaic {
namespace {

bool is_off = false;

}  // namespace

void ProgressLine::TurnOff() { is_off = true; }

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0), last_(absl::Now()) {}

void ProgressLine::Show(const std::string& text) {
  const absl::Time now = absl::Now();
  if (is_off || now - last_ < (terminal_ ? absl::Milliseconds(200) : absl::Seconds(10))) return;
  last_ = now;
  // "\x1b[K" clears what a longer line before left behind.
  std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s\n", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::Finish() {
  if (terminal_ && shown_) std::fprintf(stderr, "\n");
  shown_ = false;
}

WaitingLine::WaitingLine(absl::string_view subject) {
  const auto line = std::make_shared<ProgressLine>();
  SetWaitHook([line, subject = std::string(subject), since = absl::Now()] {
    const absl::Duration spent = absl::Now() - since;
    if (spent >= absl::Seconds(2))
      line->Show(absl::StrCat("tosaic: ", subject, ": ", absl::ToInt64Seconds(spent), " s"));
  });
}

WaitingLine::~WaitingLine() { SetWaitHook(nullptr); }

}  // namespace tosaic
