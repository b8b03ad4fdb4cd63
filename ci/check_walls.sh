#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The walls between rooms (docs/design.md): does each room include those that it may, and no others? A room is a folder with
# a row in ci/rooms.txt, at any depth; its files are those in it and not in a deeper room.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rooms=$(grep -v '^#' ci/rooms.txt)
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
      if (room != folder) { print folder " has no row in ci/rooms.txt: " file; next }
      if (target ~ /^(mlir|llvm)(-c)?\//) { sub(/(-c)?\/.*/, "", target); other = target }
      else if (target ~ /^(tests|bench)\//) other = target
      else other = room_of(target "x")
      includes[room, other] = 1
      if (other != "" && other != room && index(may[room], " " other " ") == 0)
        print room " may include" (may[room] ~ /^ *$/ ? " no other room" : may[room]) ": " $0
    }
    END {
      for (room in may) {
        count = split(may[room], others, " ")
        for (i = 1; i <= count; ++i)
          if (others[i] in may && !((room, others[i]) in includes))
            print "ci/rooms.txt lets " room " include " others[i] ", which it does not"
      }
    }' | sort -u)
[[ -z $broken ]] || { echo "$broken" >&2; exit 1; }

# Whoever describes the rooms elsewhere names all of them.
while IFS=: read -r room _; do
  [[ $room == */*/* || $room == tools/* || $room == examples/* ]] || grep -q "\`$room/\`" docs/design.md ||
    { echo "docs/design.md lacks the room $room/" >&2; exit 1; }
  grep -E '^HeaderFilterRegex' .clang-tidy | grep -qE "[(|]${room%%/*}[|)]" ||
    { echo ".clang-tidy's HeaderFilterRegex lacks ${room%%/*}" >&2; exit 1; }
done < <(grep -v "^#" ci/rooms.txt)
