#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs, builds, and runs a night: `tosaic nightly` with the libFuzzer targets (nightly/nightly.h).
#
#   ci/nightly.sh --minutes=M --state=DIR [--seed=N] [--jobs=N] [--known=FILE] [--other=TOOLCHAIN] [--ops=LIST] ...
#   ci/nightly.sh --witnesses --out=DIR
#   ci/nightly.sh --help
#
# The first takes all flags of `tosaic nightly` but those of the targets. The second holds the newest of other implementations of TOSA to the whole suite (ci/witnesses.sh), for once a month.
# Beside MLIR 22 the night has trunk of the day, where PyPI gives it.
# M is the time of the night itself; installing and building comes on top.
# The seed is the date (printed; --seed replays another night). New is what neither the list of known divergences (or
# FILE) nor an earlier night in DIR has. Exit status: 0 nothing new, 1 something new, 2 wrong usage, 3 the harness failed.
# An interrupted night is finished by the next call with what it had: on the same day by the same command.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

given=" $* "
if [[ $given == *' --help '* ]]; then
  sed -n '3,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
  exit 0
elif [[ $given != *' --witnesses '* && ! ($given == *' --minutes'[=\ ]* && $given == *' --state'[=\ ]*) ]]; then
  echo "nightly.sh: --minutes and --state are needed; --help says more" >&2  # before minutes of building
  exit 2
fi

"$repository/ci/install_packages.sh" python3-venv
if [[ ${1:-} == --witnesses ]]; then
  "$repository/ci/build.sh" release tosaic
  exec "$repository/ci/witnesses.sh" --all "${@:2}"
fi
"$repository/ci/install_trunk.sh" || echo "not tried: no trunk"
"$repository/ci/build.sh" release tosaic
"$repository/ci/build.sh" fuzz fuzz_verifier fuzz_trait fuzz_numeric fuzz_program
exec "$repository/build/release/bin/tosaic" nightly --fuzzers="$repository/build/fuzz/bin" \
  --fuzzer-corpus="$repository/corpus" "$@"
