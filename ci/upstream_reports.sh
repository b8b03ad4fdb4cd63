#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the table of docs/findings.md that says what LLVM's tracker reports of TOSA's elementwise ops, from corpus/upstream: the
# cases name their threads, reports.json has the rest. tests/e2e_upstream_test.cpp checks the verdicts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jq --null-input '[inputs | {key: (input_filename | sub(".*/"; "")), value: .origin}] | from_entries' \
  corpus/upstream/[0-9]*.json | jq --raw-output --slurpfile list corpus/upstream/reports.json '. as $links
  | ["mlir-16", "mlir-19", "mlir-22", "mlir-trunk"] as $names
  | "| report | what it says | specification | rule | \($names | join(" | ")) | here |", "|---|---|---|---|---|---|---|---|---|",
    ($list[0].reports[] | . as $row
     | "| [#\(.case | sub("[.]json"; ""))](\($links[.case])) | \(.says) | \(.specification) | `\(.rule)` | \($names
         | map($row.verdicts[.]) | join(" | ")) | \(.finding // "") |")'
