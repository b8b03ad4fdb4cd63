#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches dated builds of MLIR for `tosaic history` from PyPI: of each release of the packages below the one program that
# reads MLIR, and the library that it needs, a third of a gigabyte at most when unpacked. They go below the cache directory,
# and nothing into the system. A release that is there already stays; one that does not come whole is named, left out, and
# ends the script with status 1.
#
#   ci/install_versions.sh [--since=YYYY-MM-DD] [--limit=GB]
#
#   --since    only releases whose MLIR is of that day or newer
#   --limit    how many gigabytes all releases may take together, the newest first (default: 10)
set -euo pipefail

# shellcheck source=ci/virtual_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/virtual_environment.sh"

# A row per source, the smallest and the newest first: the package, what its folders are called before the release, and the
# program. tosa-opt has no pass that lowers, so it tells what a verifier decides; iree-compiler is how iree-base-compiler
# was called until November 2024.
sources='
tosa-tools          tosa-tools  tosa-opt
iree-base-compiler  iree        iree-opt
iree-compiler       iree        iree-opt
'

since='' limit=10
for argument; do
  case $argument in
    --since=[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) since=${argument#*=} ;;
    --limit=*[!0-9]* | --limit=) fail "'$argument': --limit takes a whole number of gigabytes" ;;
    --limit=*) limit=${argument#*=} ;;
    *) fail "'$argument' is neither --since=YYYY-MM-DD nor --limit=GB" ;;
  esac
done

make_environment versions/python
folder=$(dirname "$environment")
work=$(mktemp -d "$folder/.work-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Takes the program and its libraries out of a wheel, and prints the day of its MLIR: that of the release candidate it was
# made of, or of the newest file in it. The wheels of iree-compiler before August 2024 have the library alone, in which all
# of iree-opt is, as a function.
unpack='
import os, re, sys, zipfile
wheel, target, program = zipfile.ZipFile(sys.argv[1]), sys.argv[2], sys.argv[3]
wanted = re.compile(r"(?:^|/)(%s|libIREECompiler\.so|libzstd-[^/]*)$" % re.escape(program))
for entry in wheel.infolist():
    found = wanted.search(entry.filename)
    if not found or "/scripts/" in entry.filename:
        continue
    with wheel.open(entry) as packed, open(os.path.join(target, found[1]), "wb") as file:
        while block := packed.read(1 << 22):
            file.write(block)
if not os.path.exists(os.path.join(target, program)):
    with open(os.path.join(target, program), "w") as file:
        file.write("""#!/usr/bin/env python3
import ctypes, glob, os, sys
here = os.path.dirname(os.path.abspath(__file__))
for needed in glob.glob(here + "/libzstd-*"):
    ctypes.CDLL(needed, ctypes.RTLD_GLOBAL)
arguments = [os.fsencode(argument) for argument in sys.argv]
run = ctypes.CDLL(here + "/libIREECompiler.so").ireeOptRunMain
sys.exit(run(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments)))
""")
os.chmod(os.path.join(target, program), 0o755)
version = [name for name in wheel.namelist() if name == "iree/compiler/version.py"]
stated = re.search(rb"rc(\d{4})(\d\d)(\d\d)\"", wheel.read(version[0])) if version else None
day = stated.groups() if stated else max(entry.date_time[:3] for entry in wheel.infolist())
print("{:04}-{:02}-{:02}".format(*map(int, day)))
'

# take PACKAGE RELEASE PROGRAM NAME
take() {
  local built=$work/$4
  "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest="$work" "$1==$2" > "$work/log" 2>&1 || return
  mkdir "$built"
  date=$("$environment/bin/python" -c "$unpack" "$work"/*.whl "$built" "$3" 2> "$work/log") || return
  rm -f "$work"/*.whl
  "$built/$3" --version 2>&1 | tee "$work/log" | grep -q 'LLVM version' || return
  # The other packages follow MLIR by days, and tosa-tools by weeks.
  latest=''
  [[ $3 != tosa-opt ]] || latest=', "is_latest_day": true'
  printf '{"source": "%s %s", "date": "%s", "program": "%s"%s}\n' "$1" "$2" "$date" "$3" "$latest" > "$built/build.json"
  mv "$built" "$folder/$4"
}

failed=0
# fetch PACKAGE PREFIX PROGRAM: its releases, the newest first.
fetch() {
  local releases release name used is_new date
  releases=$("$environment/bin/python" -m pip index versions --disable-pip-version-check "$1" 2> /dev/null |
    sed -n 's/^Available versions: //p' | tr -d ,)
  [[ -n $releases ]] || fail "PyPI gives no $1 for this machine's Python"
  for release in $releases; do
    name=$2-$release
    used=$(du --summarize --block-size=1M "$folder" | cut -f 1)
    is_new=''
    if [[ ! -d $folder/$name ]]; then
      is_new=1
      if ((used + 400 > limit * 1024)); then
        echo "$name and older: left out, $used MB are taken and --limit is $limit GB"
        break
      fi
      if ! take "$1" "$release" "$3" "$name"; then
        echo "$name: does not come whole: $(tail -n 1 "$work/log")" >&2
        failed=1
        find "$work" -mindepth 1 -delete
        continue
      fi
    fi
    date=$(sed -n 's/.*"date": "\([^"]*\)".*/\1/p' "$folder/$name/build.json")
    if [[ $date < $since ]]; then
      [[ -z $is_new ]] || rm -rf "${folder:?}/$name"
      break
    fi
    echo "$name: MLIR of $date"
  done
}

while read -r package prefix program; do
  [[ -z $package ]] || fetch "$package" "$prefix" "$program"
done <<< "$sources"
exit "$failed"
