// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pass_runner.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include "toolchain/progress.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Tells which pass is at work, and after a failure whether the pass said no or left IR that does not verify.
class PassWatch : public mlir::PassInstrumentation {
 public:
  void Begin(StageWalk* walk) {
    walk_ = walk;
    pass_.clear();
    illegal_ir_ = false;
    loose_constant_.clear();
  }
  const std::string& pass() const { return pass_; }
  bool illegal_ir() const { return illegal_ir_; }
  // The first pass that left a constant of a type without static shape; empty if none did.
  const std::string& loose_constant() const { return loose_constant_; }

  void runBeforePass(mlir::Pass* pass, mlir::Operation*) override {
    const llvm::StringRef name = pass->getArgument();
    if (name.empty()) return;  // the adaptor around nested passes
    pass_ = name.str();
    EnterPass(pass_);
  }

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument().empty() || !loose_constant_.empty()) return;
    op->walk([&](mlir::Operation* inner) {
      // ub.poison, which stands for no data, may have any type.
      if (!inner->hasTrait<mlir::OpTrait::ConstantLike>() || inner->getName().getStringRef() == "ub.poison") return;
      const auto type = mlir::dyn_cast<mlir::ShapedType>(inner->getResult(0).getType());
      if (type && !type.hasStaticShape()) loose_constant_ = pass->getArgument().str();
    });
  }

  // The pass manager's verifier reports through here as well. Verifying again gives the same diagnostics: where
  // they are the tail of what was emitted, it was the verifier that failed and not the pass.
  void runAfterPassFailed(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument().empty() || illegal_ir_) return;
    std::vector<std::string>& emitted = walk_->errors();
    const size_t before = emitted.size();
    if (mlir::succeeded(mlir::verify(op))) return;
    const size_t again = emitted.size() - before;
    illegal_ir_ = again > 0 && again <= before &&
                  std::equal(emitted.begin() + static_cast<ptrdiff_t>(before), emitted.end(),
                             emitted.begin() + static_cast<ptrdiff_t>(before - again));
    emitted.resize(before);
  }

 private:
  StageWalk* walk_ = nullptr;
  std::string pass_;
  bool illegal_ir_ = false;
  std::string loose_constant_;
};

absl::StatusOr<PassRunner::Pipeline*> PassRunner::PipelineFor(const Route& route) {
  Pipeline& pipeline = pipelines_[std::string(route.name)];
  if (pipeline.passes == nullptr) {
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto parsed = mlir::parsePassPipeline(llvm::StringRef(route.pipeline.data(), route.pipeline.size()), stream);
    if (mlir::failed(parsed) || parsed->getOpAnchorName() != "builtin.module") {
      pipelines_.erase(std::string(route.name));
      const std::string why = errors.substr(0, errors.find('\n'));  // then the text again, with a caret
      return absl::InvalidArgumentError(
          DoesNotParse(route.pipeline, why.empty() ? "it must be builtin.module(...)" : why));
    }
    auto passes = std::make_unique<mlir::PassManager>(context_, "builtin.module");
    static_cast<mlir::OpPassManager&>(*passes) = std::move(*parsed);
    passes->enableVerifier(true);
    auto watch = std::make_unique<PassWatch>();
    pipeline.watch = watch.get();
    passes->addInstrumentation(std::move(watch));
    pipeline.passes = std::move(passes);
  }
  return &pipeline;
}

bool PassRunner::Run(mlir::ModuleOp module, const Route& route, StageWalk& walk) {
  absl::StatusOr<Pipeline*> pipeline = PipelineFor(route);
  if (!pipeline.ok()) return walk.End(Outcome::kToolFailure, std::string(pipeline.status().message()));
  PassWatch* watch = (*pipeline)->watch;
  watch->Begin(&walk);
  const bool succeeded = mlir::succeeded((*pipeline)->passes->run(module));
  if (!route.extracts && !watch->loose_constant().empty()) {  // there the contract has a rule of its own
    walk.observation.pass = watch->loose_constant();
    walk.errors().insert(walk.errors().begin(), std::string(kLooseConstant));
    return walk.End(Outcome::kIllegalIr);
  }
  if (succeeded) return true;
  walk.observation.pass = watch->pass();
  return walk.End(watch->illegal_ir() ? Outcome::kIllegalIr : Outcome::kRefused);
}

}  // namespace tosaic
