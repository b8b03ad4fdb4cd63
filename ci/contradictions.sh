#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Asks MLIR 16, 19 and 22 all questions of docs/contradictions.md. On Debian 12:
#   apt-get install --no-install-recommends mlir-16-tools mlir-19-tools
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

ci/ask_mlirs.sh <<'END'
# C1
verify trait ?, ? -> 4
verify add ?, ? -> 4
verify mul ?, ? -> 4
verify select:i1:f32 ?, ?, ? -> 4
verify unary ? -> 4
verify logical_not:i1 ? -> 4; 4 -> ?
lower add ?, ? -> 5
# C2
verify trait 1, 1 -> 4
verify add 1, 1 -> 4
verify mul 1, 1 -> 4; 2, 2 -> 4
verify select:i1:f32 1, 1, 1 -> 4
verify abs:f32 1 -> 4
verify negate:f32 1 -> 4
verify cast:f32:i32 1 -> 4
# C3
verify trait 4, 2x3x4 -> 2x3x4
verify select:i1:f32 4, 2x3x4, 2x3x4 -> 2x3x4
verify binary 4, 2x3x4 -> 2x3x4
verify add 4, 2x3x4 -> 2x3x4
# C4
lower add ?, ? -> ?; 2x?, ?x? -> ?x?; ?x2, 2x? -> ?x?; 2x2, ?x? -> ?x?
# C6
verify trait 0, 0 -> 0; 0, 1 -> 0; 0, 0 -> ?; 0, 1 -> ?; 0, 1 -> 1; 0, 3 -> ?; 0, ? -> 0; 0, ? -> ?; ?, ? -> 0
verify trait 0, ? -> 3; 0, ? -> 1; 0, ?, 3 -> 3; 0, 3, ? -> 3; ?, 3, 0 -> 3; 1, 1 -> 0
verify add 0, 0 -> 0; 0, 1 -> 0; 0, 0 -> ?; 0, 1 -> ?; 0, 1 -> 1; 0, 3 -> ?; 0, ? -> 0; 0, ? -> ?; ?, ? -> 0
verify add 0, ? -> 3; 0, ? -> 1; 1, 1 -> 0
lower add 0, 1 -> 0; 0, ? -> ?
infer add 0, 1 -> *; 0, ? -> *
# C7
verify trait *, 1 -> 5; *, 5 -> 2x5; *, * -> 2
verify add *, 1 -> 5; *, 5 -> 2x5; *, * -> 2
verify mul *, 1 -> 5; *, 5 -> 2x5; *, * -> 2
lower add *, 2 -> 2
validate add *, * -> 2
# C8
verify unary 2 -> 4; 3 -> 1x3
verify binary 2, 2 -> 4; 3, 2 -> ?; 3, 3 -> 1x3
verify select:i1:f32 2, 2, 2 -> 4; 3, 2, 2 -> ?; 3, 3, 3 -> 1x3
# C9
infer add ?, 3 -> *; *, 3 -> *; ?, 1 -> *; ?, ? -> *; 1, 3 -> *; 4, 4 -> ?; 3, 2x3 -> *
infer mul ?, 3 -> *; ?, 1 -> *; 1, 1 -> 4
infer select:i1:f32 ?, 1, 3 -> *
infer abs:f32 5 -> ?
infer cast:f32:i32 5 -> ?
infer negate:f32 5 -> ?
# C10
validate add ?, ? -> ?
# The trait
verify trait 3, 3 -> 1x3; 3, 3 -> 2x3; 2x3, 2x3 -> 3; 2, 3 -> *
verify trait:i1:i32:i64 2, 2 -> 2
END

# An op without operands, which ask_mlirs.sh cannot ask about.
for v in 16 19 22; do
  echo 'func.func @f() { %r = "test.broadcastable"() : () -> tensor<2xi32> return }' | mlir-opt-$v
done

# The asserts of C5.
cat > "$folder/generic.mlir" <<'END'
#map = affine_map<(i) -> (i)>
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
END
for v in 16 19 22; do
  mlir-opt-$v --convert-linalg-to-loops "$folder/generic.mlir" | grep -c assert
  mlir-opt-$v --generate-runtime-verification --convert-linalg-to-loops "$folder/generic.mlir" | grep -c assert
done

# C6 at run time: 0 and 1, 0 and 3, and 0 and 0 elements.
cat > "$folder/zero.mlir" <<'END'
func.func private @printMemrefF32(tensor<*xf32>)
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %r = "tosa.add"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %any = tensor.cast %r : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%any) : (tensor<*xf32>) -> ()
  return
}
func.func @main() {
  %none = arith.constant dense<> : tensor<0xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %three = arith.constant dense<1.0> : tensor<3xf32>
  %0 = tensor.cast %none : tensor<0xf32> to tensor<?xf32>
  %1 = tensor.cast %one : tensor<1xf32> to tensor<?xf32>
  %3 = tensor.cast %three : tensor<3xf32> to tensor<?xf32>
  call @add(%0, %1) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @add(%0, %3) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @add(%0, %0) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}
END
lib=$(llvm-config-22 --libdir)
mlir-opt-22 --pass-pipeline='builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries=true
  function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-loops,convert-scf-to-cf),
  expand-strided-metadata,lower-affine,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,
  reconcile-unrealized-casts)' "$folder/zero.mlir" | mlir-runner-22 -e main -entry-point-result=void \
  -shared-libs="$lib/libmlir_runner_utils.so,$lib/libmlir_c_runner_utils.so"
