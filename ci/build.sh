#!/usr/bin/env bash
# Builds a preset (release, asan or fuzz) into build/PRESET; further arguments name targets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?build.sh: name a preset: release, asan or fuzz}
cmake --preset "$preset" > /dev/null
shift
cmake --build --preset "$preset" ${1:+--target "$@"}
