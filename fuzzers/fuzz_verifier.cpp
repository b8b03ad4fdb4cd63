// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: does MLIR's verifier accept exactly what the documents call legal, and infer the shape they say?
#include "fuzzers/fuzz_one.h"
#include "generators/fuzz_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/20000);
  fuzz.Try(std::get<tosaic::Case>(tosaic::SubjectOfInput("fuzz_verifier", {data, size}, {})));
  return 0;
}
