#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the conformance suite before and after a patch, and compares: two toolchains, a route with and without the passes
# of a plugin, or two versions of Tosaic itself.
#
#   ci/pull_request.sh --base=TOOLCHAIN --patch=TOOLCHAIN --out=DIR   two MLIRs (names or directories)
#   ci/pull_request.sh --load-pass-plugin=FILE --replace=PASS:NEW --out=DIR
#                                                                     a route of MLIR 22 as it is, and with passes of a
#                                                                     plugin; also --insert-before, --insert-after
#   ci/pull_request.sh --base-ref=GIT_REF --out=DIR                   the Tosaic of GIT_REF and this one, in process,
#                                                                     both on the corpus of GIT_REF
#
#   --ops=add,mul   only these ops
#   --route=NAME    the pass pipeline to lower with (see tosaic list-routes); without it each case has its own. With a
#                   plugin: the one that gets its passes (default: loops)
#   --tosaic=FILE   the tosaic to run; without it the script builds one. Not with --base-ref
#   --jobs=N        worker processes; without it as many as there are cores
#   --minutes=M     then a campaign of M minutes on programs of which the patch changes the IR; what the base shows too is known.
#                   Not with --base-ref
#   --seeds=DIR     the campaign begins with the .mlir and case files there, the patch's tests, and mutates them
#   --help          this text
#
# The script installs the Debian packages that the build needs, builds `tosaic` (unless --tosaic names one), and writes base.json, patch.json,
# comparison.json, .md and .html into DIR, and the campaign into DIR/campaign. The exit status is 1 if anything regressed
# or the campaign found something new, and 3 if a side failed on cases. If GIT_REF has another suite, the two versions
# cannot be compared: comparison.md says so, and the exit status is 0.
set -euo pipefail

usage() {
  echo "pull_request.sh: $1; usage: ci/pull_request.sh (--base=T --patch=T | --load-pass-plugin=FILE" \
    "--replace=PASS:NEW | --base-ref=GIT_REF) --out=DIR; --help says more" >&2
  exit 2
}

base='' patch='' ref='' out='' minutes='' seeds='' tosaic='' suite=() edits=()
for argument in "$@"; do
  case $argument in
    --base=*) base=${argument#*=} ;;
    --patch=*) patch=${argument#*=} ;;
    --base-ref=*) ref=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    --minutes=*) minutes=${argument#*=} ;;
    --tosaic=?*) tosaic=$(realpath -m "${argument#*=}") ;;
    --seeds=?*) seeds=$(realpath -m "${argument#*=}") ;;
    --ops=?* | --route=?* | --jobs=?*) suite+=("$argument") ;;
    --insert-before=?* | --insert-after=?* | --replace=?*) edits+=("$argument") ;;
    # A file is named from where the script is called, as directories are below.
    --load-pass-plugin=?*) edits+=("--load-pass-plugin=$(realpath -m "${argument#*=}")") ;;
    --help) sed -n '3,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) usage "unknown argument '$argument'" ;;
  esac
done
[[ -n $out ]] || usage "--out is missing"
[[ ${#edits[@]} == 0 || -n $ref$base$patch ]] || base=mlir-22 patch=mlir-22
[[ -n $ref && -z $base$patch && ${#edits[@]} == 0 || -z $ref && -n $base && -n $patch ]] ||
  usage "give --base and --patch, --load-pass-plugin, or --base-ref"
[[ -z $minutes || $minutes =~ ^[0-9]+(\.[0-9]+)?$ && -z $ref ]] || usage "--minutes is a number, and not with --base-ref"
[[ -z $tosaic || -x $tosaic && -z $ref ]] || usage "--tosaic names a program, and not with --base-ref"
[[ -z $seeds || -n $minutes ]] || usage "--seeds is of the campaign: give --minutes too"
mkdir -p "$out" && out=$(cd "$out" && pwd)
# A directory is named from where the script is called.
[[ ! -d $base ]] || base=$(cd "$base" && pwd)
[[ ! -d $patch ]] || patch=$(cd "$patch" && pwd)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -z $ref ]] || git rev-parse --quiet --verify "$ref^{commit}" > /dev/null || usage "--base-ref=$ref names no commit"
if [[ -z $tosaic ]]; then
  needed=()
  [[ -z $ref ]] || needed=(jq)
  ci/install_packages.sh --to-build "${needed[@]}"
  ci/build.sh tosaic
  tosaic=$PWD/build/release/bin/tosaic
fi

# Runs what compares or conforms; a divergence is no failure of the script.
status=0
run() {
  status=0
  "$@" || status=$?
  [[ $status -le 1 ]] || exit "$status"
}

# The same for a comparison, which is shown whatever it lacks because a side failed on cases (3).
compare() {
  status=0
  rm -f "$out/comparison.json"
  "$tosaic" compare "$@" --format=json --out="$out/comparison.json" || status=$?
  [[ $status -le 1 || $status == 3 && -s $out/comparison.json ]] || exit "$status"
}

if [[ -n $ref ]]; then
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree" 2> /dev/null; rm -rf "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$ref"
  "$tree/ci/build.sh" tosaic
  # Relative paths, by which the cases are called.
  suite+=(--corpus corpus/regressions corpus/spec)
  (cd "$tree" && run build/release/bin/tosaic conform "${suite[@]}" --out="$out/base.json")
  (cd "$tree" && run "$tosaic" conform "${suite[@]}" --out="$out/patch.json")
  if [[ $(jq .suite "$out/base.json") != $(jq .suite "$out/patch.json") ]]; then
    echo "The suite of $ref is another one: there is nothing to compare." | tee "$out/comparison.md"
    exit 0
  fi
  compare "$out/base.json" "$out/patch.json"
else
  compare --base="$base" --patch="$patch" "${suite[@]}" "${edits[@]}" --save="$out"
fi
for format in markdown:md html:html; do
  "$tosaic" report "$out/comparison.json" --format="${format%:*}" --out="$out/comparison.${format#*:}"
done
cat "$out/comparison.md"
# Behind the comparison, which stays whatever becomes of the campaign.
regressed=$status
if [[ -n $minutes ]]; then
  campaign=("${suite[@]}" "--duration=$(awk "BEGIN { print int($minutes * 60 + 1) }")s" "--out=$out/campaign")
  if ((${#edits[@]})); then campaign+=("${edits[@]}" --changed-only); else campaign+=("--base=$base"); fi
  if [[ -n $seeds ]]; then
    run "$tosaic" check "$seeds" --split-input-file --known=none --toolchain="$patch" --save="$out/seeds" > "$out/seeds.txt"
    campaign+=("--corpus=$out/seeds")
  fi
  run "$tosaic" fuzz --toolchain="$patch" "${campaign[@]}"
fi
((status >= regressed)) || status=$regressed
exit "$status"
