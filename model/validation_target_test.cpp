// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/validation_target.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(ValidationTargetTest, TextAndBack) {
  for (const char* text : {"1.0,pro_int+pro_fp,8k", "1.0,pro_fp,none", "1.1.draft,pro_int+int64,8k,strict",
                           "1.0,pro_int+pro_fp+int16+bf16+fp8e4m3+fp8e5m2,none,strict",
                           "1.1.draft,pro_int+pro_fp+dynamic+doubleround+inexactround+shape+mx_common,8k",
                           "1.1.draft,pro_fp+mx_fp4e2m1+mx_fp6e2m3+mx_fp6e3m2+mx_fp8e4m3+mx_fp8e5m2+mx_int8,8k"}) {
    const absl::StatusOr<ValidationTarget> target = ParseValidationTarget(text);
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_EQ(ToString(*target), text);
  }
  EXPECT_EQ(ParseValidationTarget("1.0,pro_fp+pro_int,8k").value(), ValidationTarget());
}

TEST(ValidationTargetTest, ErrorsNameThePart) {
  const struct {
    const char* text;
    const char* part;
  } cases[] = {{"", "VERSION"},
               {"1.0,pro_int", "LEVEL"},
               {"1.2,pro_int,8k", "'1.2' is no version"},
               {"1.0,pro_int+fp64,8k", "'fp64' is no profile"},
               {"1.0,,8k", "'' is no profile"},
               {"1.0,pro_int,4k", "'4k' is no level"},
               {"1.0,pro_int,8k,lax", "'lax' is not 'strict'"},
               {"1.0,pro_int+int64,8k", "int64 comes with 1.1.draft"},
               {"1.0,pro_int+shape,8k", "shape comes with 1.1.draft"},
               {"1.0,pro_fp+mx_int8,8k", "mx_int8 comes with 1.1.draft"},
               {"1.0,pro_int,8k,strict,strict", "VERSION"}};
  for (const auto& test : cases) {
    const absl::Status status = ParseValidationTarget(test.text).status();
    EXPECT_TRUE(absl::StrContains(status.message(), test.part)) << test.text << ": " << status;
  }
}

}  // namespace
}  // namespace tosaic
