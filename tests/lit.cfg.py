# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit for the test.mlir of a reproducer folder: the tools stand beside lit, %pass_plugin is PASS_PLUGIN.
import os
import sys

import lit.formats

config.name = "tosaic-reproducer"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
tools = os.path.dirname(os.path.realpath(sys.argv[0]))
config.environment["PATH"] = tools + os.pathsep + os.environ["PATH"]
for library in ("mlir_c_runner_utils", "mlir_float16_utils", "mlir_apfloat_wrappers"):
    config.substitutions.append(("%" + library, os.path.join(tools, "..", "lib", "lib" + library + ".so")))
config.substitutions.append(("%pass_plugin", os.environ.get("PASS_PLUGIN", "")))
