#!/usr/bin/env bash
# From nothing to findings: installs, builds, fuzzes MLIR for a minute and prints a summary. Further flags go to
# `tosaic fuzz`. Exit status: 0 nothing new, 1 a new divergence, 3 the harness failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh
ci/build.sh release
exec build/release/bin/tosaic fuzz --duration=60s \
  --out="build/campaigns/$(date +%Y%m%d-%H%M%S)" "$@"
