#!/usr/bin/env bash
# Installs, builds, and passes the tests: formatting, the walls between folders, the files that comments and pages name, the
# templates, the libFuzzer targets, then ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci/install_packages.sh
ci/check_format.sh
ci/check_walls.sh
ci/check_references.sh
ci/check_templates.sh
ci/build.sh release
ci/fuzz_targets.sh
ctest --preset release --parallel "$(nproc)"
