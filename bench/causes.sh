#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The figure to improve: how many distinct causes `tosaic fuzz` with its defaults finds per CPU minute, confirming and
# reducing included, over five seeds: median and spread. What is known counts, by the causes that the list names; what
# is beyond the specification does not.
#   bench/causes.sh [SECONDS] [FIRST_SEED]    by default a minute of generating for each seed, from seed 1 on
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60} first=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for ((seed = first; seed < first + 5; ++seed)); do
  TIMEFORMAT='%U %S'
  { time build/release/bin/tosaic fuzz --seed="$seed" --duration="${seconds}s" --jobs=1 --out="$work/$seed" \
      > "$work/$seed.txt" 2> /dev/null || test $? -eq 1; } 2> "$work/time"
  # Top-level keys of summary.json are indented by two blanks.
  value() { sed -n "s/^  \"$1\": \([0-9.]*\),\{0,1\}$/\1/p" "$work/$seed/summary.json"; }
  awk -v seed="$seed" -v cases="$(value cases)" -v causes="$(value causes)" -v new="$(value new_findings)" '{
    printf "seed %s: %d cases, %.0f CPU seconds, %d causes (%d findings new), %.1f a CPU minute\n",
           seed, cases, $1 + $2, causes, new, causes * 60 / ($1 + $2) }' "$work/time" | tee -a "$work/all"
done
sed 's/.*, \([0-9.]*\) a CPU minute/\1/' "$work/all" | sort -n |
  awk '{ v[NR] = $1 } END { printf "causes a CPU minute: median %.1f, from %.1f to %.1f\n", v[int((NR + 1) / 2)], v[1], v[NR] }'
