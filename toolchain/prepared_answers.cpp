// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/prepared_answers.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/digest.h"
#include "model/mlir_text.h"
#include "model/support_table.h"

namespace tosaic {

std::string QuestionOf(const Case& test_case, Dialect dialect) {
  if (FindUnwritable(test_case.program, dialect) != nullptr) return "";
  return absl::StrCat(test_case.route, test_case.runs.empty() ? "\n" : "\n\n", ToMlir(test_case.program, dialect));
}

std::string PreparedAnswers::FileOf(absl::string_view question) const {
  return absl::StrCat(folder_->path(), "/", absl::Hex(Digest(question)));
}

void PreparedAnswers::Put(absl::string_view question, absl::string_view answer) const {
  if (!folder_.ok() || question.empty()) return;
  const std::string file = FileOf(question);
  // Under a name of its own first: a reader finds all of it or nothing. The question stands in it, for two may share a
  // digest.
  const std::string unfinished = absl::StrCat(file, ".", getpid());
  std::ofstream(unfinished, std::ios::binary) << question << '\0' << answer;
  std::error_code ignored;
  std::filesystem::rename(unfinished, file, ignored);
}

std::optional<std::string> PreparedAnswers::Take(absl::string_view question) const {
  if (!folder_.ok() || question.empty()) return std::nullopt;
  const std::string file = FileOf(question);
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string content(std::istreambuf_iterator<char>(in), {});
  absl::string_view answer = content;
  if (!absl::ConsumePrefix(&answer, question) || !absl::ConsumePrefix(&answer, absl::string_view("\0", 1))) {
    return std::nullopt;
  }
  std::remove(file.c_str());
  return std::string(answer);
}

}  // namespace tosaic
