#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fuzz_targets.sh [PRESET TARGET:RUNS...]
# Builds the libFuzzer targets and runs each on its seeds, then for a fixed number of runs from a fixed seed. It keeps all
# of its seeds, as one that is not instrumented would find nothing new in most of them.
# A crash file, if there is one, is left in build/PRESET/crashes. A divergence that nobody knew, found on the way, is
# MLIR's and no failure of the target: it is told. Of the seeds all are known.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ $# -gt 0 ]] || set -- release fuzz_verifier:8000 fuzz_trait:8000 fuzz_numeric:500 fuzz_program:500 fuzz_documents:50000
preset=$1
shift
folder=build/$preset
ci/build.sh "$preset" "${@%:*}"
mkdir -p "$folder/crashes"
# Of what the target parser allocates, MLIR keeps some for the process's lifetime.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

run() {
  local target=$1 name=$2
  shift 2
  local log=$folder/$target.$name.log
  local started=$SECONDS
  if ! "$folder/bin/$target" -artifact_prefix="$folder/crashes/" -timeout=60 "$@" > "$log" 2>&1 < /dev/null; then
    if [[ $name != seeds ]] && grep '^tosaic: a new divergence: ' "$log"; then
      echo "$target on $name: stopped there after $((SECONDS - started)) s; the case is in $log"
      return 0
    fi
    tail -n 60 "$log" >&2
    echo "$target on $name: FAILED, see $log" >&2
    return 1
  fi
  echo "$target on $name: passed, $((SECONDS - started)) s ($(grep -E '^(Done|Executed|#[0-9]+[[:space:]]+DONE)' "$log" | tail -n 1))"
}

# Puts into the folder's seeds what commands leave: results, and the lines of a journal and of a list of groups as files. With cases alone
# the target reaches half of the code.
make_results() {
  local made=$1 tosaic=build/release/bin/tosaic status=0
  rm -rf "$made" && mkdir -p "$made/seeds"
  ci/build.sh tosaic tosaic > /dev/null
  "$tosaic" fuzz --seed=1 --cases=20 --ops=mul --types=f32 --illegal-percent=50 --no-reduce --quiet --out="$made/work" > /dev/null ||
    status=$?
  [[ $status -le 1 ]]
  "$tosaic" sweep --ops=abs --max-rank=0 --quiet --out="$made/seeds/sweep.json" > /dev/null
  cp "$made"/work/{summary,tally}.json "$made/seeds"
  split --lines=1 "$made/work/journal.jsonl" "$made/seeds/journal-"
  split --lines=1 "$made/work/groups.jsonl" "$made/seeds/group-"
}

# A list that is not there is wrong usage, said before there is an input that libFuzzer could blame.
refuse_list() {
  local target=$1 log=$folder/$1.list.log flag
  for flag in -fork=0 -fork=1; do
    local status=0
    TOSAIC_KNOWN=/nowhere/known.json "$folder/bin/$target" -runs=1 "$flag" -artifact_prefix="$folder/crashes/" > "$log" 2>&1 < /dev/null ||
      status=$?
    if [[ $status -ne 2 || $(wc -l < "$log") -ne 1 ]]; then
      cat "$log" >&2
      echo "$target $flag: status $status, not 2 with a line, for a list that is not there" >&2
      return 1
    fi
  done
}

test_target() {
  local target=$1 runs=$2 found
  shift 2
  if [[ $target != fuzz_documents ]]; then refuse_list "$target"; fi
  run "$target" seeds -runs=0 "$@"
  found=$(mktemp -d)
  run "$target" "$runs-runs" -runs="$runs" -seed=1 -keep_seed=1 "$found" "$@"
  rm -rf "$found"
}

# At once, as a target uses one core.
pids=()
for target; do
  runs=${target#*:}
  target=${target%:*}
  seeds=("corpus/$target")
  [[ $target != fuzz_program ]] || seeds=(corpus/rules corpus/regressions corpus/spec)
  if [[ $target == fuzz_documents ]]; then
    make_results "$folder/result_files"
    seeds=(corpus/rules corpus/regressions corpus/spec "$folder/result_files/seeds")
  fi
  test_target "$target" "$runs" "${seeds[@]}" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
