// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A case on its way through mlir-opt and mlir-translate: the stages from build to translate, each for many cases at
// once.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_WALK_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_WALK_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "codec/visitor.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/routes.h"
#include "toolchain/external/tool_calls.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Where the walk ended, or the LLVM IR or object file with which it goes on in this process.
struct ToolWalk {
  const Case* test_case = nullptr;
  const Route* route = nullptr;  // null: the toolchain has no such route
  std::string program;           // in the dialect's words, then as the last tool left it
  std::optional<ToolAnswer> lowered;
  bool is_object = false;  // the program is an object file
  std::string llvm_ir;     // that the object file was made of, if known
  bool ended = false;
  Observation observation;
};

// How far it has come, without the case, the route and the program, which may be any bytes.
void Fields(Visitor& v, ToolWalk& walk);

void EndWalk(Outcome outcome, std::vector<std::string> diagnostics, ToolWalk* walk);
// No tool can run what was lowered: the run is refused, and everything before it can be judged.
void EndBeforeRun(std::string why, ToolWalk* walk);

// Op by op: what their own inference says.
inline constexpr absl::string_view kInferShapes = "builtin.module(func.func(tosa-infer-shapes))";

// The limits of the tools.
struct ToolLimitsFound {
  std::vector<RouteLimit> routes;
  bool infers = true;
  std::string lowers_nothing;  // if not empty, why they have no route at all; the stages before lowering are judged
};

// The stages; each goes on with the walks that have not ended.
class ToolStages {
 public:
  // The calls and the description must outlive it.
  ToolStages(const ToolCalls& calls, const ToolchainDescription& description, ToolLimitsFound limits)
      : calls_(calls), description_(description), limits_(std::move(limits)) {}
  // All of them.
  void Walk(absl::Span<ToolWalk> walks) const;

 private:
  void Build(absl::Span<ToolWalk> walks) const;
  std::string WhyNotLowered(const ToolWalk& walk) const;
  void TryLowering(absl::Span<ToolWalk> walks) const;
  void Verify(absl::Span<ToolWalk> walks) const;
  void Infer(absl::Span<ToolWalk> walks) const;
  void Lower(absl::Span<ToolWalk> walks) const;
  void EndLowering(ToolAnswer answer, ToolWalk* walk) const;
  bool EndAtPass(const Route& route, ToolAnswer* answer, ToolWalk* walk) const;
  void Translate(absl::Span<ToolWalk> walks) const;
  void TranslateToText(absl::Span<ToolWalk* const> walks) const;
  void KeepText(absl::Span<ToolWalk* const> walks) const;
  void MakeObject(bool by_runner, ToolWalk* walk) const;

  const ToolCalls& calls_;
  const ToolchainDescription& description_;
  const ToolLimitsFound limits_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_WALK_H_
