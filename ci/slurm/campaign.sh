#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A campaign over the nodes of a Slurm cluster: an array of shards, then a job that merges them.
#
#   ci/slurm/campaign.sh --seed=S --shards=N --cases=M --out=DIR [--at-once=K] [--time=MINUTES] [--jobs=J] [FLAG...]
#
# DIR lies on a file system that all nodes share; each shard writes DIR/shards/I alone, and the merge DIR/merged. The
# further flags go to `tosaic fuzz`, and those that `tosaic merge` has too, as for what is tested, go to both. One case is
# run and merged here first, so that flags which cannot work are refused (exit status 2). Prints the numbers of both jobs.
#
# A shard that the time limit cuts is told 45 seconds before (SIGTERM) and ends as Ctrl-C ends it; one whose node died, or
# that is requeued, goes on from its journal. The same command goes on with what is not finished. The merge runs after any
# end of the shards, and says itself which are not finished (exit status 3).
set -euo pipefail

usage() { sed -n '3,5s/^# *//p' "${BASH_SOURCE[0]}"; }
refuse() { echo "$1" >&2; exit 2; }
wrong_usage() { usage >&2; exit 2; }
seed='' shards='' cases='' out='' at_once=0 minutes=60 jobs=1
fuzz=() merge=() edits_route=false
for argument in "$@"; do
  case $argument in
    --seed=*) seed=${argument#*=} ;;
    --shards=*) shards=${argument#*=} ;;
    --cases=*) cases=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    --at-once=*) at_once=${argument#*=} ;;
    --time=*) minutes=${argument#*=} ;;
    --jobs=*) jobs=${argument#*=} ;;
    --help) usage; exit ;;
    --shard=*) refuse "$argument: the array numbers its shards itself" ;;
    --corpus=*) refuse "$argument: shards that write to one corpus begin with different ones; --guided has one per shard" ;;
    --insert-before=* | --insert-after=* | --replace=*) fuzz+=("$argument") edits_route=true ;;
    --*) fuzz+=("$argument") ;;
    *) wrong_usage ;;
  esac
done
[[ ! " $seed $shards $cases $at_once $minutes $jobs" =~ \ 0[0-9] ]] || refuse "tosaic reads no number with a zero in front"
number='^(0|[1-9][0-9]*)$' positive='^[1-9][0-9]*$'
[[ $seed =~ $number && $shards =~ $positive && $cases =~ $positive && -n $out ]] || wrong_usage
[[ $at_once =~ $number && $minutes =~ $positive && $jobs =~ $positive ]] || wrong_usage
[[ ${#cases} -le 13 && $cases -le $((1 << 40)) ]] || refuse "--cases=$cases: the most is $((1 << 40))"
tosaic=$(realpath "${TOSAIC:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/bin/tosaic}")
[[ -x $tosaic ]] || refuse "$tosaic is no program; TOSAIC names one"

# The routes of a campaign are merged as they are: merge has --route for a route that is edited alone.
of_merge=$("$tosaic" help merge)
for flag in "${fuzz[@]}"; do
  if [[ $flag == --route=* ]] && ! $edits_route; then continue; fi
  if [[ $of_merge == *$'\n'"  ${flag%%=*}"[=$' \n']* ]]; then merge+=("$flag"); fi
done

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
try() {
  local status=0
  "$tosaic" "$@" --quiet > "$trial/output" 2>&1 || status=$?
  if [[ $status -gt 1 ]]; then
    cat "$trial/output" >&2
    refuse "campaign.sh: with these flags 'tosaic $1' ends with $status, so nothing was submitted"
  fi
}
try fuzz "--seed=$seed" --cases=1 "--jobs=$jobs" "--shard=1/$shards" "--out=$trial/1" "${fuzz[@]}"
try merge --partial "--out=$trial/merged" "${merge[@]}" "$trial/1"

asked="--seed=$seed --shards=$shards --cases=$cases${fuzz[*]:+ ${fuzz[*]}}"
before=$(cat "$out/asked" 2>/dev/null || echo "$asked")
[[ $before == "$asked" ]] || refuse "$out is a campaign of $before: give another --out"
mkdir -p "$out/shards" "$out/logs"
out=$(realpath "$out")
echo "$asked" > "$out/asked"

words() { printf ' %q' "$@"; }
throttle=''
[[ $at_once -eq 0 ]] || throttle="%$at_once"
# What tosaic is told it is told alone: the script becomes it. Slurm numbers the shards from 0.
array=$(sbatch --parsable --job-name=tosaic --array="0-$((shards - 1))$throttle" --cpus-per-task="$jobs" --time="$minutes" \
  --requeue --open-mode=append --signal=B:TERM@45 --output="$out/logs/%a.log" << EOS
#!/bin/bash
shard=\$((SLURM_ARRAY_TASK_ID + 1))
exec$(words "$tosaic" fuzz "--seed=$seed" "--cases=$cases" "--jobs=$jobs" --quiet "${fuzz[@]}") \
  "--shard=\$shard/$shards" --out=$(printf %q "$out")/shards/\$shard
EOS
)
# A shard that has left nothing at all is no directory; the merge finds by itself which are missing.
merged=$(sbatch --parsable --job-name=tosaic-merge --dependency="afterany:$array" --open-mode=append \
  --output="$out/logs/merge.log" << EOS
#!/bin/bash
exec$(words "$tosaic" merge "--out=$out/merged" --quiet "${merge[@]}") $(printf %q "$out")/shards/*
EOS
)
echo "$array $merged"
