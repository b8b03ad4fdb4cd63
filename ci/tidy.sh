#!/usr/bin/env bash
# clang-tidy over all sources, or over those named; findings on standard output, non-zero if there are any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh clang-tidy-22
cmake --preset release > /dev/null
if [[ $# -gt 0 ]]; then
  sources=("$@")
else
  mapfile -t sources < <(grep -o '"file": "[^"]*"' build/release/compile_commands.json | cut -d'"' -f4)
fi
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-22 --quiet -p build/release --warnings-as-errors='*' 2> /dev/null
