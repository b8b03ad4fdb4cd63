#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's table of how much is really compared: of a campaign's elements per op, and computed from values that are not
returned, the share whose set of allowed values excludes at least half of all values, the median width of these sets in ulp, and the share of
those that are open, whose sets exclude fewer, if there are any.

  build/release/bin/tosaic fuzz --seed=1 --cases=20000 --no-reduce --out=out
  bench/compared.py out/summary.json
"""
import collections
import json
import sys

TYPES = ["f32", "f16", "bf16"]


def median(counts):
    """As SetWidths::Median has it."""
    wider, half = sum(counts), sum(counts) // 2
    for i, count in enumerate(counts):
        wider -= count
        if wider <= half:
            return 0 if i == 0 else 1 << (i - 1)
    return 0


def cell(rows):
    """'98.4 %, 16' of rows together; empty of none."""
    elements = sum(row["elements"] for row in rows)
    widths = collections.Counter()
    for row in rows:
        widths.update(dict(enumerate(row["widths"])))
    compared = [widths[i] for i in range(max(widths, default=-1) + 1)]
    if elements == 0:
        return ""
    width = median(compared)
    text = str(width) if width <= 1024 else f"2^{width.bit_length() - 1}"
    open_share = 100 * sum(row.get("open", 0) for row in rows) / elements
    if open_share > 0:
        text += f", {open_share:.1f} % open" if open_share >= 0.05 else ", < 0.1 % open"
    return f"{100 * sum(compared) / elements:.1f} %, {text}"


def main():
    with open(sys.argv[1]) as file:
        summary = json.load(file)
    by_op = collections.defaultdict(list)
    others = []  # of ops that make no floats
    for row in summary["judged_ops"]:
        by_op[row["computed"]].append(row)
    for op in [op for op, rows in by_op.items() if not any(row["types"] in TYPES for row in rows)]:
        others += by_op.pop(op)
    print("| op | f32 | f16 | bf16 | all types |")
    print("|---|---|---|---|---|")
    for op, rows in sorted(by_op.items()):
        cells = [cell([row for row in rows if row["types"] == type]) for type in TYPES]
        print(f"| {op} | {' | '.join(cells)} | {cell(rows)} |")
    print(f"| all other ops | | | | {cell(others)} |")
    chains = summary["judged_chains"]
    print(f"| computed from values that are not returned | | | | {cell(chains)} |")
    for row in [row for row in chains if row["computed"] != "others"][:10]:
        print(f"| `{row['computed']}` | | | | {cell([row])} |")


main()
