#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Does the lines of Containerfile here, where no container engine need be: in a root that debootstrap makes, with the
# sources of this machine's apt, as root. Then runs the entry point there, and looks for its results in a folder outside.
#
#   ci/rehearse_container.sh [FOLDER]      FOLDER: where the root is made (2 GB; default: build/container)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(realpath -m "${1:-build/container}")
root=$work/root
[[ $(id -u) -eq 0 ]] || { echo "rehearse_container.sh: run it as root: it mounts" >&2; exit 2; }
[[ ! -e $work ]] || { echo "rehearse_container.sh: $work is there already: remove it" >&2; exit 2; }
ci/install_packages.sh debootstrap
mkdir -p "$work/results"

fail() { echo "FAILED: $*" >&2; exit 1; }
said() { echo "$1: $((SECONDS - started)) s"; }
# What runs in the root, in the folder of the last WORKDIR; its mounts end with it.
# shellcheck disable=SC2016
inside() {
  unshare --mount --pid --fork bash -c '
    root=$1 folder=$2
    mkdir -p "$root/$folder" "$root/results"
    mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" && mount --bind "$root/../results" "$root/results"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$folder" "${@:3}"' inside "$root" "$folder" "$@"
}
words() { tr -d '[],' <<< "$1" | xargs printf '%s\n'; }

folder=/ entry=() default=()
while read -r instruction rest; do
  started=$SECONDS
  case $instruction in
    '' | '#'*) ;;
    FROM)
      [[ $rest == debian:12 ]] || fail "FROM $rest: only debian:12 is known here"
      debootstrap --variant=minbase bookworm "$root" > "$work/debootstrap.log" 2>&1 || fail "see $work/debootstrap.log"
      rm -f "$root/etc/apt/sources.list"
      cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$root/etc/apt/" 2> /dev/null || true
      cp /etc/resolv.conf /etc/hosts "$root/etc/" ;;
    COPY)
      [[ $rest == '. /src' ]] || fail "COPY $rest: only '. /src' is known here"
      mkdir -p "$root/src"
      tar --create --exclude-from=.dockerignore . | tar --extract --directory="$root/src" ;;
    WORKDIR) folder=$rest ;;
    RUN) inside sh -c "$rest" > "$work/run.log" 2>&1 || { tail -n 40 "$work/run.log" >&2; fail "RUN $rest"; } ;;
    ENTRYPOINT) mapfile -t entry < <(words "$rest") ;;
    CMD) mapfile -t default < <(words "$rest") ;;
    *) fail "$instruction is not known here" ;;
  esac
  [[ $instruction != [FCR]* ]] || said "$instruction"
done < Containerfile

[[ $(inside "${entry[@]}" "${default[@]}") == *'usage: tosaic'* ]] || fail "the entry point does not say how it is used"
started=$SECONDS
inside "${entry[@]}" fuzz --cases=200 --seed=1 --quiet > "$work/fuzz.log" || [[ $? -le 1 ]] || fail "see $work/fuzz.log"
said "200 cases"
[[ -s $work/results/tosaic-out/summary.json ]] || fail "there is no summary in the folder outside"
