#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches other implementations of TOSA from PyPI, for adapters/ (docs/adapters.md): Arm's reference model (tosa-tools)
# and IREE. They go into one virtual environment below the cache directory, and nothing into the system. Prints a line
# for each: the version that came, or "not tried" if PyPI does not give it. Run again, it takes newer ones.
set -euo pipefail

# shellcheck source=ci/virtual_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/virtual_environment.sh"
make_environment witnesses

# install NAME PACKAGE...: a package that does not come is not tried, and the others are.
install() {
  local name=$1
  shift
  if from_pypi "$@"; then
    echo "$name: $(version_of "$@")"
  else
    echo "$name: not tried (PyPI gives no $* for this machine's Python)"
  fi
}

install arm_reference_model tosa-tools
install iree iree-base-compiler iree-base-runtime
echo "python: $environment/bin/python"
