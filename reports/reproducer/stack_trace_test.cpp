// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/stack_trace.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(StackTrace, HasNeitherAddressesNorFoldersNorFramesOfTosaic) {
  EXPECT_EQ(
      StackTraceIn("PLEASE submit a bug report\n"
                   "mlir-opt: /build/llvm/mlir/lib/IR/Types.cpp:12: Assertion `a / b' failed.\n"
                   "Stack dump:\n0.\tProgram arguments: /home/user/mlir-opt repro.mlir\n"
                   " #0 0x00007fef260b8786 llvm::sys::PrintStackTrace(int) (/usr/bin/../lib/libLLVM.so.22.1+0x4e)\n"
                   " #1 0x00007fef2105a050 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)\n"
                   "#10 0x00007fef302ca103 mlir::operator/(A, B) /build/mlir/A.cpp:7:3\n"
                   "#11 0x00007fef302ca103 tosaic::Observe() (/usr/bin/tosaic+0x3c)\n"
                   "#12 0x00007fef302ca103 main (/usr/bin/tosaic+0x3c)\n"),
      "mlir-opt: Types.cpp:12: Assertion `a / b' failed.\n"
      " #0 llvm::sys::PrintStackTrace(int) (libLLVM.so.22.1+0x4e)\n"
      " #1 (libc.so.6+0x3c050)\n"
      "#10 mlir::operator/(A, B) A.cpp:7:3\n");
}

TEST(StackTrace, IsEmptyWhereNothingDied) {
  EXPECT_EQ(StackTraceIn(""), "");
  EXPECT_EQ(StackTraceIn("repro.mlir:3:8: error: 'tosa.add' op #1 is wrong\n"), "");
}

}  // namespace
}  // namespace tosaic
