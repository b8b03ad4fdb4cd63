// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/watch_list.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

constexpr absl::string_view kPasses = "passes";

// In these, {op} stands for the classes of the catalogue's ops.
constexpr struct {
  absl::string_view group, glob;
} kRows[] = {
    {"fold", "mlir::tosa::{op}::fold*"},
    {"verify", "mlir::tosa::{op}::verify*"},
    {"infer", "mlir::tosa::{op}::inferReturnTypeComponents*"},
    {"canonicalize", "mlir::tosa::{op}::canonicalize*"},
    {"canonicalize", "mlir::tosa::{op}::getCanonicalizationPatterns*"},
    {"canonicalize", "{ClampIsNoOp,ClampClampOptimization}*"},
    {"tosa-to-linalg", "mlir::tosa::populateTosaToLinalgConversionPatterns*"},
    {"tosa-to-linalg", "(anonymous namespace)::PointwiseConverter<*"},
    {"tosa-to-linalg", "(anonymous namespace)::TosaToLinalg [[]*"},
    {"transforms", "(anonymous namespace)::TosaInferShapes*"},
    {"transforms", "(anonymous namespace)::TosaLayerwiseConstantFoldPass*"},
    {"transforms", "(anonymous namespace)::TosaFoldConstantReciprocal*"},
    {"transforms", "mlir::tosa::populateTosaFoldConstantReciprocalPatterns*"},
    {"transforms", "(anonymous namespace)::TosaMakeBroadcastable*"},
    {"transforms", "(anonymous namespace)::ConvertTosaOp<*"},
    {"transforms", "(anonymous namespace)::TosaOptionalDecompositions*"},
    {"transforms", "(anonymous namespace)::TosaValidation*"},
    {"transforms", "mlir::tosa::EqualizeRanks*"},
    // Behind TOSA: folders of other dialects that a campaign enters.
    {"arith",
     "mlir::arith::{AddFOp,AddIOp,AddUIExtendedOp,AndIOp,BitcastOp,CmpFOp,CmpIOp,DivFOp,DivSIOp,ExtFOp,ExtSIOp,ExtUIOp,"
     "FPToSIOp,IndexCastOp,MaximumFOp,MaxSIOp,MaxUIOp,MinimumFOp,MinSIOp,MulFOp,MulIOp,NegFOp,OrIOp,SelectOp,ShLIOp,"
     "ShRSIOp,ShRUIOp,SIToFPOp,SubFOp,SubIOp,TruncFOp,TruncIOp,UIToFPOp,XOrIOp}::fold*"},
    {"math",
     "mlir::math::{AbsFOp,CeilOp,CopySignOp,CosOp,CountLeadingZerosOp,ErfOp,ExpOp,FloorOp,LogOp,PowFOp,RoundEvenOp,"
     "RoundOp,SinOp,TanhOp}::fold*"},
    {"tensor", "mlir::tensor::{ExpandShapeOp,CollapseShapeOp,DimOp}::{fold,verify}*"},
    {"affine", "mlir::affine::{AffineApplyOp,AffineForOp,AffineLoadOp}::fold*"},
    {"scf", "mlir::scf::IfOp::fold*"},
    // Passes on linalg, loops and buffers that routes and sequences run, and what they call.
    {kPasses,
     "mlir::linalg::{fuseElementwiseOps,areElementwiseOpsFusable,dropUnitDims,specializeGenericOp,generalizeNamedOp}*"},
    {kPasses,
     "(anonymous namespace)::{FuseElementwiseOps,DropUnitDims,FoldScalarOrSplatConstant,InlineScalarOperands}*"},
    {kPasses,
     "mlir::affine::{fuseLoops,canFuseLoops,loopUnrollByFactor,loopUnrollJamByFactor,normalizeAffineFor,"
     "affineScalarReplace,affineParallelize,isLoopParallel,tilePerfectlyNested,coalesceLoops,vectorizeAffineLoops}*"},
    {kPasses,
     "(anonymous namespace)::{LoopFusion,Vectorize,AffineParallelize,LoopTiling,LoopUnroll,LoopUnrollAndJam,"
     "LoopCoalescing,AffineScalarReplacement,SimplifyAffineStructures,LoopInvariantCodeMotion} [[]*"},
    {kPasses, "mlir::scf::{peelForLoopAndSimplifyBounds,naivelyFuseParallelOps,tileParallelLoop}*"},
    {kPasses,
     "(anonymous namespace)::{ForLowering,ParallelLowering,IfLowering,ForLoopRangeFolding,ForLoopPeelingPattern,"
     "ForLoopLoweringPattern,NarrowElementwise,BufferDeallocation,AffineForLowering,AffineParallelLowering} [[]*"},
    {"memref", "mlir::memref::{CollapseShapeOp,CopyOp,DimOp,ExpandShapeOp,ReinterpretCastOp}::fold*"},
};

constexpr Unreachable kUnreachable[] = {
    {"mlir::affine::tilePerfectlyNestedParametric*",
     "tile sizes that are values, which no pass of a pipeline asks for"},
    {"*verifyInherentAttrs*", "of the generic form of text that MLIR parses; Tosaic builds ops"},
};

}  // namespace

std::string ClassOf(absl::string_view op) {
  if (op == "intdiv") return "IntDivOp";
  std::string name;
  for (const absl::string_view word : absl::StrSplit(op, '_')) {
    absl::StrAppend(&name, std::string(1, absl::ascii_toupper(word.front())), word.substr(1));
  }
  return name + "Op";
}

std::vector<WatchPattern> DefaultWatchList() {
  const std::string ops =
      absl::StrJoin(AllOps(), ",", [](std::string* out, const OpInfo& op) { out->append(ClassOf(op.name)); });
  std::vector<WatchPattern> list;
  for (const auto& [group, glob] : kRows) {
    list.push_back({std::string(group), absl::StrReplaceAll(glob, {{"{op}", absl::StrCat("{", ops, "}")}})});
  }
  return list;
}

std::vector<WatchPattern> GuidingWatchList() {
  std::vector<WatchPattern> list = DefaultWatchList();
  std::erase_if(list, [](const WatchPattern& pattern) {
    return pattern.group == kPasses || absl::StrContains(pattern.glob, "populate") ||
           absl::StrContains(pattern.glob, "getCanonicalizationPatterns");
  });
  return list;
}

absl::Span<const Unreachable> UnreachableFunctions() { return kUnreachable; }

}  // namespace tosaic
