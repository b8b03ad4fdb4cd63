#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds a preset into build/PRESET: release, tosaic (of release the command line alone, in its folder), asan, fuzz or
# parsers (fuzz_documents with sanitizers).
# Further arguments name targets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?build.sh: name a preset: release, tosaic, asan, fuzz or parsers}
shift
# `tosaic` is a target of `release` too: where that is configured, it stays so, and ctest finds its tests.
[[ $preset == tosaic && -e build/release/build.ninja ]] || cmake --preset "$preset" > /dev/null
cmake --build --preset "$preset" ${1:+--target "$@"}
