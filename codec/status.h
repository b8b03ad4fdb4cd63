// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that return a status to the caller, which Abseil does not publish, and At(), by which the code that knows the
// place of an error adds it to the message.
#ifndef TOSAIC_CODEC_STATUS_H_
#define TOSAIC_CODEC_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Returns the status of an expression from the function, unless it is ok.
#define TOSAIC_RETURN_IF_ERROR(expression)                                \
  do {                                                                    \
    if (absl::Status tosaic_status = (expression); !tosaic_status.ok()) { \
      return tosaic_status;                                               \
    }                                                                     \
  } while (false)

// Assigns the value of an absl::StatusOr to a variable, new or old, or returns its status from the function:
//   TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
// Two statements: not for the branch of an `if` without braces. A type with a comma in it needs `auto`.
#define TOSAIC_ASSIGN_OR_RETURN(variable, expression) \
  TOSAIC_ASSIGN_OR_RETURN_AS(TOSAIC_JOINED(tosaic_status_or_, __LINE__), variable, expression)

#define TOSAIC_ASSIGN_OR_RETURN_AS(status_or, variable, expression) \
  auto status_or = (expression);                                    \
  if (!status_or.ok()) return std::move(status_or).status();        \
  variable = *std::move(status_or) /* NOLINT(bugprone-macro-parentheses): it may declare */
#define TOSAIC_JOINED(a, b) TOSAIC_JOINED_AS_THEY_ARE(a, b)
#define TOSAIC_JOINED_AS_THEY_ARE(a, b) a##b

namespace tosaic {

// The status with the place before its message, "known.json: cut short?"; an ok status is not changed.
inline absl::Status At(absl::string_view place, const absl::Status& status) {
  return status.ok() ? status : absl::Status(status.code(), absl::StrCat(place, ": ", status.message()));
}
template <typename T>
absl::StatusOr<T> At(absl::string_view place, absl::StatusOr<T> value) {
  if (value.ok()) return value;
  return At(place, value.status());
}

}  // namespace tosaic

#endif  // TOSAIC_CODEC_STATUS_H_
