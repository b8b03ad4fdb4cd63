// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/answer_files.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/digest.h"

namespace tosaic {

std::string AnswerFile(const std::string& folder, absl::string_view question) {
  return absl::StrCat(folder, "/", absl::Hex(Digest(question)));
}

void PutAnswer(const std::string& folder, absl::string_view question, absl::string_view answer) {
  const std::string file = AnswerFile(folder, question);
  // Under a name of its own first. The question stands in it, for two may share a digest.
  const std::string unfinished = absl::StrCat(file, ".", getpid());
  std::ofstream out(unfinished, std::ios::binary);
  out << question << '\0' << answer;
  out.close();
  std::error_code ignored;
  if (out) {
    std::filesystem::rename(unfinished, file, ignored);
  } else {  // the disk is full
    std::filesystem::remove(unfinished, ignored);
  }
}

std::optional<std::string> FindAnswer(const std::string& folder, absl::string_view question) {
  std::ifstream in(AnswerFile(folder, question), std::ios::binary);
  if (!in) return std::nullopt;
  const std::string content(std::istreambuf_iterator<char>(in), {});
  absl::string_view answer = content;
  if (!absl::ConsumePrefix(&answer, question) || !absl::ConsumePrefix(&answer, absl::string_view("\0", 1))) {
    return std::nullopt;
  }
  return std::string(answer);
}

}  // namespace tosaic
