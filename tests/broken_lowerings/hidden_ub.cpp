// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings that are undefined for some operands, and that x86-64 hides: its instruction gives the right value all the
// same. What the flags say is not so, the shift's amount or the conversion is out of range, or a lane is stale.
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace llvm_ir = mlir::LLVM;
using mlir::func::FuncOp;

// A row's function: changes all ops of the kind that the lambda names.
template <typename Change>
constexpr auto OnEach(Change) {
  return [](FuncOp function) { function.walk(Change{}); };
}

constexpr BrokenLowering kHidden[] = {
    {"hidden-shl-nsw", "logical_left_shift", "loops", kOnTensors, "logical_left_shift of i32 loses no sign: nsw",
     OnEach([](arith::ShLIOp op) {
       if (HasElements(op, 32)) op.setOverflowFlags(arith::IntegerOverflowFlags::nsw);
     })},
    {"hidden-shl-nuw", "logical_left_shift", "loops", kOnTensors, "logical_left_shift of i16 loses no bit: nuw",
     OnEach([](arith::ShLIOp op) {
       if (HasElements(op, 16)) op.setOverflowFlags(arith::IntegerOverflowFlags::nuw);
     })},
    {"hidden-shrsi-exact", "arithmetic_right_shift", "loops", kOnTensors, "arithmetic_right_shift loses no bit: exact",
     OnEach([](arith::ShRSIOp op) { op.setIsExact(true); })},
    {"hidden-shrui-exact", "logical_right_shift", "loops", kOnTensors, "logical_right_shift loses no bit: exact",
     OnEach([](arith::ShRUIOp op) { op.setIsExact(true); })},
    {"hidden-division-exact", "intdiv", "loops", kOnTensors, "intdiv has no remainder: exact",
     OnEach([](arith::DivSIOp op) { op.setIsExact(true); })},
    {"hidden-shift-by-width", "logical_right_shift", "loops", kOnTensors,
     "logical_right_shift of i32 shifts by its amount plus 32, of which x86 takes five bits",
     Replacing([](Builder& b, arith::ShRUIOp op) {
       if (!HasElements(op, 32)) return Value();
       const Value amount = arith::AddIOp::create(b, op.getRhs(), Integer(b, op.getType(), 32));
       return Value(arith::ShRUIOp::create(b, op.getLhs(), amount));
     })},
    {"hidden-truncation-nsw", "cast", "loops", kOnTensors, "cast to fewer bits keeps the value: nsw",
     OnEach([](arith::TruncIOp op) { op.setOverflowFlags(arith::IntegerOverflowFlags::nsw); })},
    {"hidden-least-integer", "cast", "loops", kOnTensors,
     "cast of f32 to i32 leaves what is below all integers to the conversion, which makes the least of it on x86",
     Replacing([](Builder&, arith::MaximumFOp op) {
       const bool converts = llvm::any_of(op->getUsers(), [](mlir::Operation* user) {
         return mlir::isa<arith::FPToSIOp>(user) && user->getResult(0).getType().isInteger(32);
       });
       return converts && op.getType().isF32() ? op.getLhs() : Value();
     })},
    {"hidden-add-nnan", "add", "loops", kOnTensors, "add of f32 meets no NaN: nnan", OnEach([](arith::AddFOp op) {
       if (op.getType().isF32()) op.setFastmath(arith::FastMathFlags::nnan);
     })},
    {"hidden-mul-ninf", "mul", "loops", kOnTensors, "mul of f32 meets no infinity: ninf", OnEach([](arith::MulFOp op) {
       if (op.getType().isF32()) op.setFastmath(arith::FastMathFlags::ninf);
     })},
    {"hidden-greater-ninf", "greater", "loops", kOnTensors, "greater of floats meets no infinity: ninf",
     OnEach([](arith::CmpFOp op) { op.setFastmath(arith::FastMathFlags::ninf); })},
    {"hidden-or-disjoint", "bitwise_or", "loops", kOnTensors, "bitwise_or of i32 has no bit in both: disjoint",
     Replacing([](Builder& b, arith::OrIOp op) {
       if (!HasElements(op, 32)) return Value();
       auto replacement = llvm_ir::OrOp::create(b, op.getLhs(), op.getRhs());
       replacement.setIsDisjoint(true);
       return replacement.getResult();
     })},
    {"hidden-stale-lane", "add", "loops", kOnTensors,
     "add of i32 also adds a lane that nobody wrote, which is 0 on x86", Replacing([](Builder& b, arith::AddIOp op) {
       const bool adds_elements = IsElement(op.getLhs()) && IsElement(op.getRhs());
       if (!op.getType().isInteger(32) || !adds_elements) return Value();
       // An odd number below 4, which LLVM does not know.
       const auto integer = [&](int64_t value) { return Integer(b, op.getType(), value); };
       const Value odd = arith::OrIOp::create(b, op.getRhs(), integer(1));
       const Value lane = arith::AndIOp::create(b, odd, integer(3));
       const Value nothing = llvm_ir::PoisonOp::create(b, mlir::VectorType::get({4}, op.getType()));
       const Value lanes = llvm_ir::InsertElementOp::create(b, nothing, op.getLhs(), integer(0));
       const Value stale = llvm_ir::ExtractElementOp::create(b, lanes, lane);
       const Value sum = arith::AddIOp::create(b, op.getLhs(), op.getRhs());
       return Value(arith::AddIOp::create(b, sum, stale));
     })},
    {"hidden-extension-nneg", "cast", "loops", kOnTensors, "cast of i1 to integers meets no sign: nneg",
     Replacing([](Builder& b, arith::ExtUIOp op) {
       auto replacement = llvm_ir::ZExtOp::create(b, op.getType(), op.getIn());
       replacement.setNonNeg(true);
       return replacement.getResult();
     })},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenInHiding() { return kHidden; }

}  // namespace broken_lowerings
