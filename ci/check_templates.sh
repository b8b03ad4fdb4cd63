#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Are the scripts, and the templates in other languages (reports/template.h), right in the eyes of those languages' tools?
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

shellcheck ci/*.sh ci/*/*.sh .clusterfuzzlite/*.sh reports/reproducer/templates/*.sh
(cd reports/reproducer/templates && clang-22 -fsyntax-only -Wall -Werror -include driver_example.h driver.c &&
  clang-22 -fsyntax-only -Wall -Werror half_helpers.c)
