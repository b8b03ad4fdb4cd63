// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CrashState: how a divergence identifies itself to ClusterFuzz, and so to OSS-Fuzz and ClusterFuzzLite, and to
// libFuzzer. The services tell crashes apart by the top frames of the stack, and by the text of a fatal check if there
// is one. All divergences end at the same place in Tosaic, so without such a text they would be one bug.
#ifndef TOSAIC_FUZZERS_CRASH_STATE_H_
#define TOSAIC_FUZZERS_CRASH_STATE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The line of a fatal check, as glog writes it, with a signature (model/signature.h) as its condition. ClusterFuzz ends
// the condition at the first quote or colon and drops numbers: quotes and colons become spaces, and digits words, so
// that "mul/i8" and "mul/i16" stay two.
std::string FatalCheckOf(absl::string_view signature);

// The line by which libFuzzer's -minimize_crash=1 knows a divergence again: it compares the first line with this word
// in what two processes print, as a whole, and stops at the smaller input if they differ. Without it, it would take an
// input of any other divergence for a smaller one of this.
std::string DedupTokenOf(absl::string_view signature);

}  // namespace tosaic

#endif  // TOSAIC_FUZZERS_CRASH_STATE_H_
