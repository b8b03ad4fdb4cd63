#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The walls between rooms (docs/design.md): does each room include only those that it may? A room is a folder with a row
# below, at any depth; its files are those in it and not in a deeper room.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# room: the rooms that it may include besides itself; then, after a bar, which of mlir and llvm.
rooms='
codec:
model:                codec
results:              codec model
generators:           codec model
oracle:               codec model
workers:              codec
toolchain:            codec model workers
toolchain/execution:  codec model workers toolchain | llvm
toolchain/mlir:       codec model workers toolchain toolchain/execution | mlir llvm
toolchain/external:   codec model workers toolchain toolchain/execution | llvm
toolchain/capi/worker: codec model workers toolchain
toolchain/capi:       codec model workers toolchain toolchain/execution toolchain/capi/worker | llvm
toolchain/adapter:    codec model workers toolchain
toolchain/coverage:   codec model toolchain | llvm
reducer:              codec model
mutation:             codec model generators reducer
reports:              codec model results
reports/reproducer:   codec model results reports
campaign/checking:    codec model generators oracle workers toolchain toolchain/execution toolchain/mlir reducer
campaign/diagnosis:   codec model generators oracle workers toolchain reducer reports/reproducer campaign/checking
campaign/sweeps:      codec model results generators oracle workers toolchain campaign/checking
campaign/mutants:     codec model generators oracle workers toolchain toolchain/mlir campaign/checking
campaign:             codec model results generators mutation oracle workers toolchain campaign/checking campaign/diagnosis
campaign/conformance: codec model results generators oracle workers toolchain toolchain/execution campaign campaign/checking
campaign/lit:         codec model generators oracle workers toolchain campaign/checking
campaign/nightly:     codec model results generators oracle workers toolchain reports campaign/checking
fuzzers:              codec model results generators oracle mutation workers toolchain toolchain/mlir toolchain/coverage campaign campaign/checking campaign/diagnosis campaign/mutants reports
tools:                codec model results generators oracle workers toolchain toolchain/mlir toolchain/external toolchain/capi toolchain/adapter toolchain/coverage reducer reports reports/reproducer campaign campaign/checking campaign/diagnosis campaign/sweeps campaign/mutants campaign/conformance campaign/lit campaign/nightly
tools/capi_worker:    workers toolchain/capi/worker
examples/elementwise_lowering: mlir llvm
'
# Tests and benchmarks see everything; tests that stand beside their source, too.
broken=$(find . \( -path './tests' -o -path './bench' -o -path './cmake' -o -path './build*' -o -path './.git' \) -prune -o \
  -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.def' \) ! -name '*_test.cpp' -print0 |
  xargs -0 -r grep -HnoE '^#include ["<][^">]+/' |
  awk -v rooms="$rooms" '
    # The deepest room that a path below the root lies in, or "".
    function room_of(path) {
      while (sub(/\/[^\/]*$/, "", path)) if (path in may) return path
      return ""
    }
    BEGIN {
      count = split(rooms, lines, "\n")
      for (i = 1; i <= count; ++i) {
        if (split(lines[i], row, ":") < 2) continue
        gsub(/[ |]+/, " ", row[2])
        may[row[1]] = " " row[2] " "
      }
    }
    {
      split($0, part, ":")
      file = substr(part[1], 3)
      target = part[3]; sub(/^#include ["<]/, "", target)
      folder = file; sub(/\/[^\/]*$/, "", folder)
      room = room_of(file)
      if (room != folder) { print folder " has no row in ci/check_walls.sh: " file; next }
      if (target ~ /^(mlir|llvm)(-c)?\//) { sub(/(-c)?\/.*/, "", target); other = target }
      else if (target ~ /^(tests|bench)\//) other = target
      else other = room_of(target "x")
      if (other != "" && other != room && index(may[room], " " other " ") == 0)
        print room " may include" (may[room] ~ /^ *$/ ? " no other room" : may[room]) ": " $0
    }' | sort -u)
[[ -z $broken ]] || { echo "$broken" >&2; exit 1; }
