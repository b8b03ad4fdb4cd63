# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plugin of Arm's test runner: plays Arm's conformance suite on any toolchain of Tosaic, under Arm's judge.

    PYTHONPATH=adapters tosa_verif_run_tests --sut-module tosaic_sut --binary --test TESTS/*/* \\
      --sut-module-args tosaic_sut:tosaic=build/release/bin/tosaic tosaic_sut:toolchain=mlir-22 tosaic_sut:route=loops

The programs are in the environment of ci/install_witnesses.sh. tosa-opt reads a test's flatbuffer as MLIR, and `tosaic
check` runs that on the test's inputs and leaves what comes out; what it says of that is not asked for.
"""

import importlib.metadata
import subprocess
import tempfile
from pathlib import Path

from runner.tosa_test_runner import TosaTestRunner

GraphResult = TosaTestRunner.TosaGraphResult
# What `tosaic check` says of a program that did not come to run.
REFUSED = ("refused at", "false-reject", "lowering-failed", "unsupported")


def tosa_opt():
    """The program of the package tosa-tools; of the same name is a script of the environment."""
    files = importlib.metadata.files("tosa-tools")
    return str(next(f.locate() for f in files if f.name == "tosa-opt" and ".." not in f.parts))


class TosaSUTRunner(TosaTestRunner):
    """Runs a test by `tosaic check`."""

    def __init__(self, args, runnerArgs, testDirPath):
        super().__init__(args, runnerArgs, testDirPath)
        self.flags = {"tosaic": "tosaic", "toolchain": "mlir-22", "route": "loops"}
        self.flags.update(argument.split("=", 1) for argument in runnerArgs)

    def runTestGraph(self):
        """Returns the result of the test's graph, and what was said."""
        desc = self.testDesc
        with tempfile.TemporaryDirectory(prefix="tosaic-sut-") as folder:
            program = Path(folder) / "program.mlir"
            read = self.call(tosa_opt(), "--tosa-deserialize", "--mlir-print-op-generic", "-o", program,
                             f"--tosa-deserialize-filename={self.testDirPath / desc['tosa_file']}", "/dev/null")
            if read.returncode != 0:
                return GraphResult.TOSA_ERROR, read.stderr
            inputs = [str(self.testDirPath / name) for name in desc["ifm_file"]]
            ran = self.call(self.flags["tosaic"], "check", program, "--runs=1", f"--outputs={folder}",
                            f"--toolchain={self.flags['toolchain']}", f"--route={self.flags['route']}",
                            *([f"--inputs={','.join(inputs)}"] if inputs else []))
            for i, name in enumerate(desc["ofm_file"]):
                result = Path(folder) / f"{i}.npy"
                if not result.exists():
                    refused = any(word in ran.stdout for word in REFUSED)
                    return GraphResult.TOSA_ERROR if refused else GraphResult.OTHER_ERROR, ran.stdout + ran.stderr
                (self.testDirPath / name).write_bytes(result.read_bytes())
        return GraphResult.TOSA_VALID, ran.stdout

    @staticmethod
    def call(*arguments):
        return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, errors="replace")
