// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much was really compared (model/judged_elements.h), in the words that all formats share.
#ifndef TOSAIC_RESULTS_JUDGED_TEXT_H_
#define TOSAIC_RESULTS_JUDGED_TEXT_H_

#include <string>
#include <vector>

#include "model/judged_elements.h"

namespace tosaic {

// "98.2 %", "none".
std::string SharePercent(const JudgedElements& row);
// "2", "2^23"; of no set "-".
std::string MedianText(const JudgedElements& row);

// ", 12 left out because a division in their run has no quotient"; empty if there are none.
std::string LeftOutText(const JudgedElements& row);

// "of known values 12345 elements, 98.2 % compared, 3 open, ...; computed from values that are not returned ...".
std::string JudgedInShort(const std::vector<JudgedElements>& ops, const std::vector<JudgedElements>& chains);

// A line per op over all its types, and per chain that made most, for a terminal.
std::string JudgedToText(const std::vector<JudgedElements>& ops, const std::vector<JudgedElements>& chains);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_JUDGED_TEXT_H_
