// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files of what mlir-opt lowered, made by tools of its own version: what versions agree on, as they do not on
// the text of LLVM IR.
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "toolchain/external/tool_calls.h"

namespace tosaic {
namespace {

constexpr absl::string_view kElf =
    "\x7f"
    "ELF";

// The function that mlir-runner runs, which takes none with arguments. Its object file has all functions of the module.
constexpr absl::string_view kNothing = "tosaic_nothing";

#if defined(__x86_64__)
constexpr absl::string_view kPlainCpu = "x86-64";
constexpr absl::string_view kLessOfHost = "-mattr=-sse3";  // which all later extensions of vectors build on
#else
constexpr absl::string_view kPlainCpu = "generic";
constexpr absl::string_view kLessOfHost = "";
#endif

// The lines of standard error, without the empty ones.
std::vector<std::string> LinesOf(absl::string_view text) { return absl::StrSplit(text, '\n', absl::SkipEmpty()); }

ToolAnswer ObjectIn(ToolEnd end, absl::string_view tool) {
  ToolAnswer answer;
  if (end.how != ToolEnd::How::kExited) return Ended(end, tool);
  if (end.status == 0 && absl::StartsWith(end.out, kElf)) {
    answer.how = Outcome::kCompleted;
    answer.module = std::move(end.out);
    return answer;
  }
  answer.errors = LinesOf(end.err);
  if (end.status == 0 || answer.errors.empty()) {
    answer.errors.insert(answer.errors.begin(),
                         absl::StrCat(tool, " ended with status ", end.status, " and printed no object file"));
    return answer;
  }
  answer.how = Outcome::kRefused;
  return answer;
}

// The libraries that programs may call, beside the tools: mlir-runner resolves what is called, though nothing is run.
std::string LibrariesOf(const ExternalTools& tools) {
  std::vector<std::string> files;
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::canonical(tools.runner, ignored).parent_path();
  for (const char* name : {"mlir_c_runner_utils", "mlir_float16_utils", "mlir_apfloat_wrappers"}) {
    const std::filesystem::path file = real.parent_path() / "lib" / absl::StrCat("lib", name, ".so");
    if (std::filesystem::exists(file, ignored)) files.push_back(file.string());
  }
  return absl::StrJoin(files, ",");
}

}  // namespace

ToolAnswer ToolCalls::ObjectByLlc(const Route& route, const std::string& llvm_ir) const {
  const std::string cpu = absl::StrCat("-mcpu=", route.host_cpu ? "native" : kPlainCpu);
  ToolEnd end = RunTool(
      {tools_.llc, "-filetype=obj", "-relocation-model=pic", route.optimized ? "-O2" : "-O0", cpu, "-o", "-", "-"},
      llvm_ir, limits_);
  return ObjectIn(std::move(end), "llc");
}

ToolAnswer ToolCalls::ObjectByRunner(const Route& route, const std::string& module) const {
  const size_t end_of_module = module.rfind('}');
  if (end_of_module == std::string::npos) return {};
  const std::string with_entry = absl::StrCat(module.substr(0, end_of_module), "llvm.func @", kNothing,
                                              "() {\n  llvm.return\n}\n", module.substr(end_of_module));
  std::vector<std::string> arguments = {tools_.runner,
                                        "-",
                                        absl::StrCat("-e=", kNothing),
                                        "--entry-point-result=void",
                                        "--dump-object-file",
                                        "--object-filename=/dev/stdout",
                                        route.optimized ? "-O2" : "-O0"};
  if (!route.host_cpu && !kLessOfHost.empty()) arguments.emplace_back(kLessOfHost);
  if (const std::string libraries = LibrariesOf(tools_); !libraries.empty()) {
    arguments.push_back(absl::StrCat("--shared-libs=", libraries));
  }
  return ObjectIn(RunTool(arguments, with_entry, limits_), "mlir-runner");
}

}  // namespace tosaic
