// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of journals with a checksum at their end, the key "sum": FNV-1a of 64 bits, its halves combined by exclusive
// or.
#ifndef TOSAIC_CHECKING_SUMMED_LINE_H_
#define TOSAIC_CHECKING_SUMMED_LINE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// A line that is a JSON object, with its checksum added.
std::string WithSum(std::string line);

// Whether the checksum at a line's end is there, and right.
enum class LineSum : uint8_t { kNone, kRight, kWrong };
LineSum SumOf(absl::string_view line);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_SUMMED_LINE_H_
