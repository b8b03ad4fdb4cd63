#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Does every file exist that a comment, a case's origin, a reason of a known divergence or a page names? By its path, or the end
# of it: "judge.cpp", "oracle/judge.cpp". And does the page that a row of README's figures names say its numbers?
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What is named and lies elsewhere: files that Tosaic writes, MLIR's own, and examples.
elsewhere='
  summary.json out/summary.json summary.md journal.jsonl groups.jsonl tally.json finding.json finding.txt original.json reduced.json repro.mlir run.mlir lowered.mlir before.mlir after.mlir twin.mlir expected.mlir
  known.json flags.json reported.json history.json history.md fixed.md index.html fuzzers.md conform.json other-conform.json comparison.json comparison.md versions.md tosaic_revision.h
  mlir/Tools/Plugins/PassPlugin.h mlir/Dialect/Tosa/IR/TosaComplianceData.h.inc TosaComplianceData.h.inc TosaProfileCompliance.h
  TosaOps.td TosaTypesBase.td TargetEnv.h
  x.cpp x.json x_test.cpp patch.cpp a.json case.json case.mlir base.json patch.json report.json corpus/regressions/x.json
'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find . \( -path './build*' -o -name .git -o -path './corpus/fuzz_*' \) -prune -o -type f -printf '%P\n' > "$scratch/files"

of() { grep -E "$1" "$scratch/files" | tr '\n' '\0'; }
{
  of '\.(cpp|h|def|c)$' | xargs -0 grep -HnoE '(^|[[:space:]])//.*'
  of '(\.(sh|cmake|py|yml)|CMakeLists\.txt)$' | xargs -0 grep -HnoE '(^|[[:space:]])#[^!].*'
  of '^corpus/.*\.json$' | xargs -0 grep -HnoE '"(origin|reason|expected)": ".*'
  of '(\.md|^NOTICE)$' | xargs -0 grep -Hn ''
} | sed -E 's|https?://[^ )>]*||g' > "$scratch/lines"

awk -v elsewhere="$elsewhere" '
  BEGIN {
    count = split(elsewhere, names)
    for (i = 1; i <= count; ++i) exists[names[i]]
  }
  NR == FNR { for (end = $0; ; sub(/^[^\/]*\//, "", end)) { exists[end]; if (end !~ /\//) next } }
  {
    at = $0; sub(/:[0-9]+:.*/, "", at); text = substr($0, length(at) + 2); number = text
    sub(/:.*/, "", number); text = substr(text, length(number) + 2)
    while (match(text, /[A-Za-z0-9_.\/-]+\.(md|txt|jsonl?|h|cpp|def|sh|py|cmake|mlir|yml|c|inc|td)/)) {
      before = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
      name = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      sub(/^(\.\.?\/)+/, "", name)
      # Part of a longer word, of a pattern or of a path of the machine; a place to fill in.
      if (text ~ /^[A-Za-z0-9_*\/]/ || before ~ /[<>*$%{}]/ || name ~ /^\// || name ~ /NAME|NN|FILE|DIR|DATE/) continue
      if (!(name in exists)) { print at ":" number ": there is no " name; bad = 1 }
    }
  }
  END { exit bad }' "$scratch/files" "$scratch/lines" >&2

awk '
  /^## / { figures = ($0 == "## Figures") }
  figures && match($0, /\]\(docs\/[a-z-]+\.md/) {
    page = substr($0, RSTART + 2, RLENGTH - 2); text = substr($0, 1, RSTART); content = ""
    while ((getline line < page) > 0) content = content " " line
    close(page)
    while (match(text, /[0-9]([0-9,.]*[0-9])?/)) {
      number = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH); pattern = number
      gsub(/\./, "[.]", pattern)
      if (content !~ "(^|[^0-9.,])" pattern "([^0-9]|$)") { print "README.md:" FNR ": " page " does not say " number; bad = 1 }
    }
  }
  END { exit bad }' README.md >&2
