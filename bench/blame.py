#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/selftest.md's figures of `tosaic blame`, and a line for each case in which it does not name the right one first.

  bench/blame.py [--bin=build/release/bin] [--only=TEXT]      the cases of tests/blamed.txt
  bench/blame.py --mistakes=20 [--bin=...] [--only=TEXT]      so many mistakes of the selftest's plugin, spread over its list:
                                                              of each what a campaign on its own ops finds first
"""
import argparse
import ctypes
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def blame(tosaic, case, flags=()):
    """What blame answers, and the CPU seconds that it takes, which other work on the machine does not change as much as the time."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([tosaic, "blame", case, "--json", "--quiet", *flags], capture_output=True, text=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    return (json.loads(done.stdout) if done.returncode == 1 else None), took


def passes(answer):
    """The only pass that may be wrong, or all of them."""
    bisection = answer.get("bisection") or {"suspects": []}
    return [bisection["passes"][i]["pass"] for i in bisection["suspects"]]


def causes_table(tosaic, only):
    rows = [line.split(maxsplit=1) for line in (ROOT / "tests/blamed.txt").read_text().splitlines() if line[0] != "#"]
    causes, places, seconds, proved, wrongly = set(), [], [], 0, 0
    for name, function in rows:
        if only not in name:
            continue
        case = ROOT / "corpus/regressions" / (name + ".json")
        answer, took = blame(tosaic, case)
        if answer is None:
            print(f"{name}: blame gives no answer")
            continue
        named = [rewrite for rewrite in answer["rewrites"] if rewrite["guilt"] != "cleared"]
        place = next((i for i, rewrite in enumerate(named, 1) if function in rewrite["name"]), 0)
        is_proved = bool(named) and named[0]["guilt"] == "proved"
        causes.add(json.loads(case.read_text())["origin"])
        places.append(place)
        seconds.append(took)
        proved += is_proved
        wrongly += is_proved and place != 1
        if place != 1:
            names = ", ".join(rewrite["name"] for rewrite in named[:3]) or "nobody"
            print(f"{name}: {function} is named {'nowhere' if place == 0 else f'as {place}.'}; "
                  f"named: {names}; passes: {', '.join(passes(answer))}")
    first, three = places.count(1), sum(1 <= place <= 3 for place in places)
    print(f"{len(places)} cases of {len(causes)} causes: first {first}, among the first three {three}, proved {proved}, proved and wrong "
          f"{wrongly}; {statistics.median(seconds):.1f} CPU s in the median, {max(seconds):.1f} at most")


def shows_mistake(tosaic, mistake, plugin, folder):
    """A reduced case that the mistake makes wrong and that is right without it, and the flags of the route with the mistake; None:
    the campaign has none."""
    edit = [f"--route={mistake['route']}", f"--load-pass-plugin={plugin}", f"--insert-after={mistake['after']}:{mistake['pass']}"]
    strict = ["--strict-values"] if mistake.get("strict_values") else []
    edit += strict
    ops = [f"--ops={mistake['ops']}"] if mistake["ops"] else []
    subprocess.run([tosaic, "fuzz", "--seed=1", "--cases=2000", "--changed-only", "--no-reduce", "--quiet", f"--out={folder}", *ops, *edit],
                   capture_output=True)
    for case in sorted(folder.glob("findings/*/case.json")):
        small, stock = folder / "small.json", folder / "stock.json"
        subprocess.run([tosaic, "reduce", case, f"--out={small}", "--quiet", *edit], capture_output=True)
        text = json.loads((small if small.exists() else case).read_text())
        text["route"] = mistake["route"]
        stock.write_text(json.dumps(text))
        checked = subprocess.run([tosaic, "check", stock, "--json", "--quiet", *strict], capture_output=True, text=True)
        if json.loads(checked.stdout)[0]["judgement"]["verdict"] == "agree":
            return stock, edit
        small.unlink(missing_ok=True)
    return None


def mistakes_table(tosaic, plugin, count, only):
    library = ctypes.CDLL(str(plugin))
    library.tosaicBrokenLowerings.restype = ctypes.c_char_p
    mistakes = json.loads(library.tosaicBrokenLowerings().decode())
    tried, first, seconds = 0, 0, []
    for mistake in mistakes[:: max(1, len(mistakes) // count)][:count]:
        if only not in mistake["name"]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = shows_mistake(tosaic, mistake, plugin, pathlib.Path(folder))
            if found is None:
                print(f"{mistake['name']}: no case shows it")
                continue
            answer, took = blame(tosaic, found[0], found[1])
        tried += 1
        if answer is None:
            print(f"{mistake['name']}: blame gives no answer")
            continue
        seconds.append(took)
        named = [rewrite["name"] for rewrite in answer["rewrites"] if rewrite["guilt"] != "cleared"]
        is_first = not named and passes(answer) == [mistake["pass"]]
        first += is_first
        if not is_first:
            print(f"{mistake['name']}: named: {', '.join(named[:3]) or 'nobody'}; passes: {', '.join(passes(answer))}")
    print(f"{tried} mistakes: first {first}; {statistics.median(seconds):.1f} CPU s in the median, {max(seconds):.1f} at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--only", default="")
    parser.add_argument("--mistakes", type=int, default=0)
    arguments = parser.parse_args()
    tosaic = arguments.bin.resolve() / "tosaic"
    if arguments.mistakes == 0:
        causes_table(tosaic, arguments.only)
    else:
        mistakes_table(tosaic, arguments.bin.resolve() / "tosaic_broken_lowerings.so", arguments.mistakes, arguments.only)


main()
