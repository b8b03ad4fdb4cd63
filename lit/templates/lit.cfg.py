# Runs these tests with the tools that stand beside lit:  lit .
import os
import sys

import lit.formats

config.name = "tosa-elementwise"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
tools = os.path.dirname(os.path.realpath(sys.argv[0]))
config.environment["PATH"] = tools + os.pathsep + os.environ["PATH"]
for library in ("mlir_runner_utils", "mlir_c_runner_utils"):
    config.substitutions.append(("%" + library, os.path.join(tools, "..", "lib", "lib" + library + ".so")))
