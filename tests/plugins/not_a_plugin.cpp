// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared library, but no pass plugin.
extern "C" int tosaicNothing() { return 0; }
