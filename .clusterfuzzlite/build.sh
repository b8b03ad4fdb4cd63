#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ClusterFuzzLite's contract is OSS-Fuzz's.
set -euo pipefail
exec "$SRC/tosaic/ci/oss-fuzz/build.sh"
