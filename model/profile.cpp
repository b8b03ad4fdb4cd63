// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/profile.h"

#include <cstddef>

namespace tosaic {

absl::string_view Name(Profile profile) {
  constexpr absl::string_view kNames[] = {"PRO-INT",
                                          "PRO-FP",
                                          "PRO-INT or PRO-FP",
                                          "EXT-BF16",
                                          "EXT-INT4",
                                          "EXT-INT16",
                                          "EXT-FP8E4M3",
                                          "EXT-FP8E5M2",
                                          "EXT-BF16 and EXT-FP8E4M3",
                                          "EXT-BF16 and EXT-FP8E5M2",
                                          "EXT-INT64"};
  return kNames[static_cast<size_t>(profile)];
}

}  // namespace tosaic
