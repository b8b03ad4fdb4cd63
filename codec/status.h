// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that return a status to the caller, which Abseil does not publish, and At(), which adds the place of an error
// to its message.
#ifndef TOSAIC_CODEC_STATUS_H_
#define TOSAIC_CODEC_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Returns from the function with the status of an expression, unless it is ok.
#define TOSAIC_RETURN_IF_ERROR(expression)                                \
  do {                                                                    \
    if (absl::Status tosaic_status = (expression); !tosaic_status.ok()) { \
      return tosaic_status;                                               \
    }                                                                     \
  } while (false)

// Assigns the value of an absl::StatusOr to a new or existing variable, or returns from the function with its status:
//   TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
// It expands to two statements, so the branch of an `if` needs braces around it. A type with a comma needs `auto`.
#define TOSAIC_ASSIGN_OR_RETURN(variable, expression) \
  TOSAIC_ASSIGN_OR_RETURN_AS(TOSAIC_JOINED(tosaic_status_or_, __LINE__), variable, expression)

#define TOSAIC_ASSIGN_OR_RETURN_AS(status_or, variable, expression) \
  auto status_or = (expression);                                    \
  if (!status_or.ok()) return std::move(status_or).status();        \
  variable = *std::move(status_or)
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
