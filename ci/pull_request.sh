#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a patch makes of the conformance suite: two toolchains, or this Tosaic before and after a change of its own.
#
#   ci/pull_request.sh --base=TOOLCHAIN --patch=TOOLCHAIN --out=DIR   two MLIRs (names or directories)
#   ci/pull_request.sh --base-ref=GIT_REF --out=DIR                   the Tosaic of GIT_REF and this one, in process,
#                                                                     both on the corpus of GIT_REF
#
# Leaves base.json, patch.json, comparison.json, .md and .html in DIR. Exit status 1 if anything regressed. A Tosaic of
# another suite than GIT_REF's cannot be compared: comparison.md says so, and that is no failure.
set -euo pipefail

usage() {
  echo "pull_request.sh: $1; usage: ci/pull_request.sh (--base=T --patch=T | --base-ref=GIT_REF) --out=DIR" >&2
  exit 2
}

base='' patch='' ref='' out=''
for argument in "$@"; do
  case $argument in
    --base=*) base=${argument#*=} ;;
    --patch=*) patch=${argument#*=} ;;
    --base-ref=*) ref=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    *) usage "unknown argument '$argument'" ;;
  esac
done
[[ -n $out ]] || usage "--out is missing"
[[ -n $ref && -z $base$patch || -z $ref && -n $base && -n $patch ]] || usage "give --base and --patch, or --base-ref"
mkdir -p "$out" && out=$(cd "$out" && pwd)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -z $ref ]] || git rev-parse --quiet --verify "$ref^{commit}" > /dev/null || usage "--base-ref=$ref names no commit"
ci/install_packages.sh
ci/build.sh release tosaic
tosaic=$PWD/build/release/bin/tosaic

# Runs the suite; a divergence is the comparison's business.
conform() {
  local status=0
  "$@" || status=$?
  [[ $status -le 1 ]] || exit "$status"
}

if [[ -n $ref ]]; then
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree" 2> /dev/null; rm -rf "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$ref"
  "$tree/ci/build.sh" release tosaic
  # Relative paths, by which the cases are called.
  corpus=(--corpus corpus/regressions corpus/spec)
  (cd "$tree" && conform build/release/bin/tosaic conform "${corpus[@]}" --out="$out/base.json")
  (cd "$tree" && conform "$tosaic" conform "${corpus[@]}" --out="$out/patch.json")
  if [[ $(jq .suite "$out/base.json") != $(jq .suite "$out/patch.json") ]]; then
    echo "The suite of $ref is another one: there is nothing to compare." | tee "$out/comparison.md"
    exit 0
  fi
else
  conform "$tosaic" conform --toolchain="$base" --out="$out/base.json"
  conform "$tosaic" conform --toolchain="$patch" --out="$out/patch.json"
fi

status=0
"$tosaic" compare "$out/base.json" "$out/patch.json" --format=json --out="$out/comparison.json" || status=$?
[[ $status -le 1 ]] || exit "$status"
for format in markdown:md html:html; do
  "$tosaic" report "$out/comparison.json" --format="${format%:*}" --out="$out/comparison.${format#*:}"
done
cat "$out/comparison.md"
exit "$status"
