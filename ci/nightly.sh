#!/usr/bin/env bash
# A night: a campaign over all routes, the libFuzzer targets, the conformance suite and its comparison with the night
# before. Reports and a reproducer folder per new finding are left in DIR/nights/DATE.
#
#   ci/nightly.sh --minutes=M --state=DIR [--seed=N] [--jobs=N] [--known=FILE]
#
# The seed is the date (printed; --seed replays another night). New is what neither corpus/known-divergences.json (or
# FILE) nor an earlier night in DIR has. Exit status: 0 nothing new, 1 something new, 2 wrong usage, 3 the harness failed.
# An interrupted night is finished by the next call with what it had.
set -euo pipefail

usage() {
  echo "nightly.sh: $1; usage: ci/nightly.sh --minutes=M --state=DIR [--seed=N] [--jobs=N] [--known=FILE]" >&2
  exit 2
}

minutes='' state='' seed='' known='' jobs=$(nproc)
for argument in "$@"; do
  case $argument in
    --minutes=*) minutes=${argument#*=} ;;
    --state=*) state=${argument#*=} ;;
    --seed=*) seed=${argument#*=} ;;
    --jobs=*) jobs=${argument#*=} ;;
    --known=*) known=$(realpath "${argument#*=}") ;;
    *) usage "unknown argument '$argument'" ;;
  esac
done
[[ $minutes =~ ^[1-9][0-9]*$ ]] || usage "--minutes must be a number of at least 1"
[[ -n $state ]] || usage "--state is missing"
[[ -z $seed || $seed =~ ^[0-9]+$ ]] || usage "--seed must be a number"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || usage "--jobs must be a number of at least 1"
mkdir -p "$state" 2> /dev/null || usage "--state=$state cannot be made"
state=$(cd "$state" && pwd)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
known=${known:-$PWD/corpus/known-divergences.json}
[[ -r $known ]] || usage "--known=$known cannot be read"
exec 9> "$state/lock"
flock --nonblock 9 || usage "--state=$state: another night is at work there"

ci/install_packages.sh
ci/build.sh release tosaic
ci/build.sh fuzz fuzz_verifier fuzz_trait fuzz_numeric
tosaic=build/release/bin/tosaic
worst=0

# Remembers the worst exit status of what is run, and goes on.
watch() {
  local status=0
  "$@" || status=$?
  [[ $status -le $worst ]] || worst=$status
}

# Replaces a file in one step.
replace() { cat > "$1.new" && mv "$1.new" "$1"; }

# The list of known divergences of the night: the repository's and what earlier nights reported.
[[ -e $state/reported.json ]] || echo '{"known": []}' | replace "$state/reported.json"
jq --slurp '{known: map(.known) | add}' "$known" "$state/reported.json" | replace "$state/known.json"

# finish NIGHT: reports, what is new, and the state for the next night.
finish() {
  local night=$1 date
  date=$(basename "$night")
  rm -rf "$night/new" && mkdir -p "$night/new"
  local finding_json
  for finding_json in "$night"/campaign/findings/*/finding.json; do
    [[ -e $finding_json ]] || continue
    [[ $(jq --raw-output .status "$finding_json") == new ]] || continue
    cp -r "$(dirname "$finding_json")" "$night/new/"
  done
  for name in campaign conform; do
    local result=$night/$name.json
    [[ $name == campaign ]] && result=$night/campaign
    [[ -e $result ]] || continue
    for format in html:html junit:xml sarif:sarif markdown:md; do
      "$tosaic" report "$result" --format="${format%:*}" --out="$night/$name.${format#*:}" || worst=3
    done
  done
  {
    echo "# Tosaic, night of $date"
    echo
    echo "Seed $(cat "$night/seed"); replay with \`ci/nightly.sh --seed=$(cat "$night/seed")\`."
    for part in campaign.md conform.md comparison.md; do
      if [[ -e $night/$part ]]; then echo && cat "$night/$part"; fi
    done
  } | replace "$night/summary.md"

  # What was reported tonight is known tomorrow.
  {
    [[ -e $night/campaign/summary.json ]] && jq '.findings[] | select(.status == "new") | .signature' "$night/campaign/summary.json"
    [[ -e $night/conform.json ]] && jq '.findings[] | select(.status == "new") | .signature' "$night/conform.json"
    [[ -e $night/fuzz-signatures ]] && jq --raw-input . "$night/fuzz-signatures"
    true
  } | jq --slurp --arg date "$date" 'unique | map({signature: ., reason: ("reported in the night of " + $date), since: $date})' \
    > "$night/reported.json"
  jq --slurp '{known: (.[0].known + .[1]) | unique_by(.signature)}' "$state/reported.json" "$night/reported.json" \
    | replace "$state/reported.json"
  [[ -e $night/conform.json ]] && cp "$night/conform.json" "$state/conform.json"
  touch "$night/done"
}

campaign() {  # campaign NIGHT SECONDS
  "$tosaic" fuzz --seed="$(cat "$1/seed")" --duration="$2s" --jobs="$jobs" --known="$state/known.json" \
    --out="$1/campaign"
}

# Nights that were cut short: what they found is confirmed, reduced and reported. A campaign of another revision of
# Tosaic cannot be gone on with: it stays as it is.
mkdir -p "$state/nights"
today=$(date +%Y-%m-%d)
for night in "$state"/nights/*/; do
  night=${night%/}
  [[ -e $night/seed && ! -e $night/done && $night != */$today* ]] || continue
  echo "nightly: finishing the interrupted night $(basename "$night")"
  if [[ -e $night/campaign/journal.jsonl ]]; then
    status=0
    campaign "$night" 1 || status=$?
    [[ $status -eq 2 || $status -le $worst ]] || worst=$status
  fi
  finish "$night"
done

# Tonight: the night of today that was cut short, or another one. Its seed is the date and, from the second on, a number.
ordinal=1
while true; do
  name=$today${seed:+-seed-$seed}
  default=${seed:-${today//-/}}
  if [[ $ordinal -gt 1 ]]; then
    name+=-$ordinal
    [[ -n $seed ]] || default+=$ordinal
  fi
  night=$state/nights/$name
  [[ -e $night/done ]] || break
  ordinal=$((ordinal + 1))
done
mkdir -p "$night/crashes"
[[ -e $night/seed ]] || echo "$default" > "$night/seed"
echo "nightly: seed $(cat "$night/seed"), $minutes minutes, results in $night"

# Two thirds of the time are the campaign's, a third the libFuzzer targets'; the suite comes on top, as long as it takes.
watch campaign "$night" $((minutes * 40))
: > "$night/fuzz-signatures"
for target in fuzz_verifier:1 fuzz_trait:1 fuzz_numeric:3; do
  share=${target#*:} target=${target%:*}
  mkdir -p "$state/corpus/$target"
  log=$night/$target.log
  TOSAIC_KNOWN=$state/known.json "build/fuzz/bin/$target" -fork="$jobs" -ignore_crashes=1 -ignore_timeouts=1 \
    -ignore_ooms=1 -max_total_time=$((minutes * 20 * share / 5)) -seed="$(cat "$night/seed")" \
    -artifact_prefix="$night/crashes/$target-" "$state/corpus/$target" "corpus/$target" > "$log" 2>&1 < /dev/null || true
  grep -q '^#[0-9]' "$log" || { echo "nightly: $target did not run, see $log" >&2; worst=3; }
  sed -n 's/^tosaic: a new divergence: //p' "$log" | sort -u >> "$night/fuzz-signatures"
done
crashes=$(find "$night/crashes" -type f | wc -l)
if [[ $crashes -gt 0 ]]; then
  echo "nightly: the libFuzzer targets left $crashes inputs in $night/crashes"
  sed 's/^/  /' "$night/fuzz-signatures"
  [[ $worst -ge 1 ]] || worst=1
fi
watch "$tosaic" conform --jobs="$jobs" --known="$state/known.json" --out="$night/conform.json"
if [[ -e $state/conform.json ]]; then
  status=0
  "$tosaic" compare "$state/conform.json" "$night/conform.json" --format=markdown --out="$night/comparison.md" || status=$?
  # Another suite than last night's is no failure of tonight's.
  [[ $status -ne 1 || $worst -ge 1 ]] || worst=1
fi
finish "$night"
echo "nightly: $(find "$night/new" -mindepth 1 -maxdepth 1 | wc -l) new findings of the campaign; reports: $night/campaign.html, $night/conform.html, $night/summary.md"
exit "$worst"
