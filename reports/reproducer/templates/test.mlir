__SHOWING__

// __TITLE__
// Rule __RULE__: __SECTION__.
__MODULE__
// ==== refuses
// RUN: __LOWER__ -verify-diagnostics
// ==== refusal
  // expected-error-re@+1 {{{{.+}}}}
// ==== accepts
// RUN: __LOWER__
// ==== may refuse

// MLIR may also refuse it with an error. Then "not" belongs before the mlir-opt that this test runs.
// ==== infers
// RUN: __LOWER__ \
// RUN:   | FileCheck %s
// CHECK: tosa.__OP__ {{.*}}-> __TYPE__
// ==== lowers
// RUN: __LOWER__ \
// RUN:   | mlir-translate --mlir-to-llvmir
// ==== rereads
// RUN: __LOWER__ \
// RUN:   | mlir-opt
// ==== ends
// RUN: __LOWER__ \
// RUN:   | __RUNNER__
// ==== prints
// RUN: __LOWER__ \
// RUN:   | __RUNNER__ \
// RUN:   | FileCheck %s

// __EXPECTED__
// CHECK: __LINE__
// ==== runner
__NOT__mlir-runner -e main -entry-point-result=void __FLAGS__-shared-libs=%mlir_c_runner_utils,%mlir_float16_utils__APFLOAT__
// ==== guards
// RUN: __LOWER__ | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: clang -w __LEVEL__ %t.ll %S/driver.c -o %t -rtlib=compiler-rt -lm \
// RUN:   -Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc
// RUN: %t
// ==== ir
// RUN: __LOWER__ \
// RUN:   | not FileCheck %s

// This is the wrong IR, and the test passes with any other: also if MLIR prints the same in another way. Once the IR is
// right, its own lines belong here, and "not" goes.
__LINES__
