#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches other implementations of TOSA from PyPI, for adapters/ (docs/adapters.md): Arm's reference model (tosa-tools)
# and IREE. They go into one virtual environment below the cache directory, and nothing into the system. Prints a line
# for each: the version that came, or "not tried" if PyPI does not give it. Run again, it takes newer ones.
set -euo pipefail

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/tosaic
environment=$cache/witnesses

fail() {
  echo "install_witnesses.sh: $1" >&2
  exit 1
}

mkdir -p "$cache"
if ! "$environment/bin/python" -m pip --version > /dev/null 2>&1; then  # none is there, or its Python is gone
  python3 -m venv --clear "$environment" || fail "no virtual environment can be made (Debian: install python3-venv)"
fi

# install NAME PACKAGE...: a package that does not come is not tried, and the others are.
install() {
  local name=$1 versions
  shift
  if "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$@" >&2; then
    versions=$("$environment/bin/python" -c \
      'import importlib.metadata as m, sys; print(", ".join(f"{p} {m.version(p)}" for p in sys.argv[1:]))' "$@")
    echo "$name: $versions"
  else
    echo "$name: not tried (PyPI gives no $* for this machine's Python)"
  fi
}

install arm_reference_model tosa-tools
install iree iree-base-compiler iree-base-runtime
echo "python: $environment/bin/python"
