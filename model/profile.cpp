// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/profile.h"

namespace tosaic {

EnumNames NamesOf(Profile) {
  static constexpr absl::string_view kNames[] = {"PRO-INT",
                                                 "PRO-FP",
                                                 "PRO-INT or PRO-FP",
                                                 "EXT-BF16",
                                                 "EXT-INT4",
                                                 "EXT-INT16",
                                                 "EXT-FP8E4M3",
                                                 "EXT-FP8E5M2",
                                                 "EXT-BF16 and EXT-FP8E4M3",
                                                 "EXT-BF16 and EXT-FP8E5M2",
                                                 "EXT-INT64",
                                                 "EXT-MX-COMMON and EXT-MX-FP8E4M3",
                                                 "EXT-MX-COMMON and EXT-MX-FP8E5M2",
                                                 "EXT-MX-COMMON and EXT-MX-FP6E3M2",
                                                 "EXT-MX-COMMON and EXT-MX-FP6E2M3",
                                                 "EXT-MX-COMMON and EXT-MX-FP4E2M1",
                                                 "EXT-MX-COMMON and EXT-MX-INT8",
                                                 "DEDUCE-EXT"};
  return NamesFor<Profile>(kNames, "a profile or extension");
}

EnumNames NamesOf(SpecVersion) {
  static constexpr absl::string_view kNames[] = {"1.0.0", "1.0.2", "1.1"};
  return NamesFor<SpecVersion>(kNames, "a version of the specification");
}

}  // namespace tosaic
