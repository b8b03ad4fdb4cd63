// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: does MLIR's verifier accept exactly what the documents call legal, and infer the shape they say?
#include "fuzzers/fuzz_one.h"
#include "generators/generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/20000);
  static const tosaic::GeneratorOptions options = [] {
    tosaic::GeneratorOptions small;
    small.runs = 1;
    small.max_elements = 64;
    small.illegal_percent = 50;
    return small;
  }();
  tosaic::ByteChoices choices({data, size});
  tosaic::Case test_case = tosaic::GenerateCase(choices, options);
  test_case.runs.clear();
  fuzz.Try(test_case);
  return 0;
}
