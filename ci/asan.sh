#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds Tosaic's own code with the address and undefined-behaviour sanitizers and runs its tests. Arguments go to ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh
ci/build.sh asan
# MLIR itself is not instrumented: containers that cross the border are annotated on one side only, and what it keeps
# for the process's lifetime is no leak of ours. A signal in generated code belongs to the executor, and one in MLIR ends
# a worker as it does without sanitizers.
signals=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0:$signals:use_sigaltstack=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
ctest --preset asan --parallel "$(nproc)" "$@"
