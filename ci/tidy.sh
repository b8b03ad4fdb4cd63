#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy over all sources, over those named, or over those that a change touches; findings on standard output, non-zero if
# there are any.
#
#   ci/tidy.sh [FILE... | --changed-since=GIT_REF]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh clang-tidy-22
# Precompiled headers would have to be built first.
cmake --preset release -B build/tidy -DTOSAIC_PRECOMPILE=OFF -DTOSAIC_BATCHES=OFF > /dev/null
cmake --build build/tidy --target tosaic_revision > /dev/null
if [[ ${1:-} == --changed-since=* ]]; then
  mapfile -t sources < <(git diff --name-only --diff-filter=d "${1#*=}..." -- '*.cpp')
  [[ ${#sources[@]} -gt 0 ]] || exit 0
elif [[ $# -gt 0 ]]; then
  sources=("$@")
else
  mapfile -t sources < <(grep -o '"file": "[^"]*"' build/tidy/compile_commands.json | cut -d'"' -f4 | grep -v "^$PWD/build/")
fi
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-22 --quiet -p build/tidy --warnings-as-errors='*' 2> /dev/null
