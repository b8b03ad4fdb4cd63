// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PreparedAnswers: what was found out ahead of time, in files that this process and those forked from it share. They go
// with the process that made the object.
#ifndef TOSAIC_TOOLCHAIN_CAPI_PREPARED_ANSWERS_H_
#define TOSAIC_TOOLCHAIN_CAPI_PREPARED_ANSWERS_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

class PreparedAnswers {
 public:
  PreparedAnswers();
  PreparedAnswers(const PreparedAnswers&) = delete;
  ~PreparedAnswers();

  // Keeps an answer, of any bytes, for a question. Where that fails, nothing was prepared.
  void Put(absl::string_view question, absl::string_view answer) const;
  // Takes it out again; nullopt: there is none.
  std::optional<std::string> Take(absl::string_view question) const;

 private:
  std::string FileOf(absl::string_view question) const;

  std::string directory_;  // empty: there is none
  pid_t owner_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_PREPARED_ANSWERS_H_
