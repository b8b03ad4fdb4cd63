#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links Tosaic to another MLIR, and holds what it then says in process to what it says of the same MLIR's tools: every
# case of the conformance suite must have the same verdict.
#
#   ci/linked_mlir.sh PREFIX      with lib/cmake/mlir, lib/cmake/llvm, bin/mlir-opt and bin/mlir-translate
#
# PREFIX is an installation or a build of one's own, or /usr/lib/llvm-19 of Debian's libmlir-19-dev and mlir-19-tools.
# Nothing is installed here, for Debian has one libmlir-dev at a time: 19's would remove 22's. Leaves build/linked. Exit
# status 1 if a verdict differs.
set -euo pipefail

prefix=${1:-}
for part in lib/cmake/mlir lib/cmake/llvm bin/mlir-opt bin/mlir-translate; do
  [[ -n $prefix && -e $prefix/$part ]] && continue
  echo "linked_mlir.sh: ${prefix:+$prefix has no $part; }usage: ci/linked_mlir.sh PREFIX" >&2
  exit 2
done
prefix=$(cd "$prefix" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset release -B build/linked -DMLIR_DIR="$prefix/lib/cmake/mlir" -DLLVM_DIR="$prefix/lib/cmake/llvm" > /dev/null
cmake --build build/linked --target tosaic

# Runs the suite; what diverges is not the question.
conform() {
  local status=0
  build/linked/bin/tosaic conform --no-reduce "$@" || status=$?
  [[ $status -le 1 ]] || exit "$status"
}
conform --out=build/linked/linked.json
conform --toolchain="$prefix/bin" --out=build/linked/tools.json
differences=$(jq --slurp '[map(.cases | map({key: .name, value: .verdict}) | from_entries) | .[0] as $linked | .[1]
  | to_entries[] | select($linked[.key] != .value) | "\(.key): \(.value) by the tools, \($linked[.key]) linked"]' \
  build/linked/linked.json build/linked/tools.json)
echo "$(jq length <<< "$differences") verdicts differ"
jq --raw-output '.[]' <<< "$differences"
[[ $differences == '[]' ]]
