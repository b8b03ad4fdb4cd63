#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Does here what ClusterFuzzLite does with this repository, whose images need not be there: builds the targets with the
# service's variables, then runs them as its check and its modes do, in a root of their own that has the C library and a
# shell, and in which all but /tmp is read-only. As root, for that takes mounts. Some ten minutes on two cores.
#
#   ci/rehearse_clusterfuzzlite.sh [--no-coverage]      --no-coverage: without the second build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage='usage: ci/rehearse_clusterfuzzlite.sh [--no-coverage]'
coverage=true
case ${1:-} in
  --no-coverage) coverage=false ;;
  --help) echo "$usage"; exit 0 ;;
  '') ;;
  *) echo "rehearse_clusterfuzzlite.sh: unknown argument '$1'; $usage" >&2; exit 2 ;;
esac
[[ $(id -u) -eq 0 ]] || { echo "rehearse_clusterfuzzlite.sh: run it as root: it mounts a root of its own" >&2; exit 2; }
ci/install_packages.sh zip unzip binutils

work=$PWD/build/clusterfuzzlite
rm -rf "$work"/{root,tmp,src} "$work"/*.log "$work"/*/out
mkdir -p "$work"
chroot=$(command -v chroot)
targets=(fuzz_verifier fuzz_trait fuzz_numeric fuzz_program)
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# build SANITIZER: with the variables that the service's image sets.
build() {
  local flags='-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error' sanitizer
  case $1 in
    address) sanitizer='-fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link' ;;
    coverage) sanitizer='-fprofile-instr-generate -fcoverage-mapping' ;;
  esac
  mkdir -p "$work/src" "$work/$1/out" "$work/$1/work"
  ln -sfn "$PWD" "$work/src/tosaic"
  env CC=clang-22 CXX=clang++-22 CFLAGS="$flags $sanitizer" CXXFLAGS="$flags $sanitizer -stdlib=libc++" \
    LIB_FUZZING_ENGINE=-fsanitize=fuzzer FUZZING_ENGINE=libfuzzer SANITIZER="$1" ARCHITECTURE=x86_64 \
    SRC="$work/src" WORK="$work/$1/work" OUT="$work/$1/out" .clusterfuzzlite/build.sh > "$work/$1/build.log" 2>&1 \
    || { tail -n 40 "$work/$1/build.log" >&2; fail "the build for $1"; exit 1; }
  echo "built for $1: $SECONDS s"
}

# A root with the C library and a shell (libFuzzer calls one for its other processes), and the targets in another folder
# than that which they were built into.
make_root() {
  local root=$work/root file
  mkdir -p "$root"/{bin,lib64,tmp,proc,dev,"lib/x86_64-linux-gnu"}
  cp /bin/dash "$root/bin/sh"
  for file in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2; do
    cp "/lib/x86_64-linux-gnu/$file" "$root/lib/x86_64-linux-gnu/"
  done
  cp /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
  mv "$work/address/out" "$root/elsewhere"
}

# inside COMMAND...: in that root; /tmp is $work/tmp and stays. The service limits memory and time.
inside() {
  mkdir -p "$work/tmp"
  # shellcheck disable=SC2016
  unshare --mount --propagation private bash -c '
    root=$1 tmp=$2; shift 2
    mount --bind "$root" "$root" && mount -o remount,ro,bind "$root"
    mount --bind "$tmp" "$root/tmp" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
    exec env --ignore-environment PATH=/bin TMPDIR=/tmp ${TOSAIC_KNOWN:+"TOSAIC_KNOWN=$TOSAIC_KNOWN"} \
      ASAN_OPTIONS="$ASAN_OPTIONS" "$@"' bash "$work/root" "$work/tmp" "$chroot" "$work/root" "$@"
}

# run TARGET NAME ARGUMENT...: prints nothing but leaves $work/TARGET.NAME.log
run() {
  local target=$1 log=$work/$1.$2.log
  shift 2
  inside "/elsewhere/$target" -rss_limit_mb=2560 -timeout=25 "$@" > "$log" 2>&1 < /dev/null
}

options_of() {
  sed -n '/^\[asan\]/,$ { s/ //g; /=/p }' "ci/oss-fuzz/target.options" | paste --serial --delimiters=:
}

# As the service's check of a build does.
check_build() {
  local target calls
  for target in "${targets[@]}"; do
    if ! run "$target" check -runs=4 -seed=1337 || ! grep --quiet '^Done 4 runs' "$work/$target.check.log"; then
      tail -n 20 "$work/$target.check.log" >&2
      fail "$target does not make four runs without a seed"
      exit 1
    fi
    calls=$(objdump --disassemble --no-show-raw-insn "$work/root/elsewhere/$target" | grep --count 'call.*__asan' || true)
    [[ $calls -ge 1000 ]] || fail "$target calls AddressSanitizer $calls times; the service asks for 1000"
    echo "$target: four runs, $calls calls of AddressSanitizer, $(unzip -Z1 "$work/root/elsewhere/${target}_seed_corpus.zip" | wc -l) seeds"
  done
}

# Nothing is known, so each known divergence is a planted one. An input played twice has one state, two divergences have
# two.
check_states() {
  local target seed states=$work/states.txt
  echo '{"known": []}' > "$work/tmp/known.json"
  export TOSAIC_KNOWN=/tmp/known.json
  : > "$states"
  for target in fuzz_verifier fuzz_numeric; do
    mkdir -p "$work/tmp/seeds"
    unzip -q -o "$work/root/elsewhere/${target}_seed_corpus.zip" -d "$work/tmp/seeds"
    for seed in 1 2 3; do
      local name=planted.$target.$seed
      run "$target" found -runs=20000 -seed="$seed" -exact_artifact_path=/tmp/planted /tmp/seeds || true
      run "$target" "$name" /tmp/planted || true
      cp "$work/$target.$name.log" "$work/$name.log"
      cmp <(state_in "$work/$target.found.log") <(state_in "$work/$name.log") || fail "$name: played again it has another state"
      state_in "$work/$name.log" >> "$states" || fail "$name: there is no state"
      rm -f "$work/tmp/planted"
    done
    rm -rf "$work/tmp/seeds"
  done
  unset TOSAIC_KNOWN
  local unlike
  unlike=$(sort --unique "$states" | wc -l)
  echo "planted divergences: $(wc -l < "$states") found, $unlike states"
  [[ $unlike -ge 2 ]] || fail "all planted divergences have one state"
  compare_with_clusterfuzz "$states"
}

state_in() {
  grep --text '^F0101 .*Check failed: ' "$1"
}

# ClusterFuzz itself, where PyPI gives it: of the same logs, as many states as we have lines.
compare_with_clusterfuzz() {
  local environment=${XDG_CACHE_HOME:-${HOME:?}/.cache}/tosaic/clusterfuzz
  if ! "$environment/bin/python" -c 'import clusterfuzz' 2> /dev/null; then
    if ! { ci/install_packages.sh python3-venv && python3 -m venv --clear "$environment" \
      && "$environment/bin/python" -m pip install --quiet --disable-pip-version-check clusterfuzz; } > /dev/null 2>&1; then
      echo "not tried: ClusterFuzz's own reading of the states, for PyPI gives no clusterfuzz here"
      return
    fi
  fi
  "$environment/bin/python" - "$1" "$work"/planted.*.log << 'PYTHON' || fail "ClusterFuzz reads other states than we wrote"
import sys
from clusterfuzz import stacktraces
written = {line.split("Check failed: ")[1].strip() for line in open(sys.argv[1])}
read = set()
for log in sys.argv[2:]:
    parser = stacktraces.StackParser(fuzz_target="fuzz", symbolized=True, detect_ooms_and_hangs=True)
    crash = parser.parse(open(log, errors="replace").read())
    read.add((crash.crash_type, crash.crash_state))
print(f"ClusterFuzz reads {len(read)} states, such as {sorted(read)[0]}")
sys.exit(len(read) != len(written))
PYTHON
}

# The service's modes on one target: a batch from the seeds, pruning of what that left, and a run for coverage.
try_modes() {
  local target=fuzz_verifier
  mkdir -p "$work/tmp/corpus" "$work/tmp/pruned" "$work/tmp/artifacts"
  unzip -q -o "$work/root/elsewhere/${target}_seed_corpus.zip" -d "$work/tmp/corpus"
  run "$target" batch -fork=1 -ignore_crashes=1 -max_total_time=20 -artifact_prefix=/tmp/artifacts/ \
    -dict="/elsewhere/$target.dict" /tmp/corpus || { tail -n 20 "$work/$target.batch.log" >&2; fail "batch"; }
  run "$target" prune -merge=1 /tmp/pruned /tmp/corpus || { tail -n 20 "$work/$target.prune.log" >&2; fail "prune"; }
  local before after
  before=$(find "$work/tmp/corpus" -type f | wc -l)
  after=$(find "$work/tmp/pruned" -type f | wc -l)
  echo "batch: a corpus of $before inputs; pruned: $after"
  [[ $after -gt 0 && $after -le $before ]] || fail "pruning left $after of $before inputs"
}

try_coverage() {
  build coverage
  local profile=$work/coverage.profraw out=$work/coverage/out target=fuzz_verifier
  LLVM_PROFILE_FILE=$profile "$out/$target" -runs=0 "corpus/$target" > "$work/coverage.log" 2>&1 \
    || { tail -n 20 "$work/coverage.log" >&2; fail "the run for coverage"; }
  llvm-profdata-22 merge --sparse "$profile" --output="$work/coverage.profdata"
  local lines
  lines=$(llvm-cov-22 report --instr-profile="$work/coverage.profdata" "$out/$target" oracle/legality.cpp 2> /dev/null \
    | awk '$1 == "TOTAL" { print $(NF - 3) }')
  echo "coverage: ${lines:-none} of the lines of oracle/legality.cpp by the seeds of $target"
  [[ -n $lines && $lines != 0.00% ]] || fail "the run for coverage covers nothing"
}

ASAN_OPTIONS=$(options_of)
export ASAN_OPTIONS
build address
make_root
check_build
check_states
try_modes
if $coverage; then try_coverage; fi
echo "rehearsal: $SECONDS s, $failures failed"
[[ $failures -eq 0 ]]
