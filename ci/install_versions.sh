#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches dated builds of MLIR for `tosaic history`: the releases of iree-base-compiler on PyPI, of each the program iree-opt
# and its library, a third of a gigabyte when unpacked. They go below the cache directory, and nothing into the system. A
# release that is there already stays; one that does not come whole is named, left out, and ends the script with status 1.
#
#   ci/install_versions.sh [--since=YYYY-MM-DD] [--limit=GB]
#
#   --since    only releases whose MLIR is of that day or newer
#   --limit    how many gigabytes all releases may take together, the newest first (default: 6)
set -euo pipefail

# shellcheck source=ci/virtual_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/virtual_environment.sh"

since='' limit=6
for argument; do
  case $argument in
    --since=[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) since=${argument#*=} ;;
    --limit=[0-9]*) limit=${argument#*=} ;;
    *) fail "'$argument' is neither --since=YYYY-MM-DD nor --limit=GB" ;;
  esac
done

make_environment versions/python
package=iree-base-compiler
folder=$(dirname "$environment")
releases=$("$environment/bin/python" -m pip index versions --disable-pip-version-check "$package" 2> /dev/null |
  sed -n 's/^Available versions: //p' | tr -d ,)
[[ -n $releases ]] || fail "PyPI gives no $package for this machine's Python"
work=$(mktemp -d "$folder/.work-XXXXXX")
trap 'rm -rf "$work"' EXIT

# The day of a wheel's MLIR: that of the release candidate it was made of, or of the newest file in it.
unpack='
import re, sys, zipfile
wheel, target = zipfile.ZipFile(sys.argv[1]), sys.argv[2]
for name in ("iree-opt", "libIREECompiler.so"):
    with wheel.open("iree/compiler/_mlir_libs/" + name) as packed, open(target + "/" + name, "wb") as file:
        while block := packed.read(1 << 22):
            file.write(block)
stated = re.search(rb"rc(\d{4})(\d\d)(\d\d)\"", wheel.read("iree/compiler/version.py"))
day = stated.groups() if stated else max(entry.date_time[:3] for entry in wheel.infolist())
print("{:04}-{:02}-{:02}".format(*map(int, day)))
'

take() {
  local release=$1 target=$folder/iree-$1 made=$work/iree-$1
  "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest="$work" "$package==$release" > "$work/log" 2>&1 || return
  mkdir "$made"
  date=$("$environment/bin/python" -c "$unpack" "$work"/*.whl "$made" 2> "$work/log") || return
  rm -f "$work"/*.whl
  chmod +x "$made/iree-opt"
  "$made/iree-opt" --version 2>&1 | tee "$work/log" | grep -q 'LLVM version' || return
  printf '{"source": "%s %s", "date": "%s"}\n' "$package" "$release" "$date" > "$made/build.json"
  mv "$made" "$target"
}

failed=0
for release in $releases; do
  used=$(du --summarize --block-size=1M "$folder" | cut -f 1)
  is_new=''
  if [[ ! -d $folder/iree-$release ]]; then
    is_new=1
    if ((used + 400 > limit * 1024)); then
      echo "iree-$release and older: left out, $used MB are taken and --limit is $limit GB"
      break
    fi
    if ! take "$release"; then
      echo "iree-$release: does not come whole: $(tail -n 1 "$work/log")" >&2
      failed=1
      find "$work" -mindepth 1 -delete
      continue
    fi
  fi
  date=$(sed -n 's/.*"date": "\([^"]*\)".*/\1/p' "$folder/iree-$release/build.json")
  if [[ $date < $since ]]; then
    [[ -z $is_new ]] || rm -rf "$folder/iree-$release"
    break
  fi
  echo "iree-$release: MLIR of $date"
done
exit "$failed"
