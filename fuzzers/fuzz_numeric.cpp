// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: the whole chain: does a legal program lower, compile, and compute what the documents say?
#include "campaign/campaign.h"
#include "fuzzers/fuzz_one.h"
#include "generators/fuzz_inputs.h"
#include "toolchain/mlir/mlir_toolchain.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/1000);
  static const tosaic::WeightedRoutes routes = tosaic::MixedRoutes(tosaic::RoutesInProcess());
  fuzz.Try(std::get<tosaic::Case>(tosaic::SubjectOfInput("fuzz_numeric", {data, size}, routes)));
  return 0;
}
