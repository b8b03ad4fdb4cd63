#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rehearses ci/slurm/campaign.sh on a real Slurm: four nodes on this machine's loopback, without systemd and munge. Of eight
# shards one is killed with its node's daemon, one is requeued, and one is cut by its time limit; all are finished by the
# same command, merged, and compared with the campaign on one machine. Everything it starts and writes is gone afterwards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cases=${CASES:-240}
tosaic=$(realpath "${TOSAIC:-build/release/bin/tosaic}")
ci/install_packages.sh slurm-wlm procps jq
work=$(mktemp -d)
started=()
# What was started here, by its number, and nothing else.
clean_up() {
  [[ -z ${SLURM_CONF:-} ]] || scancel --user="$(id -un)" 2> /dev/null || true
  for pid in "${started[@]}"; do kill -KILL "$pid" 2> /dev/null || true; done
  wait 2> /dev/null || true
  # Steps are children of slurmstepd, which forks away from its node's daemon.
  for pid in $(pgrep -f "slurmstepd|$work" || true); do
    if grep -qsz "$work" "/proc/$pid/environ" "/proc/$pid/cmdline"; then kill -KILL "$pid" 2> /dev/null || true; fi
  done
  rm -rf "$work"
}
trap clean_up EXIT

host=$(hostname -s)
mkdir -p "$work"/{state,spool,log}
cat > "$work/slurm.conf" << CONF
ClusterName=rehearsal
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
SlurmdTimeout=10
SlurmctldPort=16817
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdSpoolDir=$work/spool/%n
SlurmdPidFile=$work/slurmd-%n.pid
SlurmdLogFile=$work/log/slurmd-%n.log
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17001-17004] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
CONF
export SLURM_CONF=$work/slurm.conf

start_node() {
  mkdir -p "$work/spool/$1"
  slurmd -D -N "$1" -f "$SLURM_CONF" > /dev/null 2>&1 &
  started+=($!)
}
slurmctld -D -f "$SLURM_CONF" > /dev/null 2>&1 &
started+=($!)
for node in n1 n2 n3 n4; do start_node "$node"; done
# until COMMAND: waits for it, two minutes at most.
until_true() {
  local i
  for ((i = 0; i < 600; ++i)); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "rehearse_slurm.sh: waited in vain for: $*" >&2
  tail -n 5 "$work"/log/*.log >&2
  exit 1
}
nodes_are_up() { [[ $(sinfo --noheader --Node --states=idle --format=%N | sort -u | wc -l) -eq 4 ]]; }
until_true nodes_are_up
echo "four nodes are up after $SECONDS s"

# A node that hangs: in its first life the third shard stands still after a few cases, until it is told to end.
cat > "$work/tosaic" << WRAPPER
#!/bin/bash
shard=$work/campaign/shards/3
if [[ "\$*" != *--shard=3/8* || -e $work/hung ]]; then exec $(printf %q "$tosaic") "\$@"; fi
touch $work/hung
$(printf %q "$tosaic") "\$@" &
trap 'kill -TERM \$!; kill -CONT \$!' TERM
until [[ \$(wc -l < \$shard/journal.jsonl) -gt 3 ]] 2> /dev/null; do sleep 0.05; done
kill -STOP \$!
wait \$!
wait \$!
WRAPPER
chmod +x "$work/tosaic"

# The edit of the route has what a shell would take apart.
flags=(--seed=1 "--ops=mul,cast,abs,add" --illegal-percent=30
  "--insert-after=tosa-to-linalg:canonicalize{max-iterations=3 region-simplify=disabled}")
campaign() {
  TOSAIC=$work/tosaic ci/slurm/campaign.sh "${flags[@]}" --shards=8 "--cases=$cases" --time=1 "--out=$work/campaign"
}
is_at_work() { [[ $(wc -l < "$work/campaign/shards/$1/journal.jsonl") -gt 3 ]]; }
# Slurm gives a job that is requeued two minutes before its next life.
is_over() {
  scontrol update "JobId=${array}_1" StartTime=now || true
  ! squeue --noheader --jobs="$1" 2> /dev/null | grep -q .
}

read -r array merge < <(campaign)
until_true is_at_work 1
scancel --batch --signal=KILL "${array}_0"  # the node's job dies
until_true is_at_work 2
scontrol requeue "${array}_1"               # told to end, and begins again
until_true is_over "$array"                 # the third is cut by its time limit
until_true is_over "$merge"
grep -h incomplete "$work/campaign/logs/merge.log" || true
echo "shards and merge have ended after $SECONDS s"

# The same command finishes what is not finished.
read -r array merge < <(campaign)
until_true is_over "$array"
until_true is_over "$merge"
echo "the same command has ended after $SECONDS s"

status=0
"$tosaic" fuzz "${flags[@]}" "--cases=$cases" --quiet "--out=$work/whole" > /dev/null || status=$?
[[ $status -le 1 ]]
for folder in whole campaign/merged; do
  jq -S 'del(.elapsed_seconds, .cases_per_second, .provenance.command_line)' "$work/$folder/summary.json" > "$work/summary"
  mv "$work/summary" "$work/$folder/summary.json"
done
diff -r "$work/whole" "$work/campaign/merged"
echo "merged is as on one machine: $(wc -l < "$work/campaign/merged/journal.jsonl") lines of journal, $SECONDS s in all"
