#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs, builds, and passes the tests: the licence lines, formatting, the walls between folders, the files that comments and
# pages name, the templates, the libFuzzer targets, then ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh
ci/check_licence.sh
ci/check_format.sh
ci/check_walls.sh
ci/check_references.sh
ci/check_templates.sh
ci/build.sh release
ci/fuzz_targets.sh
# Two more than there are cores, because some tests wait for a deadline.
ctest --preset release --parallel "$(($(nproc) + 2))"
