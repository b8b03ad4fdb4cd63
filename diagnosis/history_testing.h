// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of a history as letters, for tests.
#ifndef TOSAIC_DIAGNOSIS_HISTORY_TESTING_H_
#define TOSAIC_DIAGNOSIS_HISTORY_TESTING_H_

#include "diagnosis/dated_answers.h"

namespace tosaic {

// 'r'ight, 'w'rong, un'd'efined; any other: unknown.
inline HistoryAnswer AnswerOf(char letter) {
  return letter == 'w'   ? HistoryAnswer::kWrong
         : letter == 'r' ? HistoryAnswer::kRight
         : letter == 'd' ? HistoryAnswer::kUndefined
                         : HistoryAnswer::kUnknown;
}

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_HISTORY_TESTING_H_
