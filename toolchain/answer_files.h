// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers of any bytes to questions, in a file each. Several processes may share a folder: who reads finds all of an
// answer or nothing.
#ifndef TOSAIC_TOOLCHAIN_ANSWER_FILES_H_
#define TOSAIC_TOOLCHAIN_ANSWER_FILES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The file that has the answer to a question, or would have it. It is named by a hash: where two questions have the
// same, the file answers the one that was put last.
std::string AnswerFile(const std::string& folder, absl::string_view question);
// Writes it. If this fails, there is no answer.
void PutAnswer(const std::string& folder, absl::string_view question, absl::string_view answer);
// Nullopt: there is none, or the file has no answer to this question.
std::optional<std::string> FindAnswer(const std::string& folder, absl::string_view question);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_ANSWER_FILES_H_
