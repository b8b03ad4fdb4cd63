#!/usr/bin/env bash
# __TITLE__
# Written by Tosaic: runs repro.mlir by the implementation's own programs, which must be in PATH. What comes out is to
# be compared with what is expected; the exit status is theirs.
# Expected: __EXPECTED__
# Actual:   __ACTUAL__
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export program=repro.mlir function=main
inputs=(__INPUTS__)
set -- "${inputs[@]}"
__COMMAND__
