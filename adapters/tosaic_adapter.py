# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What adapters in Python (docs/adapters.md) share: the channel to Tosaic, tensors as arrays, and work in a child process."""

import base64
import ctypes
import json
import os
import pickle
import resource
import signal
import tempfile

import numpy as np


def channel():
    """A function that says a value to Tosaic. What anything else prints on standard output goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(value):
        print(json.dumps(value), file=replies, flush=True)

    return say


def array_of(tensor, dtypes):
    return np.frombuffer(base64.b64decode(tensor["data"]), dtypes[tensor["type"]]).reshape(tensor["shape"])


def tensor_of(element_type, shape, data):
    return {"type": element_type, "shape": list(shape), "data": base64.b64encode(data).decode()}


def in_a_child(work):
    """Does work(say) in a child: what it said, what the child printed, and its wait status."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if child == 0:
            os.close(reading)
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            with os.fdopen(writing, "wb") as pipe:
                def say(what):
                    pickle.dump(what, pipe)
                    pipe.flush()
                work(say)
            os._exit(0)
        os.close(writing)
        said = []
        with os.fdopen(reading, "rb") as pipe:
            try:
                while True:
                    said.append(pickle.load(pipe))
            except (EOFError, pickle.UnpicklingError):
                pass
        _, status = os.waitpid(child, 0)
        printed.seek(0)
        return said, printed.read().decode(errors="replace"), status
