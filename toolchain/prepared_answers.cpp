// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/prepared_answers.h"

#include <stdlib.h>
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

PreparedAnswers::PreparedAnswers()
    : directory_((std::filesystem::temp_directory_path() / "tosaic-prepared-XXXXXX").string()), owner_(getpid()) {
  if (mkdtemp(directory_.data()) == nullptr) directory_.clear();
}

PreparedAnswers::~PreparedAnswers() {
  std::error_code ignored;
  if (!directory_.empty() && owner_ == getpid()) std::filesystem::remove_all(directory_, ignored);
}

std::string PreparedAnswers::FileOf(absl::string_view question) const {
  return absl::StrCat(directory_, "/", absl::Hex(Digest(question)));
}

void PreparedAnswers::Put(absl::string_view question, absl::string_view answer) const {
  if (directory_.empty() || question.empty()) return;
  const std::string file = FileOf(question);
  // Under a name of its own first: a reader finds all of it or nothing. The question stands in it, for two may share a
  // digest.
  const std::string unfinished = absl::StrCat(file, ".", getpid());
  std::ofstream(unfinished, std::ios::binary) << question << '\0' << answer;
  std::error_code ignored;
  std::filesystem::rename(unfinished, file, ignored);
}

std::optional<std::string> PreparedAnswers::Take(absl::string_view question) const {
  if (directory_.empty() || question.empty()) return std::nullopt;
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
