#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapter (docs/adapters.md) of Arm's TOSA reference model, as the package tosa-tools has it.

    tosaic check FILE --toolchain='adapter:PYTHON adapters/arm_reference_model.py [--precise]'

PYTHON is that of the environment of ci/install_witnesses.sh, or any that has tosa-tools. tosa-opt verifies a program
and makes a flatbuffer of it; the model runs that in a process of its own, for it may abort. --precise: floats are
computed in double precision and rounded once, which is meaningful for programs of one op alone. Of a run that the
model calls unpredictable it computes what it happens to, and leaves the rest 0: such a run has no outputs here, so that
what the model calls so is judged (--stops, which once asked for this, changes nothing).
"""

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import tosa_reference_model
from tosa.TosaGraph import TosaGraph
from tosaic_adapter import array_of, channel, in_a_child, tensor_of

DTYPES = {
    "i1": np.bool_, "i4": np.int8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i48": np.int64, "i64": np.int64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
}
# The model's Python function refuses them as inputs and gives no bytes of them as results; its program takes both.
PROGRAM_ALONE = {"i4", "i48"}
# What the model's Python function takes: bits, but for i1.
PLAIN = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


# How a person runs a program: the model wants to be told all names in a file. Here one result is asked for.
COMMAND = r"""tosa-opt "$program" --tosa-serialize --tosa-flatbuffer-filename=program.tosa > /dev/null
names=$(for i in $(seq 0 $(($# - 1))); do printf '"TosaInput_%d",' "$i"; done)
files=$(for file in "$@"; do printf '"%s",' "$file"; done)
cat > desc.json << END
{"tosa_file": "program.tosa", "ifm_name": [${names%,}], "ifm_file": [${files%,}],
 "ofm_name": ["TosaOutput_0"], "ofm_file": ["out.npy"], "expected_return_code": 0, "expected_failure": false}
END
tosa_reference_model --test_desc=desc.json MODE
python3 -c 'import numpy; print(numpy.load("out.npy"))'"""


class Ended(Exception):
    """A program that did not come to its regular end; the arguments are the answer and the outputs before it."""


def end(outcome, stage, text, finished=(), **more):
    """`finished`: the outputs of the runs before it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    noise = ("WARNING AT", "Backtrace generation", "Attaching debugger", "SubgraphTraverser::initializeGraph(): Input")
    lines = [line for line in lines if not line.startswith(noise)] or lines
    raise Ended({"outcome": outcome, "stage": stage, "diagnostics": lines[-6:] or [outcome], **more}, finished)


def end_unpredictable(text, finished):
    says = "the model calls this run unpredictable; nothing of it, and of what is behind it, is compared"
    end("stopped", "execute", "\n".join([says, *text.splitlines()[-4:]]), finished)


def program_of(name):
    """A program of the package tosa-tools."""
    for file in importlib.metadata.files("tosa-tools"):
        if file.name == name and file.parent.name == "bin" and ".." not in file.parts:  # else it is a script
            return str(file.locate())
    sys.exit(f"tosa-tools has no program {name}")


def call(arguments):
    # Without a PATH the model cannot call a debugger when it aborts.
    return subprocess.run(arguments, capture_output=True, text=True, errors="replace", timeout=60, env={"PATH": ""})


def errors_in(text):
    return "\n".join(re.sub(r"^[^ ]*:\d+:\d+: error: ", "", line) for line in text.splitlines() if "error: " in line)


def serialize(tosa_opt, folder, module):
    """The program as a flatbuffer."""
    source, flatbuffer = os.path.join(folder, "program.mlir"), os.path.join(folder, "program.tosa")
    with open(source, "w") as file:
        file.write(module.replace(" attributes {llvm.emit_c_interface}", ""))
    if os.path.exists(flatbuffer):
        os.unlink(flatbuffer)
    serialized = call([tosa_opt, source, "--tosa-serialize", f"--tosa-flatbuffer-filename={flatbuffer}"])
    if serialized.returncode == 0 and os.path.exists(flatbuffer):
        return flatbuffer
    verified = call([tosa_opt, source])
    if verified.returncode < 0:
        end("crashed", "verify", verified.stderr, signal=-verified.returncode)
    if verified.returncode > 0:
        end("refused", "verify", errors_in(verified.stderr) or verified.stderr)
    end("refused", "lower", errors_in(serialized.stderr) or serialized.stderr)


def run_function(flatbuffer, runs):
    """The model's Python function, for all runs in one child: a list of outputs of each run that finished."""
    with open(flatbuffer, "rb") as file:
        program = file.read()

    def work(say):
        os.environ["PATH"] = ""  # as in call()
        for inputs in runs:
            arrays = [array_of(tensor, DTYPES) for tensor in inputs]
            arrays = [a if a.dtype == np.bool_ else a.view(PLAIN[a.dtype.itemsize]) for a in arrays]
            try:
                outputs, status = tosa_reference_model.run(program, arrays, verbosity="NONE")
            except ValueError as error:
                return say((f"refused: {error}", []))
            say((str(status), [np.ascontiguousarray(np.asarray(output)).tobytes() for output in outputs]))

    said, printed, status = in_a_child(work)
    finished = []
    for how, outputs in said:
        if how.endswith("UNPREDICTABLE"):
            end_unpredictable(printed, finished)
        if not how.endswith("VALID"):
            end("refused", "lower", printed + how, finished)
        finished.append(outputs)
    if len(finished) < len(runs) and os.WIFSIGNALED(status):
        end("crashed", "execute", printed, finished, signal=os.WTERMSIG(status))
    if len(finished) < len(runs):
        end("failed", "execute", printed, finished)
    return finished


def rounded(array, dtype):
    """An array of float64 in a narrower type, each number rounded once: ml_dtypes goes by way of float32."""
    with np.errstate(all="ignore"):
        narrow = array.astype(np.float32)
        if dtype in (np.float32, np.float16):
            return array.astype(dtype)
        bits = narrow.view(np.uint32).copy()  # to the odd neighbour where inexact, so that a tie is one before and after
        inexact = (narrow.astype(np.float64) != array) & ~np.isnan(array)
        bits -= (inexact & (np.abs(narrow.astype(np.float64)) > np.abs(array))).astype(np.uint32)
        bits |= inexact.astype(np.uint32)
        return bits.view(np.float32).astype(dtype)


def run_program(model, precise, flatbuffer, runs, results, folder):
    """The model's program, once for each run; in precise mode each output is rounded to its type."""
    finished = []
    for inputs in runs:
        finished.append(run_program_once(model, precise, flatbuffer, inputs, results, folder, finished))
    return finished


def run_program_once(model, precise, flatbuffer, inputs, results, folder, finished):
    with open(flatbuffer, "rb") as file:
        block = TosaGraph.GetRootAs(file.read()).Regions(0).Blocks(0)
    ifm_file, ofm_file = ([f"{kind}{i}.npy" for i in range(len(of))] for kind, of in (("in", inputs), ("out", results)))
    desc = {"tosa_file": os.path.basename(flatbuffer), "expected_return_code": 0, "expected_failure": False,
            "ifm_name": [block.Inputs(i).decode() for i in range(len(inputs))], "ifm_file": ifm_file,
            # A result may be an argument, or another result once more: then it has that one's name.
            "ofm_name": [block.Outputs(i).decode() for i in range(len(results))], "ofm_file": ofm_file}
    for name, tensor in zip(ifm_file, inputs):
        array = array_of(tensor, DTYPES)
        if tensor["type"] == "f8E5M2":  # the one type that it does not take as ml_dtypes writes it
            array = array.view(np.uint8)
        np.save(os.path.join(folder, name), array)
    with open(os.path.join(folder, "desc.json"), "w") as file:
        json.dump(desc, file)
    ended = call([model, f"--test_desc={folder}/desc.json", f"--precise_mode={int(precise)}"])
    if ended.returncode < 0:
        end("crashed", "execute", ended.stderr, finished, signal=-ended.returncode)
    if re.search(r"REQUIRE\(\) fails|UNPREDICTABLE", ended.stderr + ended.stdout):
        end_unpredictable(ended.stderr, finished)
    if ended.returncode != 0:
        end("refused", "lower", ended.stderr or ended.stdout, finished)
    outputs = []
    for name, result in zip(ofm_file, results):
        array = np.load(os.path.join(folder, name))
        dtype = DTYPES[element_type(result)]
        if array.dtype == np.float64:
            array = rounded(array, dtype)
        outputs.append(np.ascontiguousarray(array).view(dtype).tobytes())
    return outputs


def element_type(tensor_type):
    return re.fullmatch(r"tensor<(?:\d+x)*(\w+)>", tensor_type).group(1)


def shape(tensor_type):
    return [int(size) for size in re.findall(r"(\d+)x", tensor_type)]


def runs_of(finished, results):
    return [{"outputs": [tensor_of(element_type(of), shape(of), data) for of, data in zip(results, outputs)]}
            for outputs in finished]


def answer(program, tosa_opt, run, single_ops, folder):
    try:
        if single_ops and len(re.findall(r'"tosa\.(?!const")', program["module"])) > 1:
            end("unsupported", "build", "precise mode does not round between ops")
        if program["runs"] and re.search(r"tensor<(?:\d+x){7}", program["module"]):
            end("unsupported", "build", "the model has six dimensions")
        flatbuffer = serialize(tosa_opt, folder, program["module"])
        finished = run(flatbuffer, program["runs"], program["results"], folder) if program["runs"] else []
        return {"outcome": "completed", "runs": runs_of(finished, program["results"])}
    except Ended as ended:
        said, finished = ended.args
        return {**said, "runs": runs_of(finished, program["results"])}


def main():
    parser = argparse.ArgumentParser(description="Tosaic's adapter of Arm's TOSA reference model")
    parser.add_argument("--precise", action="store_true", help="compute floats in double precision")
    parser.add_argument("--stops", action="store_true", help="changes nothing")
    arguments = parser.parse_args()
    precise = arguments.precise
    tosa_opt, model = program_of("tosa-opt"), program_of("tosa_reference_model")

    def run(flatbuffer, runs, results, folder):
        types = {tensor["type"] for inputs in runs for tensor in inputs} | {element_type(result) for result in results}
        if precise or types & PROGRAM_ALONE:
            return run_program(model, precise, flatbuffer, runs, results, folder)
        return run_function(flatbuffer, runs)

    say = channel()
    say({
        "tosaic_adapter": 1,
        "name": "arm-reference-model" + ("-precise" if precise else ""),
        "version": importlib.metadata.version("tosa-tools"),
        "dialect": 24,
        "element_types": list(DTYPES),
        "static_shapes": True,
        "constant_operands": True,
        "rewrites_nans": True,  # it holds floats of all types in wider ones
        "command": COMMAND.replace("MODE", f"--precise_mode={int(precise)}"),
    })
    with tempfile.TemporaryDirectory(prefix="tosaic-arm-") as folder:
        for line in sys.stdin:
            request = json.loads(line)
            answers = [answer(program, tosa_opt, run, precise, folder) for program in request["programs"]]
            say({"id": request["id"], "answers": answers})


if __name__ == "__main__":
    main()
