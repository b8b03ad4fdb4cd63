// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/dated_build.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/op_catalogue.h"
#include "model/pass_pipeline.h"
#include "toolchain/cache_directory.h"
#include "toolchain/external/kept_tool_end.h"
#include "workers/tool_process.h"

namespace tosaic {

namespace fs = std::filesystem;

// The file that ci/install_versions.sh writes beside the program.
void Fields(Visitor& v, DatedBuild& build) {
  v("source", build.source);
  v("date", build.date);
  v.MayLack("program", build.program);
  v.Optional("is_latest_day", build.is_latest_day);
}

std::vector<DatedBuild> ListDatedBuilds() {
  std::vector<DatedBuild> builds;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(CacheDirectory() / "versions", ignored)) {
    std::ifstream in(entry.path() / "build.json");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    absl::StatusOr<DatedBuild> build = FromText<DatedBuild>(text);
    if (!build.ok()) continue;  // a folder of something else
    build->name = entry.path().filename().string();
    build->opt = (entry.path() / build->program).string();
    builds.push_back(*std::move(build));
  }
  absl::c_sort(builds, [](const DatedBuild& a, const DatedBuild& b) {
    return std::pair(a.date, a.name) < std::pair(b.date, b.name);
  });
  return builds;
}

absl::StatusOr<PassNames> PassesOf(const DatedBuild& build) {
  const std::string folder = fs::path(build.opt).parent_path().string();
  const ToolEnd end = RunToolKept(folder, {build.opt, "--help"}, "", {.cpu_seconds = 10, .wall_seconds = 30});
  PassNames passes;
  // "      --tosa-to-linalg        -   Lower TOSA to LinAlg on tensors"
  for (absl::string_view line : absl::StrSplit(end.out, '\n')) {
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "--")) continue;
    passes.emplace(line.substr(0, line.find_first_of(" =")));
  }
  if (end.how == ToolEnd::How::kExited && !passes.empty()) return passes;
  return absl::InvalidArgumentError(absl::StrCat(build.opt, " does not say which passes it has"));
}

bool HasPlainShapes(const Program& program) {
  return absl::c_all_of(program.ops, [&](const OpApplication& op) {
    const size_t broadcast = BroadcastOperandCount(Info(op.op));
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const Shape& shape = TypeOf(program, op.operands[i]).shape;
      if (!shape.IsStatic()) return false;
      if (i < broadcast && op.op != OpKind::kReshape && shape.rank() != op.result.shape.rank()) return false;
    }
    return op.result.shape.IsStatic();
  });
}

absl::StatusOr<Halves> SplitAtBuffers(absl::string_view pipeline, const PassNames& passes) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> all, SplitPipeline(pipeline));
  const auto buffers = absl::c_find_if(all, [](const PipelinePass& pass) { return pass.name == "one-shot-bufferize"; });
  Halves halves;
  std::vector<PipelinePass> first;
  for (auto pass = all.begin(); pass != buffers; ++pass) {
    if (passes.count(pass->name) == 0) {
      halves.lost.push_back(pass->name);
    } else {
      first.push_back(*pass);
    }
  }
  halves.first = JoinPipeline(first);
  if (buffers != all.end())
    halves.second = JoinPipeline(absl::MakeConstSpan(all).subspan(static_cast<size_t>(buffers - all.begin())));
  return halves;
}

std::string JoinHalves(const Halves& halves) { return ChainPipelines({halves.first, halves.second}); }

}  // namespace tosaic
