#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches a build of MLIR's trunk for `tosaic --toolchain=mlir-trunk`: the wheel torch-mlir, for the library in it that
# exports MLIR's C API. PyPI keeps its latest version alone, so this says which one came. It goes into a virtual
# environment below the cache directory, and nothing into the system. Run again, it takes a newer one if there is one.
set -euo pipefail

# shellcheck source=ci/virtual_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/virtual_environment.sh"
make_environment trunk
from_pypi --no-deps torch-mlir || fail "PyPI gives no torch-mlir for this machine's Python"

library=$(find "$environment/lib" -name 'libTorchMLIRAggregateCAPI.so' | head -n 1)
[[ -n $library ]] || fail "this torch-mlir has no libTorchMLIRAggregateCAPI.so"
version=$(version_of torch-mlir)
echo "mlir-trunk: $version, $library"

# PyPI forgets it when the next one comes: `tosaic history` goes on to ask it, as one of the builds of known days.
kept=$(dirname "$environment")/versions/${version/ /-}
if [[ ! -d $kept ]]; then
  mkdir -p "$(dirname "$kept")"
  part=$(mktemp -d "$(dirname "$kept")/.work-XXXXXX")
  trap 'rm -rf "$part"' EXIT
  mkdir "$part/kept"
  cp --reflink=auto "$library" "$part/kept/"
  mv "$part/kept" "$kept"
  # A fifth of a gigabyte each: of the last twelve all stay, of older ones those that are four weeks apart.
  mapfile -t all < <(find "$(dirname "$kept")" -maxdepth 1 -name 'torch-mlir-*' | sort)
  last=0
  for old in "${all[@]::${#all[@]} > 12 ? ${#all[@]} - 12 : 0}"; do
    name=$(basename "$old")
    day=$(($(date -ud "${name:11:8}" +%s) / 86400))
    if ((day - last < 28)); then rm -rf "$old"; else last=$day; fi
  done
fi
