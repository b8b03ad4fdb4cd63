#!/usr/bin/env bash
# Links Tosaic to another of Debian's MLIRs, and holds what it then says in process to what it says of that version's
# tools: every case of the conformance suite must have the same verdict.
#
#   ci/linked_mlir.sh [VERSION=19]
#
# Leaves build/mlir-VERSION. Exit status 1 if a verdict differs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=${1:-19}
[[ $version =~ ^[0-9]+$ ]] || { echo "linked_mlir.sh: '$version' is no version such as 19" >&2; exit 2; }
ci/install_packages.sh "libmlir-$version-dev" "llvm-$version-dev" "mlir-$version-tools"
build=build/mlir-$version
cmake --preset release -B "$build" -DMLIR_DIR="/usr/lib/llvm-$version/lib/cmake/mlir" \
  -DLLVM_DIR="/usr/lib/llvm-$version/lib/cmake/llvm" > /dev/null
cmake --build "$build" --target tosaic

# Runs the suite; what diverges is not the question.
conform() {
  local status=0
  "$build/bin/tosaic" conform --no-reduce "$@" || status=$?
  [[ $status -le 1 ]] || exit "$status"
}
conform --out="$build/linked.json"
conform --toolchain="mlir-$version-tools" --out="$build/tools.json"
differences=$(jq --slurp '[map(.cases | map({key: .name, value: .verdict}) | from_entries) | .[0] as $linked | .[1]
  | to_entries[] | select($linked[.key] != .value) | "\(.key): \(.value) by the tools, \($linked[.key]) linked"]' \
  "$build/linked.json" "$build/tools.json")
echo "$(jq length <<< "$differences") verdicts differ"
jq --raw-output '.[]' <<< "$differences"
[[ $differences == '[]' ]]
