#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapter (docs/adapters.md) of IREE, as the packages iree-base-compiler and iree-base-runtime have it.

    tosaic check FILE --toolchain='adapter:PYTHON adapters/iree.py'

PYTHON is that of the environment of ci/install_witnesses.sh, or any that has both packages. The programs of a request
are functions of one module, which is compiled for the CPU and run in a child process. A program that is refused as it
is read has a child of its own; where anything else goes wrong, each half of the programs has one.
"""

import importlib.metadata
import json
import os
import re
import sys

from tosaic_adapter import array_of, channel, in_a_child, tensor_of

sys.path.pop(0)  # this folder, in which `iree` is this file
import iree.compiler.api as compiler
import iree.runtime as runtime
import ml_dtypes
import numpy as np

DTYPES = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
}
FLAGS = ["--iree-input-type=tosa", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"]


def output_of(value, declared):
    array = np.asarray(value)
    return tensor_of(re.search(r"(\w+)>$", declared).group(1).split("x")[-1], array.shape, array.tobytes())


def module_of(programs):
    """One module with all programs, as functions f0, f1, ..."""
    parts = []
    for i, program in enumerate(programs):
        text = program["module"].replace(" attributes {llvm.emit_c_interface}", "")
        parts.append(text.replace(f"func.func @{program['function']}(", f"func.func @f{i}(", 1))
    return "".join(parts)


def read(programs):
    """The invocation that has read the programs as one module, with its session, or None."""
    session = compiler.Session()
    session.set_flags(*FLAGS)
    invocation = session.invocation()
    invocation.enable_console_diagnostics()
    source = compiler.Source.wrap_buffer(session, module_of(programs).encode() + b"\0")
    return (session, invocation) if invocation.parse_source(source) else None


def compiled(programs, at):
    """The module's bytecode, or None: then `at` was the last stage that it came to."""
    at("verify")
    module = read(programs)
    if module is None:
        return None
    at("compile")
    output = compiler.Output.open_membuffer()
    _, invocation = module
    if not invocation.execute():
        return None
    invocation.output_vm_bytecode(output)
    return bytes(output.map_memory())


# What Python's binding of the runtime makes of its statuses.
STATUSES = (RuntimeError, ValueError, IndexError, NotImplementedError, PermissionError)


def stopped_by(error):
    return {"outcome": "stopped", "stage": "execute", "diagnostics": str(error).splitlines()[:6]}


def work(programs, say):
    """In the child: says the stages that it comes to, each run, and an answer per program; or which it cannot read."""
    say(("at", "verify"))
    if len(programs) > 1:  # reading costs a hundredth of compiling
        unread = [i for i, program in enumerate(programs) if read([program]) is None]
        if unread:
            return say(("unread", unread))
    bytecode = compiled(programs, lambda stage: say(("at", stage)))
    if bytecode is None:
        return say(("refused", None))
    config = runtime.Config("local-sync")
    say(("at", "execute"))
    try:  # runs what computes the constants
        module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, bytecode), config)
    except STATUSES as error:
        return say(("answer", stopped_by(error)))
    for i, program in enumerate(programs):
        say(("at", "execute"))
        answer = {"outcome": "completed"}
        for inputs in program["runs"]:
            arrays = [array_of(tensor, DTYPES) for tensor in inputs]
            try:
                results = module[f"f{i}"](*arrays)
            except STATUSES as error:
                answer = stopped_by(error)
                break
            results = results if isinstance(results, (tuple, list)) else [results]
            say(("run", {"outputs": [output_of(v, t) for v, t in zip(results, program["results"])]}))
        say(("answer", answer))


def errors_in(text):
    errors = [re.sub(r"^.*?error: ", "", line) for line in text.splitlines() if "error: " in line]
    lines = [line for line in text.splitlines() if line]
    raised = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]  # behind Python's stack
    return errors[:6] or (raised + lines[-6:])[:6]


def answers_of(programs):
    if not programs:
        return []
    said, printed, status = in_a_child(lambda say: work(programs, say))
    answers, runs = [], []  # the runs are those of the program behind the last answer
    for what, value in said:
        if what == "run":
            runs.append(value)
        if what == "answer":
            answers.append({**value, "runs": runs})
            runs = []
    if len(answers) == len(programs):
        return answers
    if len(programs) > 1:
        unread = [i for what, value in said if what == "unread" for i in value]
        if not unread:
            half = len(programs) // 2
            return answers_of(programs[:half]) + answers_of(programs[half:])
        others = iter(answers_of([program for i, program in enumerate(programs) if i not in unread]))
        return [answers_of([program])[0] if i in unread else next(others) for i, program in enumerate(programs)]
    stage = [value for what, value in said if what == "at"][-1:] or ["verify"]
    if os.WIFSIGNALED(status):
        return [{"outcome": "crashed", "stage": stage[0], "signal": os.WTERMSIG(status), "runs": runs,
                 "diagnostics": errors_in(printed)}]
    refused = any(what == "refused" for what, _ in said)
    return [{"outcome": "refused" if refused else "failed", "stage": stage[0], "diagnostics": errors_in(printed)}]


def main():
    say = channel()
    say({
        "tosaic_adapter": 1,
        "name": "iree",
        "version": importlib.metadata.version("iree-base-compiler"),
        "dialect": 24,
        "element_types": list(DTYPES),
        "constant_operands": True,
        "batch": 16,
        "command": " ".join(["iree-compile", *FLAGS, '"$program" -o program.vmfb\n'])
        + 'iree-run-module --device=local-sync --module=program.vmfb --function="$function" "${@/#/--input=@}"',
    })
    for line in sys.stdin:
        request = json.loads(line)
        say({"id": request["id"], "answers": answers_of(request["programs"])})


if __name__ == "__main__":
    main()
