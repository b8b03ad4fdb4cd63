// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output that the runner must print, as patterns and as text.
#ifndef TOSAIC_REPORTS_REPRODUCER_EXPECTED_H_
#define TOSAIC_REPORTS_REPRODUCER_EXPECTED_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reports/reproducer/reproducer.h"

namespace tosaic {

// An extended regular expression for the decimal numbers from `first` to `last`.
std::string DecimalPattern(uint64_t first, uint64_t last);

// The element type of the result that is shown.
ElementType ShownType(const Reproduction& r);

// Whether the program itself compares, and prints each NaN as one, so that the pattern need not list all of them: NaNs
// are allowed, and no element may have one NaN and not another.
bool PrintsOneNan(const Reproduction& r);
// The bits of that NaN, a quiet one.
uint64_t PrintedNan(ElementType type);

// The line that the runner prints if everything is right; the text outside brackets is literal.
struct ExpectedLine {
  std::string regex;      // of bash, a blank for any number of them
  std::string filecheck;  // of FileCheck
};
// nullopt: it is not known.
std::optional<ExpectedLine> LineOf(const Reproduction& r);

// "[2]: 0x3f800000 (1), 0x7fc00000 (NaN)", or what the judgement expected.
std::string ReadableExpected(const Reproduction& r);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_REPRODUCER_EXPECTED_H_
