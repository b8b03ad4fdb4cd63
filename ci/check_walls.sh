#!/usr/bin/env bash
# The walls between folders (DESIGN.md, "The house"): does each folder include only those it may? And MLIR and LLVM are
# for toolchain/ alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folders='model|generators|oracle|toolchain|reducer|campaign|reports|fuzzers|tools|tests|bench'
declare -A may_include=(
  [model]='model'
  [generators]='generators|model'
  [oracle]='oracle|model'
  [toolchain]='toolchain|model'
  [reducer]='reducer|model'
  [reports]='reports|model'
  [campaign]='campaign|reports|reducer|toolchain|oracle|generators|model'
  [fuzzers]='fuzzers|campaign|reports|reducer|toolchain|oracle|generators|model'
  [tools]='tools|campaign|reports|reducer|toolchain|oracle|generators|model'
)

broken=0
for folder in "${!may_include[@]}"; do
  found=$(grep -rnE "^#include \"($folders)/" --include='*.h' --include='*.cpp' "$folder" |
    grep -v '_test\.cpp:' | grep -vE "#include \"(${may_include[$folder]})/" || true)
  if [[ $folder != toolchain ]]; then
    found+=$(grep -rnE '^#include ["<](mlir|llvm)(-c)?/' --include='*.h' --include='*.cpp' "$folder" || true)
  fi
  if [[ -n $found ]]; then
    echo "$folder/ may include ${may_include[$folder]//|/, } only:" >&2
    echo "$found" >&2
    broken=1
  fi
done
exit $broken
