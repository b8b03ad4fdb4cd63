// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin: one pass, tosaic-break{what=NAME}, and the table as JSON text for whoever loads it.
#include <array>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "nlohmann/json.hpp"
#include "tests/broken_lowerings/broken_lowering.h"

namespace broken_lowerings {
namespace {

const std::array<llvm::ArrayRef<BrokenLowering>, 12> kParts = {
    BrokenFolders(), BrokenChains(), BrokenAlgebra(),       BrokenCorners(), BrokenShapes(),      BrokenPayloads(),
    BrokenScaling(), BrokenFloats(), BrokenSpecialValues(), BrokenLoops(),   BrokenCategoryOps(), BrokenInHiding()};

const BrokenLowering* Find(llvm::StringRef name) {
  for (llvm::ArrayRef<BrokenLowering> part : kParts) {
    for (const BrokenLowering& broken : part) {
      if (broken.name == name) return &broken;
    }
  }
  return nullptr;
}

std::string ListAsJson() {
  auto list = nlohmann::ordered_json::array();
  for (llvm::ArrayRef<BrokenLowering> part : kParts) {
    for (const BrokenLowering& broken : part) {
      list.push_back({{"name", broken.name.str()},
                      {"ops", broken.ops.str()},
                      {"breaks", broken.breaks.str()},
                      {"route", broken.route.str()},
                      {"after", broken.after.str()},
                      {"pass", "tosaic-break{what=" + broken.name.str() + "}"}});
      if (broken.strict_values) list.back()["strict_values"] = true;
    }
  }
  return list.dump(1);
}

class Break : public mlir::PassWrapper<Break, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Break)
  Break() = default;
  Break(const Break& other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "tosaic-break"; }
  llvm::StringRef getDescription() const override { return "one mistake in a lowering"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                    mlir::memref::MemRefDialect, mlir::scf::SCFDialect, mlir::tosa::TosaDialect>();
  }

  void runOnOperation() override {
    if (what_.empty()) return;
    const BrokenLowering* found = Find(what_);
    if (found == nullptr) {
      getOperation().emitError() << "tosaic-break: no broken lowering is named '" << what_ << "'";
      return signalPassFailure();
    }
    found->apply(getOperation());
  }

 private:
  Option<std::string> what_{*this, "what", llvm::cl::desc("which one; none by default"), llvm::cl::init("")};
};

}  // namespace
}  // namespace broken_lowerings

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tosaic-broken-lowerings", "1",
          [] { mlir::PassRegistration<broken_lowerings::Break>(); }};
}

extern "C" const char* tosaicBrokenLowerings() {
  static const std::string list = broken_lowerings::ListAsJson();
  return list.c_str();
}
