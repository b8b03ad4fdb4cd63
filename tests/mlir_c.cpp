// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libMLIR-C.so: all that is in it comes from MLIR's own archives (CMakeLists.txt).
