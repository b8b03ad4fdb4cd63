#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Holds other implementations of TOSA (ci/install_witnesses.sh) to the conformance suite, by their adapters.
#
#   ci/witnesses.sh --out=DIR [--all]
#
# Writes a report for each into DIR. Without --all, a part of the suite that takes a minute. What PyPI does not
# give is "not tried". Exit status: 0 nothing new, 1 something diverges, 2 wrong usage, 3 the harness failed.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

out='' part=("--ops=abs" --profile=pro-fp "--corpus=$repository/corpus/spec/rfc.case.add-1d-all-dynamic.json")
for argument in "$@"; do
  case $argument in
    --out=*) out=${argument#--out=} ;;
    --all) part=() ;;
    *) echo "witnesses.sh: unknown argument $argument" >&2; exit 2 ;;
  esac
done
[[ -n $out ]] || { echo 'witnesses.sh: --out=DIR is missing' >&2; exit 2; }
mkdir -p "$out"

installed=$("$repository/ci/install_witnesses.sh")
echo "$installed"
python=$(sed -n 's/^python: //p' <<< "$installed")

worst=0
for name in arm_reference_model iree; do
  grep -q "^$name: not tried" <<< "$installed" && continue
  status=0
  "$repository/build/release/bin/tosaic" conform "${part[@]}" --no-reduce --cpu-limit=60 --out="$out/$name.json" \
    --toolchain="adapter:$python $repository/adapters/$name.py" || status=$?
  ((status <= worst)) || worst=$status
done
exit "$worst"
