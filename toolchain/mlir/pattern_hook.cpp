// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pattern_hook.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/DialectConversion.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

// The module around an op, which stays whatever a pattern does; null for an op outside of one.
mlir::Operation* ModuleOf(mlir::Operation* root) {
  mlir::Operation* op = root;
  while (op->getParentOp() != nullptr) op = op->getParentOp();
  return op != root && llvm::isa<mlir::ModuleOp>(op) ? op : nullptr;
}

bool IsOfTosa(mlir::Operation* op) { return llvm::isa_and_present<mlir::tosa::TosaDialect>(op->getDialect()); }

// Changes when an op comes or goes, or when the root, if it is still there, gets other operands, results or
// attributes. An action does not say whether its pattern matched.
uint64_t Fingerprint(mlir::Operation* module, mlir::Operation* root) {
  uint64_t hash = 0;
  auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15; };
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    mix(reinterpret_cast<uintptr_t>(op));
    if (op != root) return;
    mix(reinterpret_cast<uintptr_t>(op->getDiscardableAttrDictionary().getAsOpaquePointer()));
    mix(static_cast<size_t>(op->hashProperties()));
    for (mlir::Value operand : op->getOperands()) mix(reinterpret_cast<uintptr_t>(operand.getAsOpaquePointer()));
    for (mlir::Type type : op->getResultTypes()) mix(reinterpret_cast<uintptr_t>(type.getAsOpaquePointer()));
  });
  return hash;
}

}  // namespace

mlir::Operation* RootOfPattern(const mlir::tracing::Action& action) {
  if (!llvm::isa<mlir::ApplyPatternAction>(action)) return nullptr;
  for (mlir::IRUnit unit : action.getContextIRUnits()) {
    if (auto* op = llvm::dyn_cast_if_present<mlir::Operation*>(unit)) return op;
  }
  return nullptr;
}

// The action keeps its pattern to itself and prints the name: "`apply-pattern pattern: NAME".
std::string PatternName(const mlir::tracing::Action& action) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  action.print(stream);
  absl::string_view name = text;
  if (const size_t at = name.find("pattern: "); at != absl::string_view::npos) name.remove_prefix(at + 9);
  return std::string(absl::StripSuffix(name, "`"));
}

bool ChangedBy(llvm::function_ref<void()> act, mlir::Operation* root) {
  mlir::Operation* module = ModuleOf(root);
  if (module == nullptr) {
    act();
    return false;
  }
  const uint64_t before = Fingerprint(module, root);
  act();
  return Fingerprint(module, root) != before;
}

void RegisterPatternHook(mlir::MLIRContext* context, std::function<void(absl::string_view)> on_pattern) {
  if (on_pattern == nullptr) return context->registerActionHandler(nullptr);
  context->registerActionHandler(
      [on_pattern = std::move(on_pattern)](llvm::function_ref<void()> act, const mlir::tracing::Action& action) {
        mlir::Operation* root = RootOfPattern(action);
        if (root == nullptr || root->getParentOp() == nullptr || !IsOfTosa(root)) return act();
        if (ChangedBy(act, root)) on_pattern(PatternName(action));
      });
}

std::vector<std::string> ElementwisePatterns(mlir::MLIRContext* context) {
  mlir::RewritePatternSet patterns(context);
  mlir::TypeConverter converter;
  mlir::tosa::populateTosaToLinalgConversionPatterns(converter, &patterns);
#if LLVM_VERSION_MAJOR >= 21
  mlir::tosa::populateTosaToLinalgNamedConversionPatterns(converter, &patterns, {});
#else
  mlir::tosa::populateTosaToLinalgNamedConversionPatterns(&patterns, {});
#endif
  mlir::tosa::populateTosaToArithConversionPatterns(&patterns);
  mlir::tosa::populateTosaFoldConstantReciprocalPatterns(context, patterns);
  std::set<std::string> ops;
  for (const OpInfo& op : AllOps()) ops.insert(absl::StrCat("tosa.", op.name));
  for (const std::string& op : ops) {
    if (auto name = mlir::RegisteredOperationName::lookup(op, context)) {
      name->getCanonicalizationPatterns(patterns, context);
    }
  }
  std::set<std::string> names;
  for (const std::unique_ptr<mlir::RewritePattern>& pattern : patterns.getNativePatterns()) {
    const auto root = pattern->getRootKind();
    if (root && ops.contains(root->getStringRef().str())) names.insert(pattern->getDebugName().str());
  }
  names.erase("");  // nobody can tell whether a pattern without a name has fired
  return {names.begin(), names.end()};
}

}  // namespace tosaic
