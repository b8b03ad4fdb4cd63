#!/usr/bin/env bash
# __TITLE__
# Written by Tosaic. Exit status: 1 while it diverges, 0 once it conforms, 2 if that cannot be told: a tool is missing,
# or this MLIR does not know the file's ops or the passes. With --bisect that is 125, which `git bisect run` skips:
#   git bisect run bash -c 'ninja -C build mlir-opt mlir-translate mlir-runner mlir_c_runner_utils || exit 125
#                           MLIR_BIN=build/bin THIS_SCRIPT --bisect'
# Expected: __EXPECTED__
# Actual:   __ACTUAL__
set -uo pipefail
# What the environment names from here is found from there as well.
for name in MLIR_BIN MLIR_LIB MLIR_OPT MLIR_RUNNER MLIR_TRANSLATE CLANG PASS_PLUGIN; do
  [[ ${!name:-} != */* ]] || export "$name=$(realpath -ms -- "${!name}")"
done
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 125

unknown=2 mlir_opt=mlir-opt plugin=() pipeline='builtin.module()'  # the last three are found below
[[ ${1:-} != --bisect ]] || unknown=125
cannot_tell() { echo "cannot tell: $1"; exit "$unknown"; }
diverges() { echo "diverges: $1"; exit 1; }
conforms() { echo "conforms"; exit 0; }

# $1 is what the environment says, $2 the name: of MLIR_BIN, with the version behind it, or as it is.
tool() {
  local found=$1 variable=${2^^}
  [[ -n $found || -z ${MLIR_BIN:-} ]] || found=$MLIR_BIN/$2
  [[ -n $found ]] || found=$(command -v "$2-__TOOLS__" || command -v "$2" || echo "$2")
  command -v "$found" > /dev/null || { echo "no $2 (set MLIR_BIN or ${variable//-/_})" >&2; return 1; }
  echo "$found"
}
# The first error on standard input.
first_error() { grep -m1 -o 'error: .*' || echo 'it says nothing'; }
# Ends the script if this mlir-opt lacks one of the passes: what it says of a file then is no answer.
needs_passes() {
  local said
  said=$(timeout "${LIMIT:-60}" "$mlir_opt" "${plugin[@]}" --pass-pipeline="$1" <<< 'module {}' 2>&1 > /dev/null) ||
    cannot_tell "this mlir-opt does not run the passes on an empty module: $(first_error <<< "$said")"
}
# The libraries of the tool $1, which lie beside it, or another version's; the last is there in newer versions only.
libraries() {
  local directory name file
  directory=${MLIR_LIB:-$(dirname "$(readlink -f "$(command -v "$1")")")/../lib}
  for name in mlir_c_runner_utils mlir_float16_utils mlir_apfloat_wrappers; do
    file=$(compgen -G "$directory/lib$name.so*" | sort | head -1)
    [[ -n $file || -n ${MLIR_LIB:-} ]] || file=$(compgen -G "/usr/lib/llvm-*/lib/lib$name.so*" | sort -V | tail -1)
    [[ -z $file ]] || echo "$file"
  done
}

__REST__
# ==== obstacle
cannot_tell __OBSTACLE__
# ==== again: a death may depend on memory that was never written, so what ends well is tried ten times
once() {
__SHOWING__
}
for _ in {1..9}; do
  said=$(once); status=$?
  (( status == 0 )) || { echo "$said"; exit "$status"; }
done
once
# ==== rest
mlir_opt=$(tool "${MLIR_OPT:-}" mlir-opt) || cannot_tell 'no mlir-opt'
__PLUGIN__
# The same ops and types, as plain as can be: an MLIR that refuses this one spells them otherwise, or lacks them.
said=$(timeout "${LIMIT:-60}" "$mlir_opt" 2>&1 > /dev/null << 'END'
__VOCABULARY__
END
) || cannot_tell "this mlir-opt does not know the file's ops or types: $(first_error <<< "$said")"
__UNDERSTANDS__
__ONE_PASS__
__PIPELINE__
__SHOWING__
# ==== understands: an MLIR that refuses the program before any pass says nothing of its passes
said=$(timeout "${LIMIT:-60}" "$mlir_opt" repro.mlir 2>&1 > /dev/null); status=$?
(( status == 0 || status >= 124 )) || cannot_tell "this mlir-opt refuses the program before any pass: $(first_error <<< "$said")"
# ==== one pass: IR other than lowered.mlir may be right or not, so that it is executed
pipeline=__PIPELINE__
printed=$(__MLIR_OPT__)
echo "$printed"
[[ $printed != "$(cat lowered.mlir)" ]] || diverges "__COMPLAINT__: "__WRONG__
# ==== plugin
[[ -n ${PASS_PLUGIN:-} ]] || cannot_tell 'the pass pipeline needs a plugin (set PASS_PLUGIN)'
plugin=(--load-pass-plugin="$PASS_PLUGIN")
# ==== no plugin
plugin=()
# ==== pipeline
pipeline=__PIPELINE__
needs_passes "$pipeline"
# ==== verify
timeout "${LIMIT:-60}" "$mlir_opt" __FILE__
# ==== lower
timeout "${LIMIT:-60}" "$mlir_opt" "${plugin[@]}" --pass-pipeline="$pipeline" __FILE__
# ==== ended: from here on $status is that of a tool: 124 if it hung, 128 and more if it died
(( status != 124 )) || diverges "__WHAT__ hangs; __COMPLAINT__"
(( status < 128 )) || diverges "__WHAT__ dies of signal $(( status - 128 )); __COMPLAINT__"
__REFUSED__
# ==== refused
(( status == 0 )) || diverges "__WHAT__ refuses; __COMPLAINT__"
# ==== refused rightly
(( status == 0 )) || conforms
# ==== refused elsewhere
(( status == 0 )) || cannot_tell "__WHAT__ refuses, which is not what is looked for"
# ==== refuses
__MLIR_OPT__ > /dev/null; status=$?
(( status != 0 )) || diverges "mlir-opt accepts it; __COMPLAINT__"
(( status != 124 )) || diverges "mlir-opt hangs; __COMPLAINT__"
(( status < 124 )) || diverges "mlir-opt dies; __COMPLAINT__"
conforms
# ==== accepts
__MLIR_OPT__ > /dev/null; status=$?
__ENDED__
conforms
# ==== infers
inferred=$(__MLIR_OPT__); status=$?
__ENDED__
echo "$inferred"
grep -qE __PATTERN__ <<< "$inferred" || diverges "__COMPLAINT__"
conforms
# ==== lowers
lowered=$(__MLIR_OPT__); status=$?
__ENDED__
__TRANSLATES__
__WHOLE__
conforms
# ==== whole: what is right so far may fail in the passes behind
pipeline=__PIPELINE__
needs_passes "$pipeline"
said=$({ __MLIR_OPT__; } 2>&1 > /dev/null) ||
  cannot_tell "the passes that went wrong are right, and the whole pass pipeline fails: $(first_error <<< "$said")"
# ==== translates
mlir_translate=$(tool "${MLIR_TRANSLATE:-}" mlir-translate) || cannot_tell 'no mlir-translate'
timeout "${LIMIT:-60}" "$mlir_translate" --mlir-to-llvmir <<< "$lowered" > /dev/null; status=$?
__ENDED__
# ==== rereads
lowered=$(__MLIR_OPT__); status=$?
__ENDED__
"$mlir_opt" <<< "$lowered" > /dev/null; status=$?
(( status == 0 )) || diverges "mlir-opt does not read what it printed; __COMPLAINT__"
__WHOLE__
conforms
# ==== ir
lowered=$(__MLIR_OPT__); status=$?
__ENDED__
echo "$lowered"
[[ $lowered != "$(cat lowered.mlir)" ]] || diverges "__COMPLAINT__; see issue.md for what is wrong in this IR"
cannot_tell 'the IR is no longer that of lowered.mlir: whether it is right, tosaic check says'
# ==== executes
__RUNNER__
__RUN__
__JUDGED__
# ==== runner
# Before version 20 it was mlir-cpu-runner.
mlir_runner=$(tool "${MLIR_RUNNER:-}" mlir-runner 2> /dev/null || tool "${MLIR_RUNNER:-}" mlir-cpu-runner) ||
  cannot_tell 'no mlir-runner'
cpu=()
__PLAIN_CPU__
libraries=$(libraries "$mlir_runner" | paste -sd,)
[[ -n $libraries ]] || cannot_tell "no libmlir_c_runner_utils.so beside $mlir_runner (set MLIR_LIB)"
# ==== runner elsewhere
mlir_translate=$(tool "${MLIR_TRANSLATE:-}" mlir-translate) || cannot_tell 'no mlir-translate'
clang=$(tool "${CLANG:-}" clang) || cannot_tell 'no clang'
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
__CPU__
# What prints, as MLIR's libmlir_c_runner_utils does, which is not there for this CPU.
cat > "$scratch/main.c" << 'END'
#include <stdio.h>
void printI64(long number) { printf("%ld", number); }
void printOpen(void) { fputs("( ", stdout); }
void printClose(void) { fputs(" )", stdout); }
void printComma(void) { fputs(", ", stdout); }
void printNewline(void) { fputs("\n", stdout); }
void program(void);
int main(void) { program(); return 0; }
END
# ==== cpu: it is another one, so it is emulated
emulator=(__EMULATOR__ -cpu __EMULATED__)
command -v "${emulator[0]}" > /dev/null || cannot_tell "no ${emulator[0]} (Debian: __PACKAGES__)"
cpu=(--target=__TRIPLE__ -static__FEATURES__) helpers=(half_helpers.c)
"$clang" -w "${cpu[@]}" -x c - -o "$scratch/try" <<< 'int main(void) { return 0; }' 2> /dev/null ||
  cannot_tell "$clang links no programs for __TRIPLE__ (Debian: __PACKAGES__)"
# ==== no cpu
cpu=() emulator=() helpers=()
# ==== plain cpu
[[ $(uname -m) != x86_64 ]] || cpu=(-mattr=-sse3)  # a plain one: the host's may compute otherwise
# ==== run: $line is what the program prints, blanks squeezed
pipeline=__PIPELINE__
needs_passes "$pipeline"
lowered=$(__MLIR_OPT__); status=$?
__ENDED__
__EXECUTE__
# ==== execute
line=$(timeout "${LIMIT:-60}" "$mlir_runner" -e main -entry-point-result=void __LEVEL__ "${cpu[@]}" -shared-libs="$libraries" <<< "$lowered" 2> >(sed -n 1,3p >&2) | tr -s ' '); status=$?
# ==== execute elsewhere
"$mlir_translate" --mlir-to-llvmir <<< "$lowered" | sed 's/@main()/@program()/' > "$scratch/repro.ll"; status=$?
__ENDED__
"$clang" -w __LEVEL__ "${cpu[@]}" "$scratch/repro.ll" "$scratch/main.c" "${helpers[@]}" -o "$scratch/program" -lm ||
  cannot_tell 'it does not link'
line=$(timeout "${LIMIT:-60}" "${emulator[@]}" "$scratch/program" | tr -s ' '); status=$?
# ==== stops
(( status != 0 )) || diverges "it goes on to its end; __COMPLAINT__"
(( status >= 128 )) || cannot_tell "the program does not start: exit status $status"
conforms
# ==== ends
__ENDED__
conforms
# ==== prints: the pattern has one blank for many
__ENDED__
# Sizes, then elements as bits.
expected=__PATTERN__
show() {
  local element sizes
  sizes=$(tr -d '( ' <<< "${2%%)*}" | tr , x)
  echo -n "$1${sizes:-scalar}:"
  for element in $(sed 's/.*)//; s/,//g' <<< "$2"); do printf ' 0x%0__DIGITS__x' "$element"; done
  echo
}
echo __EXPECTED__
show 'actual:   ' "$line"
__TWIN__
[[ $line =~ ^$expected\ ?$ ]] || diverges "__COMPLAINT__"
conforms
# ==== twin
actual=$line
__RUN__
show __TWIN__ "$line"
line=$actual
# ==== guards
mlir_translate=$(tool "${MLIR_TRANSLATE:-}" mlir-translate) || cannot_tell 'no mlir-translate'
clang=$(tool "${CLANG:-}" clang) || cannot_tell 'no clang'
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
__MLIR_OPT__ | "$mlir_translate" --mlir-to-llvmir > "$scratch/repro.ll"; status=$?
__ENDED__
__LIBRARIES__
__CPU__
# compiler-rt has the conversions of f16 and bf16, if it is there.
runtime=()
[[ ${#cpu[@]} -gt 0 || ! -e $("$clang" -rtlib=compiler-rt -print-libgcc-file-name) ]] || runtime=(-rtlib=compiler-rt)
"$clang" -w __LEVEL__ "${cpu[@]}" "$scratch/repro.ll" driver.c "${helpers[@]}" -o "$scratch/driver" -Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc \
  "${runtime[@]}" "${libraries[@]}" -lm || cannot_tell 'it does not link'
timeout "${LIMIT:-60}" "${emulator[@]}" "$scratch/driver"; status=$?
(( status != 124 )) || diverges 'it hangs'
(( status < 128 )) || diverges "the driver dies of signal $(( status - 128 ))"
(( status < 2 )) || cannot_tell "the driver does not run: exit status $status"
exit $status
# ==== poison: what runs is shown.ll, the LLVM IR of repro.ll with a choice behind each instruction that made poison
mlir_translate=$(tool "${MLIR_TRANSLATE:-}" mlir-translate) || cannot_tell 'no mlir-translate'
clang=$(tool "${CLANG:-}" clang) || cannot_tell 'no clang'
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
__MLIR_OPT__ | "$mlir_translate" --mlir-to-llvmir > "$scratch/repro.ll"; status=$?
__ENDED__
cmp -s "$scratch/repro.ll" repro.ll ||
  cannot_tell 'the LLVM IR is no longer that of repro.ll: whether it is right, tosaic check says'
__LIBRARIES__
runtime=()
[[ ! -e $("$clang" -rtlib=compiler-rt -print-libgcc-file-name) ]] || runtime=(-rtlib=compiler-rt)
"$clang" -w -O0 shown.ll driver.c -o "$scratch/driver" -Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc \
  "${runtime[@]}" "${libraries[@]}" -lm || cannot_tell 'it does not link'
timeout "${LIMIT:-60}" "$scratch/driver"; status=$?
(( status != 124 )) || diverges 'it hangs where poison is taken for another value'
(( status < 128 )) || diverges "it dies of signal $(( status - 128 )) where poison is taken for another value"
(( status < 2 )) || cannot_tell "the driver does not run: exit status $status"
exit $status
# ==== no libraries
libraries=()
# ==== apfloat libraries
libraries=$(libraries "$mlir_translate" | grep apfloat)
[[ -n $libraries ]] || cannot_tell 'no libmlir_apfloat_wrappers.so (set MLIR_LIB)'
libraries=($libraries -Wl,-rpath,"$(dirname "$libraries")")
