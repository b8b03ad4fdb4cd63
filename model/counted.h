// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a number with the noun that it counts, singular or plural.
#ifndef TOSAIC_MODEL_COUNTED_H_
#define TOSAIC_MODEL_COUNTED_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// "1 case", "2 cases".
inline std::string Counted(uint64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_COUNTED_H_
