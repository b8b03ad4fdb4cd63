#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An adapter that misbehaves as its argument says, on programs with a tosa.abs; others it answers with their inputs."""

import base64
import json
import os
import signal
import sys
import time

how = sys.argv[1]
greeting = {"tosaic_adapter": 1, "name": "bad", "version": "1", "dialect": 22, "command": './bad "$program" "$@"'}
if how == "silent":
    time.sleep(1000)
if how == "leaves":
    sys.exit("no licence")
if how == "old":
    greeting["tosaic_adapter"] = 0
if how == "nameless":
    greeting["name"] = ""
if how == "hostile":  # for a page, a Markdown file, a terminal
    greeting.update(name="<img src=x onerror=alert(1)> [a](b) `\x1b[31m", version="1\n\x1b]0;owned\x07 --> <b>")
if how in ("batch", "batch-dies"):
    greeting["batch"] = 4
if how == "static":
    greeting["static_shapes"] = True
if how == "constants":
    greeting["constant_operands"] = True
if how in ("rewrites", "rewrites-copies"):
    greeting["rewrites_nans"] = True
if how.startswith("few"):  # "few-short": short, and takes little
    how = how.removeprefix("few-")
    greeting.update(ops=["abs"], element_types=["f32"])
print("chatter" if how == "chatters" else json.dumps(greeting), flush=True)
if how == "early":
    print('{"id": 1, "answers": []}', flush=True)
if how == "deaf":
    time.sleep(1000)


def say(value):
    print(json.dumps(value), flush=True)


def misbehave(request, reply):
    answer = reply["answers"][0]
    runs = answer.get("runs")
    if how in ("dies", "batch-dies"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "dies-in-run":
        say({"id": request["id"], "stage": "execute"})
        os.kill(os.getpid(), signal.SIGABRT)
    if how == "exits":
        sys.exit("out of luck")
    if how == "hangs":
        time.sleep(1000)
    if how == "twice":
        os.write(1, 2 * (json.dumps(reply) + "\n").encode())
        return
    if how == "twice-late":
        say(reply)
        time.sleep(0.1)
    if how == "other-id":
        reply["id"] += 7
    if how == "no-answers":
        reply["answers"] = []
    if how == "lacks-runs":
        answer["runs"] = []
    if how == "short":
        runs[0]["outputs"][0]["data"] = "AAAA"
    if how == "no-base64":
        runs[0]["outputs"][0]["data"] = "!"
    if how == "huge":
        runs[0]["outputs"][0]["shape"] = [1 << 40, 1 << 40]
    if how == "nan":
        runs[0]["outputs"][0]["data"] = float("nan")
    if how in ("rewrites", "alters"):  # 0x7fc00000 for every element
        for output in (output for run in runs for output in run["outputs"]):
            output["data"] = base64.b64encode(b"\0\0\xc0\x7f" * output["shape"][0]).decode()
    if how in ("rewrites-copies", "alters-copies"):  # a NaN and 1, twice; the second NaN is another
        for run in runs:
            data = [base64.b64encode(nan + b"\0\0\xc0\x7f\1\0\0\0"[1:]).decode() for nan in (b"\0", b"\1")]
            run["outputs"] = [{"type": "f32", "shape": [2], "data": text} for text in data]
    if how == "text":
        print("Traceback: no", flush=True)
    if how == "half":
        print(json.dumps(reply)[:40], end="", flush=True)
        sys.exit(0)
    if how == "hostile":
        refusal = {"outcome": "refused", "diagnostics": ["\x1b[31m<img src=x> `[a](b)"]}
        reply["answers"] = [refusal] * len(request["programs"])
    if how == "unread":
        reply["answers"] = [{"outcome": "refused", "stage": "verify", "diagnostics": ["because"]}]
    if how in ("refused", "unsupported", "stopped", "crashed", "failed"):
        reply["answers"] = [{"outcome": how, "stage": "compile", "signal": 4, "diagnostics": ["because"]}]
    say(reply)


served = 0
for line in sys.stdin:
    request = json.loads(line)
    served += 1
    answers = [{"outcome": "completed", "runs": [{"outputs": run[:1]} for run in program["runs"]]}
               for program in request["programs"]]
    reply = {"id": request["id"], "answers": answers}
    if how == "tires" and served > 1:
        sys.exit("tired")
    if any("tosa.abs" in program["module"] for program in request["programs"]):
        misbehave(request, reply)
    else:
        say(reply)
