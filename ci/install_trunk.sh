#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches a build of MLIR's trunk for `tosaic --toolchain=mlir-trunk`: the wheel torch-mlir, for the library in it that
# exports MLIR's C API. PyPI keeps its latest version alone, so this says which one came. It goes into a virtual
# environment below the cache directory, and nothing into the system. Run again, it takes a newer one if there is one.
set -euo pipefail

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/tosaic
environment=$cache/trunk

fail() {
  echo "install_trunk.sh: $1" >&2
  exit 1
}

mkdir -p "$cache"
if ! "$environment/bin/python" -m pip --version > /dev/null 2>&1; then  # none is there, or its Python is gone
  python3 -m venv --clear "$environment" || fail "no virtual environment can be made (Debian: install python3-venv)"
fi
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade --no-deps torch-mlir \
  || fail "PyPI gives no torch-mlir for this machine's Python"

library=$(find "$environment/lib" -name 'libTorchMLIRAggregateCAPI.so' | head -n 1)
[[ -n $library ]] || fail "this torch-mlir has no libTorchMLIRAggregateCAPI.so"
version=$("$environment/bin/python" -c 'import importlib.metadata as m; print(m.version("torch-mlir"))')
echo "mlir-trunk: torch-mlir $version, $library"
