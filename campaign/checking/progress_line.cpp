// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/checking/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "absl/time/clock.h"

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

}  // namespace tosaic
