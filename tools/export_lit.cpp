// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic export-lit: the conformance suite as lit tests for MLIR's own tree. Runs no MLIR.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "checking/files.h"
#include "codec/status.h"
#include "lit/lit_suite.h"
#include "model/counted.h"
#include "model/pass_pipeline.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct ExportFlags {
  std::string out;
  std::vector<std::string> ops;
  std::string form = "generic";
  LitOptions options;
};

// They stand in a quoted argument of each RUN line. Which passes exist is known to whoever runs the tests.
absl::Status CheckPasses(absl::string_view passes) {
  const bool is_split = SplitPipeline(absl::StrCat("builtin.module(func.func(", passes, "))")).ok();
  if (is_split && passes.find_first_of("\"'\\`$\n") == passes.npos) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--pass=", passes, ": these are no passes as mlir-opt takes them, 'canonicalize,tosa-to-linalg'"));
}

absl::StatusOr<int> RunExport(const ExportFlags& flags) {
  LitOptions options = flags.options;
  options.form = *Find<LitForm>(flags.form);
  TOSAIC_RETURN_IF_ERROR(ParseOps(flags.ops, &options.ops));
  TOSAIC_RETURN_IF_ERROR(CheckPasses(options.pass));
  TOSAIC_RETURN_IF_ERROR(CheckNewFolder(flags.out));
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(flags.out));
  const std::vector<LitFile> files = LitSuite(options);
  for (const LitFile& file : files)
    TOSAIC_RETURN_IF_ERROR(WriteFile(absl::StrCat(flags.out, "/", file.name), file.content));
  std::printf("%s: %s; run them with: lit %s\n", flags.out.c_str(), Counted(files.size(), "file").c_str(),
              flags.out.c_str());
  return kExitAgree;
}

}  // namespace

void AddExportLit(CLI::App& app, CommandLine& command_line) {
  CLI::App* command = app.add_subcommand("export-lit", "write the conformance suite as lit tests for MLIR's own tree");
  auto flags = std::make_shared<ExportFlags>();
  command->add_option("--out", flags->out, "the folder to write; it must be new or empty")
      ->required()
      ->type_name("DIR");
  command->add_option("--ops", flags->ops, "only these ops: add,select")->delimiter(',')->type_name("OP");
  command->add_option("--pass", flags->options.pass, "the passes to test, which run on functions")
      ->type_name("PASSES")
      ->capture_default_str();
  command->add_option("--form", flags->form, "what an op is lowered to where both are right")
      ->check(OneOf({"generic", "elementwise"}))
      ->capture_default_str();
  command->callback([flags, &command_line] { command_line.action = [flags] { return RunExport(*flags); }; });
}

}  // namespace tosaic
