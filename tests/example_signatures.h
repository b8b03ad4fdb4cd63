// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures as campaigns, sweeps and the conformance suite print them on MLIR 22, and a few for parts that these lack.
#ifndef TOSAIC_TESTS_EXAMPLE_SIGNATURES_H_
#define TOSAIC_TESTS_EXAMPLE_SIGNATURES_H_

namespace tosaic {

inline constexpr const char* kExampleSignatures[] = {
    "contract-violation/add/contract/contract.runtime-broadcast.superfluous",
    "contract-violation/equal/contract/contract.folded.constant",
    "crash/clamp/f32/canonicalized/run.signal/canonicalize/signal-11",
    "crash/intdiv/i32/affine-vectorized/run.signal/execute/signal-8",
    "crash/mul/loops/special-operand-at-run-time",
    "crash/negate/loops/special-operand-at-run-time",
    "crash/select/run.signal/verify/signal-11",
    "false-accept/add/validate.profile/8k",
    "false-accept/add/validate.version/8k",
    "false-accept/bitwise_or/validate.version/8k",
    "false-accept/broadcastable/bcast.infer.conflict/vector",
    "false-accept/broadcastable/bcast.property.container",
    "false-accept/broadcastable/bcast.property.container/vector",
    "false-accept/broadcastable/bcast.property.operands",
    "false-accept/broadcastable/bcast.verify.different/vector",
    "false-accept/broadcastable/bcast.verify.rank",
    "false-accept/broadcastable/bcast.verify.rank/vector",
    "false-accept/cast/validate.profile/8k",
    "false-accept/cast/validate.version/8k",
    "false-accept/ceil/validate.profile/8k",
    "false-accept/clamp/validate.profile/8k",
    "false-accept/cos/validate.profile/8k",
    "false-accept/equal/validate.profile/8k",
    "false-accept/erf/validate.profile/8k",
    "false-accept/greater/validate.profile/8k",
    "false-accept/intdiv/validate.version/8k",
    "false-accept/maximum/validate.profile/8k",
    "false-accept/minimum/validate.profile/8k",
    "false-accept/mul/bcast.verify.different",
    "false-accept/mul/validate.level.rank/none,strict",
    "false-accept/mul/validate.profile/8k",
    "false-accept/negate/validate.profile/8k",
    "false-accept/pow/validate.profile/8k",
    "false-accept/reciprocal/validate.profile/8k",
    "false-accept/several-ops/validate.profile/8k",
    "false-accept/tanh/validate.profile/8k",
    "false-reject/add/f16/legal.element-type/'tosa.add' op operand #N must be",
    "false-reject/add/legal.element-type/expected a / or b",
    "leak/add/beyond-spec/loops/run.leak",
    "lowering-failed/abs/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.constant' op integer return type must "
    "be signless",
    "lowering-failed/arithmetic_right_shift/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.constant' op "
    "integer return type must be signless",
    "lowering-failed/arithmetic_right_shift/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.trunci' op operand "
    "type 'iN' and result type 'iN' are cast incompatible",
    "lowering-failed/bitwise_not/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.constant' op integer return "
    "type must be signless",
    "lowering-failed/cast/beyond-spec/loops/lower.legal-ir/convert-arith-to-llvm/'llvm.sitofp' op result #N must be "
    "floating point LLVM type or LLVM dialect-comp",
    "lowering-failed/cast/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.truncf' op operand type 'fN' and "
    "result type 'bfN' are cast incompatible",
    "lowering-failed/cast/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.truncf' op operand type 'fNENMN' and "
    "result type 'fNENMNFN' are cast inco",
    "lowering-failed/clamp/bf16/canonicalized/lower.legal-ir/canonicalize/type of return operand N ('tensor<>') "
    "doesn't match function result type ('tenso",
    "lowering-failed/clamp/i8/canonicalized/lower.legal-ir/canonicalize/type of return operand N ('tensor<>') doesn't "
    "match function result type ('tenso",
    "lowering-failed/clz/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'math.ctlz' op result #N must be "
    "signless-integer-like, but got 'uiN'",
    "lowering-failed/clz/i32/linalg-vectorized/lower.complete/convert-math-to-libm/failed to legalize operation "
    "'math.ctlz' that was explicitly marked illegal",
    "lowering-failed/equal/i32-i1/canonicalized/lower.legal-ir/canonicalize/a constant of a type without static shape",
    "lowering-failed/intdiv/i32/contract/lower.complete/tosa-to-linalg/failed to legalize unresolved materialization "
    "from ('tensor<>') to ('tensor<>') ",
    "lowering-failed/intdiv/i32/contract/lower.legal-ir/tosa-to-linalg/'tosa.const' op failed to verify that all of "
    "{values, output} have same shape",
    "lowering-failed/mul/loops/special-operand-at-run-time",
    "lowering-failed/negate/beyond-spec/loops/lower.legal-ir/tosa-to-linalg/'arith.trunci' op result #N must be "
    "signless-fixed-width-integer-like, but got '",
    "lowering-failed/negate/loops/special-operand-at-run-time",
    "lowering-failed/several-ops/canonicalized/lower.legal-ir/canonicalize/type of return operand N ('tensor<>') "
    "doesn't match function result type ('tenso",
    "lowering-failed/several-ops/loops/lower.legal-ir/tosa-make-broadcastable/type of return operand N ('tensor<>') "
    "doesn't match function result type ('tenso",
    "memory-fault/add/f32/loops/run.memory/write/operand",
    "timeout/add/run.deadline/verify",
    "timeout/reshape/loops/unranked-operand",
    "uninitialized-result/equal/f32-i1/linalg-vectorized/run.every-element-written",
    "uninitialized-result/greater_equal/f32-i1/linalg-vectorized/run.every-element-written",
    "uninitialized-result/logical_and/i1/linalg-vectorized/run.every-element-written",
    "uninitialized-result/logical_or/i1/linalg-vectorized/run.every-element-written",
    "uninitialized-result/several-ops/linalg-vectorized/run.every-element-written",
    "wrong-shape/add/bf16/loops/runtime.broadcast",
    "wrong-shape/add/f32/loops/runtime.broadcast",
    "wrong-shape/mul/f32/loops/runtime.broadcast",
    "wrong-value/cast/f32-i32/math-expanded/value.cast.float-to-integer",
    "wrong-value/cast/f32-i8/math-expanded/value.cast.float-to-integer",
    "wrong-value/cast/i32-bf16/loops/value.cast.integer-to-float/number-for-number",
    "wrong-value/cast/i8-i32/custom/value.cast.integer-to-integer/number-for-zero",
    "wrong-value/ceil/f32/math-expanded/value.ceil",
    "wrong-value/clamp/bf16/canonicalized/value.clamp/nan-for-inf",
    "wrong-value/clamp/bf16/upstream/value.clamp/nan-for-inf",
    "wrong-value/clamp/f16/canonicalized/value.clamp/number-for-inf",
    "wrong-value/clamp/f32/canonicalized/value.clamp/nan-for-inf",
    "wrong-value/cos/f32/math-polynomial/value.cos",
    "wrong-value/mul/bf16/loops/value.mul/zero-for-nan",
    "wrong-value/mul/f16/loops/value.mul/zero-for-nan",
    "wrong-value/mul/f32/loops/value.mul/zero-for-nan",
    "wrong-value/mul/i8-i32/loops/value.mul/number-for-number",
    "wrong-value/negate/i16/loops/value.negate/number-for-number",
    "wrong-value/negate/i8/loops/value.negate/number-for-number",
    "wrong-value/several-ops/fused/metamorphic.all-returned/number-for-number",
};

}  // namespace tosaic

#endif  // TOSAIC_TESTS_EXAMPLE_SIGNATURES_H_
