#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Is every source file as clang-format would have it? Files that are not to be formatted stand in
# .clang-format-ignore. `--fix` formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || mode=(-i)
find . \( -name build -o -name '.git' \) -prune -o -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.def' \) -print0 |
  xargs -0 clang-format-22 --style=file "${mode[@]}"
