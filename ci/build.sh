#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds a preset into build/PRESET: release, tosaic (of release the command line alone, in its folder), asan or fuzz.
# Further arguments name targets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?build.sh: name a preset: release, tosaic, asan or fuzz}
cmake --preset "$preset" > /dev/null
shift
cmake --build --preset "$preset" ${1:+--target "$@"}
