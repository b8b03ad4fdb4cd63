// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: does MLIR's Broadcastable trait, apart from the ops that use it, decide and infer as its document
// says?
#include "fuzzers/fuzz_one.h"
#include "generators/fuzz_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/20000);
  fuzz.Try(std::get<tosaic::OpSignature>(tosaic::SubjectOfInput("fuzz_trait", {data, size}, {})));
  return 0;
}
