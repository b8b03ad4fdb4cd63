#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the table of docs/findings.md that says which cause is open in which MLIR: every case of corpus/regressions is
# checked on each toolchain, and stands for the cause that it names.
#
#   ci/findings_by_version.sh [TOOLCHAIN...]        by default mlir-22 mlir-trunk
#
# A cell says `open` if every case of the cause diverges there, `fixed` if none does, `not tried` if the toolchain lacks
# the routes. In between it names the cases that are right or not tried; `changed` ones diverge by another verdict or rule than on
# the first toolchain. What changed it is the link of the list of known divergences. Causes that show nowhere are left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

toolchains=("$@")
[[ $# -gt 0 ]] || toolchains=(mlir-22 mlir-trunk)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

checked=()
for toolchain in "${toolchains[@]}"; do
  status=0
  build/release/bin/tosaic check corpus/regressions --json --toolchain="$toolchain" > "$work/$toolchain.json" || status=$?
  [[ $status -le 1 ]] || exit "$status"
  checked+=("$work/$toolchain.json")
done
jq --null-input '[inputs | {key: (input_filename | sub(".*/"; "corpus/regressions/")),
  value: (.origin // "" | ltrimstr("docs/findings.md: "))}] | from_entries' corpus/regressions/*.json > "$work/causes"

jq --raw-output --slurp --slurpfile causes "$work/causes" --slurpfile list corpus/known-divergences.json \
  --arg names "${toolchains[*]}" '
  def diverges: .judgement.verdict | IN("agree", "unsupported", "undefined") | not;
  def missing: .judgement.rule == "support.not-built";
  def kind: [.judgement.verdict, .judgement.rule];
  def files: map(.file | sub(".*/"; "") | sub("[.]json$"; "") | "`\(.)`") | join(", ");
  def cell($first):
    map(select(missing | not)) as $tried | ($tried | map(select(diverges))) as $open
    | ($open | map(select(kind as $is | any($first[] | select(diverges) | kind; . == $is) | not))) as $changed
    | if $tried == [] then "not tried"
      elif $open == [] then (if any($first[]; diverges) then "fixed" else "not there" end)
      else "open" + (if $open == $tried then "" else ", but right: \($tried - $open | files)" end)
        + (if $changed == [] or all($first[]; diverges | not) then "" else "; changed: \($changed | files)" end) end
      + (map(select(missing)) | if . == [] or $tried == [] then "" else "; not tried: \(files)" end);
  # As the document has them, and F2 before F10.
  def order: [(.[0:1] as $kind | "FRLBO" | index($kind) // 9), (capture("(?<n>[0-9]+)$").n | tonumber)];
  . as $checked | ($list[0].known | map(select(.link)) | group_by(.cause)
    | map({key: .[0].cause, value: (map(.link | split(" ")[0] | "[\(sub(".*/"; "#"))](\(.))") | unique | join(", "))}) | from_entries) as $links
  | "| | \($names | gsub(" "; " | ")) | upstream |", "|---|\($names | split(" ") | map("---|") | join(""))---|",
    ($causes[0] | to_entries | map(select(.value != "")) | group_by(.value) | sort_by(.[0].value | order)[]
     | (map(.key)) as $files | .[0].value as $cause
     | [$checked[] | map(select(.file | IN($files[])))] as $by_toolchain
     | select(any($by_toolchain[][]; diverges))
     | "| \($cause) | \([$by_toolchain[] | cell($by_toolchain[0])] | join(" | ")) | \($links[$cause] // "") |")
  ' "${checked[@]}"
