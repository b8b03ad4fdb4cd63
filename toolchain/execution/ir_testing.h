// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR for tests of the executor: a prelude that reads and writes descriptors, and modules written against it.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_IR_TESTING_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_IR_TESTING_H_

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/jit.h"

namespace tosaic {

// @data and @size of a rank-1 operand, @describe for a rank-1 result, @load and @store of i32 elements.
inline constexpr absl::string_view kIrPrelude = R"(
declare ptr @malloc(i64)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare void @abort()

define internal ptr @data(ptr %descriptor) {
  %word = getelementptr i64, ptr %descriptor, i64 1
  %data = load ptr, ptr %word
  ret ptr %data
}
define internal i64 @size(ptr %descriptor) {
  %word = getelementptr i64, ptr %descriptor, i64 3
  %size = load i64, ptr %word
  ret i64 %size
}
define internal void @describe(ptr %descriptor, ptr %data, i64 %offset, i64 %size, i64 %stride) {
  store ptr %data, ptr %descriptor
  %1 = getelementptr i64, ptr %descriptor, i64 1
  store ptr %data, ptr %1
  %2 = getelementptr i64, ptr %descriptor, i64 2
  store i64 %offset, ptr %2
  %3 = getelementptr i64, ptr %descriptor, i64 3
  store i64 %size, ptr %3
  %4 = getelementptr i64, ptr %descriptor, i64 4
  store i64 %stride, ptr %4
  ret void
}
define internal i32 @load(ptr %data, i64 %index) {
  %element = getelementptr i32, ptr %data, i64 %index
  %value = load i32, ptr %element, align 4
  ret i32 %value
}
define internal void @store(ptr %data, i64 %index, i32 %value) {
  %element = getelementptr i32, ptr %data, i64 %index
  store i32 %value, ptr %element, align 4
  ret void
}
)";

inline std::unique_ptr<llvm::Module> ParseIr(Jit& jit, absl::string_view text) {
  llvm::SMDiagnostic error;
  const std::string whole = absl::StrCat(kIrPrelude, text);
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(whole, error, jit.context());
  if (module == nullptr) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    error.print("test", stream);
    ADD_FAILURE() << message;
    return nullptr;
  }
  jit.Fit(*module);
  return module;
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_IR_TESTING_H_
