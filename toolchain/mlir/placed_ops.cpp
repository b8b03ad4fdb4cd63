// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/placed_ops.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/foreign_ops.h"

namespace tosaic {
namespace {

std::string NameOf(mlir::Operation* op) { return op->getName().getStringRef().str(); }

std::string Within(mlir::Operation* parent) {
  return parent == nullptr || mlir::isa<mlir::ModuleOp, mlir::func::FuncOp>(parent) ? "" : NameOf(parent);
}

// Adds those that were left out with the regions of a foreign op.
void AddLeftOut(mlir::Operation* op, std::vector<PlacedOp>* ops) {
  const auto left_out = op->getAttrOfType<mlir::StringAttr>(kLeftOut);
  if (!left_out) return;
  for (const absl::string_view entry : absl::StrSplit(std::string(left_out.getValue()), ' ')) {
    const std::pair<absl::string_view, absl::string_view> place = absl::StrSplit(entry, absl::MaxSplits('+', 1));
    int64_t lines = 0;
    if (!FindOpOfAny(place.first) || !absl::SimpleAtoi(place.second, &lines)) continue;  // it is the user's attribute
    ops->push_back({std::string(place.first), NameOf(op), LineOf(op->getLoc()) + lines, op});
  }
}

}  // namespace

int64_t LineOf(mlir::Location location) {
  const auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place ? place.getLine() : 0;
}

std::vector<PlacedOp> ElementwiseOpsIn(mlir::Operation* root) {
  std::vector<PlacedOp> ops;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    const std::string name = NameOf(op);
    if (FindOpOfAny(name)) ops.push_back({name, Within(op->getParentOp()), LineOf(op->getLoc()), op});
    AddLeftOut(op, &ops);
  });
  return ops;
}

std::string InWords(const PlacedOp& op, int64_t lines_before) {
  return absl::StrCat(op.name, op.within.empty() ? "" : absl::StrCat(" in ", op.within), " (line ",
                      lines_before + op.line, ")");
}

std::string WhyInvalid(mlir::Operation& op) {
  const std::string name = NameOf(&op);
  for (mlir::Value operand : op.getOperands()) {
    mlir::Operation* from = operand.getDefiningOp();
    const bool is_near = from != nullptr && from->getBlock() == op.getBlock();
    if (is_near ? from->isBeforeInBlock(&op) : operand.getParentRegion()->isAncestor(op.getParentRegion())) continue;
    return absl::StrCat("is not valid: ", name, " uses a value that is not there");
  }
  auto function = mlir::dyn_cast<mlir::func::FuncOp>(op.getParentOp());
  const bool is_last = op.getNextNode() == nullptr;
  if (function && is_last && !op.mightHaveTrait<mlir::OpTrait::IsTerminator>()) return "is not valid: nothing ends it";
  if (!function || name != "func.return" || op.getOperandTypes() == function.getResultTypes()) return "";
  return "is not valid: it returns other types than it declares";
}

}  // namespace tosaic
