// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/prepared_answers.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "model/mlir_text.h"
#include "model/support_table.h"
#include "toolchain/answer_files.h"

namespace tosaic {

std::string QuestionOf(const Case& test_case, Dialect dialect) {
  if (FindUnwritable(test_case.program, dialect) != nullptr) return "";
  return absl::StrCat(test_case.route, test_case.runs.empty() ? "\n" : "\n\n", ToMlir(test_case.program, dialect));
}

void PreparedAnswers::Put(absl::string_view question, absl::string_view answer) const {
  if (folder_.ok() && !question.empty()) PutAnswer(folder_->path(), question, answer);
}

std::optional<std::string> PreparedAnswers::Take(absl::string_view question) const {
  if (!folder_.ok() || question.empty()) return std::nullopt;
  std::optional<std::string> answer = FindAnswer(folder_->path(), question);
  if (answer) std::remove(AnswerFile(folder_->path(), question).c_str());
  return answer;
}

}  // namespace tosaic
