// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/provenance.h"

#include <string>
#include <vector>

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(Provenance, KeepsItsKeysAndTheOrderOfItsRoutes) {
  const std::string text =
      R"json({"tosaic_revision":"0123","toolchain":"mlir-19-tools","toolchain_version":"LLVM 19.1.7",)json"
      R"json("pipeline":"m(a)","runtime":"glibc","toolchain_directory":"/usr/bin",)json"
      R"json("other_pipelines":{"z":"m(z)","b":"m(b)"},"plugins":["p.so (p 1, MD5 0)"],)json"
      R"json("custom_flags":["--replace=a:b"],"policies":["--strict-values"],"command_line":"tosaic fuzz"})json";
  const absl::StatusOr<Provenance> read = FromText<Provenance>(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToLine(*read), text);
}

TEST(Provenance, OfAnotherVersionMayLackKeysAndHaveOthers) {
  const absl::StatusOr<Provenance> read = FromText<Provenance>(R"({"toolchain": "mlir-22", "later": 1})");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, (Provenance{.toolchain = "mlir-22"}));
  EXPECT_EQ(FromText<Provenance>(R"({"plugins": "p.so"})").status().message(), "plugins: an array is needed here");
}

TEST(Provenance, FilesFromBeforeTheFlagsHaveThePipelineAndThePlugins) {
  using Flags = std::vector<std::string>;
  Provenance provenance = {.pipeline = "m(a)", .plugins = {"p (1).so (p 1, MD5 0)"}};
  EXPECT_EQ(CustomFlagsOf(provenance), (Flags{"--load-pass-plugin=p (1).so", "--pipeline=m(a)"}));
  provenance.custom_flags = {"--replace=a:b"};
  EXPECT_EQ(CustomFlagsOf(provenance), Flags{"--replace=a:b"});
  EXPECT_EQ(CustomFlagsOf({}), Flags());
}

TEST(Provenance, ResultsOfUnlikePoliciesAreNotCompared) {
  const Provenance base, patch = {.policies = {"--strict-values", "--spec-version=1.1"}};
  EXPECT_TRUE(CheckSamePolicies(patch, patch).ok());
  EXPECT_EQ(CheckSamePolicies(base, patch).message(),
            "the documents are not read alike: the base's command has none of these flags, the patch's --strict-values "
            "--spec-version=1.1; run both with the same");
}

}  // namespace
}  // namespace tosaic
