#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapter (docs/adapters.md) to be filled in: takes tosa.abs of f32 in static shapes."""

import array
import base64
import json
import sys


def elements_of(tensor):  # lists of f32; another type has another code of the module array
    return array.array("f", base64.b64decode(tensor["data"]))


def compile_program(program):  # yours: a function from inputs to outputs; a ValueError says why a program is refused
    module = program["module"]
    shapes = {text.split(">")[0] for text in module.split("tensor<")[1:]}
    if module.count('"tosa.') != 1 or '"tosa.abs"(%arg0) :' not in module:
        raise NotImplementedError("this example knows one tosa.abs of an argument")
    if len(shapes) != 1:
        raise ValueError("operand and result of tosa.abs must have one type")
    sizes = [int(size) for size in shapes.pop().split("x")[:-1]]

    def run(*inputs):
        (tensor,) = inputs
        data = array.array("f", (abs(value) for value in elements_of(tensor))).tobytes()
        return [{"type": "f32", "shape": sizes, "data": base64.b64encode(data).decode()}]

    return run


def answer(program):
    try:
        run = compile_program(program)
    except NotImplementedError as error:
        return {"outcome": "unsupported", "diagnostics": [str(error)]}
    except ValueError as error:
        return {"outcome": "refused", "stage": "verify", "diagnostics": [str(error)]}
    try:
        return {"outcome": "completed", "runs": [{"outputs": run(*inputs)} for inputs in program["runs"]]}
    except ValueError as error:
        return {"outcome": "failed", "stage": "execute", "diagnostics": [str(error)]}


print(json.dumps({"tosaic_adapter": 1, "name": "example", "version": "1", "dialect": 22, "ops": ["abs"],
                  "element_types": ["f32"], "static_shapes": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "answers": [answer(p) for p in request["programs"]]}), flush=True)
