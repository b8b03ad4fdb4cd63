// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PreparedAnswers: answers that were computed ahead of time, in files that this process and those forked from it share.
// The process that made the object removes the files.
#ifndef TOSAIC_TOOLCHAIN_PREPARED_ANSWERS_H_
#define TOSAIC_TOOLCHAIN_PREPARED_ANSWERS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/dialect.h"
#include "model/program.h"
#include "workers/temporary_folder.h"

namespace tosaic {

// Everything that a toolchain's answer for a case depends on before the code runs: the route, the program in the
// dialect, whether there are runs. Empty if the dialect cannot express the program, so there is nothing to prepare.
std::string QuestionOf(const Case& test_case, Dialect dialect);

class PreparedAnswers {
 public:
  PreparedAnswers() = default;
  PreparedAnswers(const PreparedAnswers&) = delete;

  // Stores an answer of any bytes for a question that is not empty. If this fails, nothing was prepared.
  void Put(absl::string_view question, absl::string_view answer) const;
  // Removes and returns it; nullopt if there is none.
  std::optional<std::string> Take(absl::string_view question) const;

 private:
  absl::StatusOr<TemporaryFolder> folder_ = TemporaryFolder::Create("prepared");  // error: nothing is kept
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_PREPARED_ANSWERS_H_
