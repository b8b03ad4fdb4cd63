#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From nothing to findings: installs, builds, fuzzes MLIR for a minute and prints a summary. Further flags go to
# `tosaic fuzz`. Exit status: 0 nothing new, 1 a new divergence, 3 the harness failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build
# Runs a command and says in one line what it did; what the command said is shown if it fails.
step() {
  local what=$1 started=$SECONDS
  shift
  if ! "$@" > build/fuzz.log 2>&1; then
    cat build/fuzz.log >&2
    echo "fuzz.sh: $what: failed" >&2
    exit 3
  fi
  echo "$what: $((SECONDS - started)) s"
}

step "installed Debian's packages" ci/install_packages.sh --to-build
step "built tosaic (a first time takes minutes)" ci/build.sh tosaic
echo "fuzzing MLIR for a minute"
exec build/release/bin/tosaic fuzz --duration=60s \
  --out="build/campaigns/$(date +%Y%m%d-%H%M%S)" "$@"
