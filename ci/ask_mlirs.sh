#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Asks MLIR 16, 19 and 22 (mlir-opt-NN of Debian's mlir-NN-tools) the questions on standard input and prints what each
# says. docs/contradictions.md is made with it. A question is a line:
#
#   PASS OP[:ELEMENT...] DIMENSIONS -> DIMENSIONS; ...        verify add:i32 ?, 3 -> *; ?, 4 -> 4
#
# A line with # is printed as it is.
# PASS: verify (the op verifier alone), infer, lower (tosa-to-linalg; names what is characteristic of the result), validate
#   (tosa-validate; 22 is asked for both versions of the specification).
# OP: trait (test.broadcastable), a TOSA op by its name in the RFC, or `unary` or `binary`, all of the RFC's with so many
#   operands: one line says which of them are accepted.
# ELEMENT: one per operand, then one for the result; the last repeats; i32 by default. Shift and zero points are added.
set -euo pipefail

for version in 16 19 22; do
  command -v "mlir-opt-$version" > /dev/null && continue
  echo "ask_mlirs.sh: no mlir-opt-$version: install mlir-$version-tools" >&2
  exit 2
done

declare -A all=(
  [unary]='abs:f32 bitwise_not cast:f32:i32 ceil:f32 clamp:f32 clz erf:f32 exp:f32 floor:f32 log:f32 logical_not:i1
    negate:f32 reciprocal:f32 rsqrt:f32 sigmoid:f32 tanh:f32'
  [binary]='add arithmetic_right_shift bitwise_and bitwise_or bitwise_xor div equal:i32:i32:i1 greater:i32:i32:i1
    greater_equal:i32:i32:i1 logical_and:i1 logical_left_shift logical_or:i1 logical_right_shift logical_xor:i1 maximum
    minimum mul pow:f32 sub'
)

characteristic='\b(arith.maxui|scf.if|tensor.(cast|collapse_shape|expand_shape)|linalg.generic)'

# text VERSION OP:ELEMENT... 'DIMENSIONS -> DIMENSIONS': a function around one op.
text() {
  local version=$1 op elements dimensions name attributes='' types=() arguments=() i joined call
  IFS=: read -ra elements <<< "$2"
  op=${elements[0]} elements=("${elements[@]:1}")
  [ ${#elements[@]} -gt 0 ] || elements=(i32)
  IFS=, read -ra dimensions <<< "${3/->/,}"
  for i in "${!dimensions[@]}"; do
    local element=${elements[i < ${#elements[@]} ? i : -1]} sizes=${dimensions[i]// /}
    types+=("tensor<$sizes${sizes:+x}$element>")
  done
  local result=${types[-1]}
  unset 'types[-1]'
  name=tosa.$op
  case $op-$version in
    trait-*) name=test.broadcastable ;;
    mul-16) attributes='{shift = 0 : i32}' ;;
    mul-19) attributes='{shift = 0 : i8}' ;;
    mul-22) types+=('tensor<1xi8>') ;;
    negate-22) types+=("tensor<1x${elements[0]}>" "tensor<1x${elements[0]}>") ;;
    clamp-22) attributes='{min_val = 0.0 : f32, max_val = 1.0 : f32}' ;;
    clamp-*) attributes='{min_int = 0, max_int = 1, min_fp = 0.0 : f32, max_fp = 1.0 : f32}' ;;
    arithmetic_right_shift-*) attributes='{round = false}' ;;
    div-19) name=tosa.int_div ;;
    div-22) name=tosa.intdiv ;;
  esac
  for i in "${!types[@]}"; do arguments+=("%$i: ${types[i]}"); done
  call=$(printf ', %s' "${!types[@]}" | sed 's/[0-9]/%&/g') joined=$(printf ', %s' "${arguments[@]}")
  echo "func.func @f(${joined:2}) -> $result {"
  joined=$(printf ', %s' "${types[@]}")
  echo "  %r = \"$name\"(${call:2}) $attributes : (${joined:2}) -> $result"
  echo "  return %r : $result }"
}

# say VERSION PASS OP TYPES: one line with the answer.
say() {
  local version=$1 pass=$2 out pipeline pipelines=('')
  case $pass-$version in
    infer-*) pipelines=('func.func(tosa-infer-shapes)') ;;
    lower-*) pipelines=('func.func(tosa-to-linalg)') ;;
    validate-16) pipelines=('func.func(tosa-validate)') ;;
    validate-19) pipelines=('tosa-validate{profile=mi}') ;;
    validate-22)
      for out in 1.0 1.1.draft; do
        pipelines+=("tosa-attach-target{specification_version=$out profiles=pro_int,pro_fp},tosa-validate")
      done
      pipelines=("${pipelines[@]:1}") ;;
  esac
  for pipeline in "${pipelines[@]}"; do
    if out=$(text "$version" "$3" "$4" | "mlir-opt-$version" --pass-pipeline="builtin.module($pipeline)" 2>&1); then
      case $pass in
        infer) out=" and infers $(sed -n 's/.*tosa\..*-> //p' <<< "$out")" ;;
        lower) out=" and makes $(grep -oE "$characteristic" <<< "$out" | uniq | xargs)" ;;
        *) out='' ;;
      esac
      echo "  $version accepts$out"
    else
      echo "  $version refuses: $(grep -m1 -o 'error: .*' <<< "$out" | cut -c8- || echo "(crash) ${out:0:200}")"
    fi
  done
}

# count VERSION PASS unary|binary TYPES: one line for all of these ops.
count() {
  local one accepted=() refused=() few
  for one in ${all[$3]}; do
    if [[ $(say "$1" "$2" "$one" "$4") == *accepts* ]]; then
      accepted+=("${one%%:*}")
    else
      refused+=("${one%%:*}")
    fi
  done
  few="${accepted[*]:-none}"
  [ ${#accepted[@]} -le ${#refused[@]} ] || few="all but ${refused[*]:-none}"
  echo "  $1 accepts $few"
}

while read -r pass op questions; do
  case $pass in
    '') continue ;;
    '#'*) echo "$pass $op $questions" && continue ;;
    verify | infer | lower | validate) ;;
    *) echo "ask_mlirs.sh: no pass '$pass'" >&2 && exit 2 ;;
  esac
  IFS=';' read -ra questions <<< "$questions"
  for types in "${questions[@]}"; do
    echo "$pass $op ${types# }"
    for version in 16 19 22; do
      ask=say
      [ -z "${all[$op]:-}" ] || ask=count
      "$ask" "$version" "$pass" "$op" "$types"
    done
  done
done
