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
echo "mlir-trunk: $(version_of torch-mlir), $library"
