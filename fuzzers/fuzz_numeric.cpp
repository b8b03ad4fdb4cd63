// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: the whole chain: does a legal program lower, compile, and compute what the documents say?
#include "campaign/campaign.h"
#include "fuzzers/fuzz_one.h"
#include "generators/generator.h"
#include "toolchain/mlir/mlir_toolchain.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/1000);
  static const tosaic::GeneratorOptions options = [] {
    tosaic::GeneratorOptions small;
    small.runs = 3;
    small.max_elements = 256;
    small.illegal_percent = 2;
    small.routes = tosaic::MixedRoutes(tosaic::RoutesInProcess());
    return small;
  }();
  tosaic::ByteChoices choices({data, size});
  fuzz.Try(tosaic::GenerateCase(choices, options));
  return 0;
}
