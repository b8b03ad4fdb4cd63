// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/ir_in_short.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "checking/changed_programs.h"
#include "model/digest.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "toolchain/execution/llvm_ir_text.h"

namespace tosaic {
namespace {

constexpr absl::string_view kNoPasses = "builtin.module()";

// Ops that MLIR prints without their dialect.
constexpr std::pair<absl::string_view, absl::string_view> kShortNames[] = {
    {"module", "builtin.module"},
    {"unrealized_conversion_cast", "builtin.unrealized_conversion_cast"},
    {"return", "func.return"},
    {"call", "func.call"},
    {"call_indirect", "func.call_indirect"}};

bool IsOfName(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// The op that begins a line; empty if none does.
std::string OpOf(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (absl::StartsWith(line, "%")) {
    const size_t equals = line.find(" = ");
    if (equals == line.npos) return "";
    line.remove_prefix(equals + 3);
  }
  const bool is_generic = absl::ConsumePrefix(&line, "\"");
  const auto end = std::find_if_not(line.begin(), line.end(), IsOfName);
  const absl::string_view name = line.substr(0, static_cast<size_t>(end - line.begin()));
  if (name.empty() || !absl::ascii_islower(static_cast<unsigned char>(name.front()))) return "";
  for (const auto& [written, full] : kShortNames) {
    if (name == written) return std::string(full);
  }
  const bool is_op =
      absl::StrContains(name, '.') && (end == line.end() || absl::StrContains(is_generic ? "\"" : " (", *end));
  return is_op ? std::string(name) : "";
}

std::optional<IrInShort> InShort(const absl::StatusOr<std::string>& mlir) {
  if (!mlir.ok()) return std::nullopt;
  const std::string text = WithoutCounts(absl::StripAsciiWhitespace(*mlir));
  return IrInShort{absl::StrFormat("%016x", Digest(text)), OpsIn(text)};
}

// The size of the code that lowered modules become, or why it is not known.
void AddCodeBytes(Lowering& lowering, const Route& route, const std::vector<absl::StatusOr<std::string>>& lowered,
                  std::vector<CaseIr*>& cases) {
  std::vector<std::string> modules;
  std::vector<CaseIr*> theirs;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!lowered[i].ok()) continue;
    modules.push_back(*lowered[i]);
    theirs.push_back(cases[i]);
  }
  const std::vector<absl::StatusOr<std::string>> llvm = lowering.LowerTexts(modules, kNoPasses, true);
  for (size_t i = 0; i < theirs.size(); ++i) {
    if (!llvm[i].ok()) {
      const bool lacks = absl::IsUnimplemented(llvm[i].status());
      theirs[i]->missing = absl::StrCat("no size of code: ", lacks ? llvm[i].status().message() : "no LLVM IR");
      continue;
    }
    const absl::StatusOr<uint64_t> bytes = CodeBytesOf(*llvm[i], GenerationOf(route));
    if (bytes.ok()) {
      theirs[i]->code_bytes = *bytes;
    } else {
      theirs[i]->missing = absl::StrCat("no size of code: ", bytes.status().message());
    }
  }
}

// The cases of one route.
void AddOnRoute(Toolchain& toolchain, const std::string& name, const std::vector<std::string>& programs,
                std::vector<CaseIr*>& cases) {
  const std::string pipeline = toolchain.description().PipelineOf(name);
  Lowering* lowering = toolchain.lowering();
  if (pipeline.empty() || lowering == nullptr) {
    for (CaseIr* case_ir : cases) {
      case_ir->missing = pipeline.empty() ? absl::StrCat("no route '", name, "'")
                                          : absl::StrCat(toolchain.description().name, kLacksText);
    }
    return;
  }
  const std::string first = UpToBufferization(pipeline);
  const auto tensors = lowering->LowerTexts(programs, first, false);
  const auto lowered = first == pipeline ? tensors : lowering->LowerTexts(programs, pipeline, false);
  for (size_t i = 0; i < cases.size(); ++i) {
    cases[i]->tensors = InShort(tensors[i]);
    cases[i]->lowered = InShort(lowered[i]);
    if (!lowered[i].ok()) cases[i]->missing = "refused by MLIR";
  }
  const Route* route = FindRoute(name);
  const Route plain{.name = "", .pipeline = "", .exercises = ""};
  if (route == nullptr || !EndsWithIr(*route))
    AddCodeBytes(*lowering, route != nullptr ? *route : plain, lowered, cases);
}

}  // namespace

std::string UpToBufferization(absl::string_view pipeline) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok()) return std::string(pipeline);
  const auto end = std::find_if(passes->begin(), passes->end(),
                                [](const PipelinePass& pass) { return absl::StrContains(pass.name, "bufferiz"); });
  if (end == passes->end()) return std::string(pipeline);
  return JoinPipeline(absl::MakeSpan(*passes).first(static_cast<size_t>(end - passes->begin())));
}

std::map<std::string, uint64_t> OpsIn(absl::string_view mlir) {
  std::map<std::string, uint64_t> ops;
  for (const absl::string_view line : absl::StrSplit(mlir, '\n')) {
    if (std::string op = OpOf(line); !op.empty()) ++ops[std::move(op)];
  }
  return ops;
}

std::vector<CaseIr> IrOf(Toolchain& toolchain, absl::Span<const Case> cases) {
  std::vector<CaseIr> irs(cases.size());
  struct OfRoute {
    std::vector<std::string> programs;
    std::vector<CaseIr*> cases;
  };
  std::map<std::string, OfRoute> routes;
  for (size_t i = 0; i < cases.size(); ++i) {
    OfRoute& route = routes[cases[i].route];
    route.programs.push_back(ToMlir(cases[i].program, toolchain.description().dialect));
    route.cases.push_back(&irs[i]);
  }
  for (auto& [name, route] : routes) AddOnRoute(toolchain, name, route.programs, route.cases);
  return irs;
}

absl::StatusOr<std::string> IrTextOf(Toolchain& toolchain, const Case& test_case, absl::string_view place) {
  const ToolchainDescription& description = toolchain.description();
  if (toolchain.lowering() == nullptr) return absl::UnimplementedError(absl::StrCat(description.name, kLacksText));
  const std::string pipeline = description.PipelineOf(test_case.route);
  return toolchain.lowering()->LowerText(ToMlir(test_case.program, description.dialect),
                                         place == "tensors" ? UpToBufferization(pipeline) : pipeline, false);
}

}  // namespace tosaic
