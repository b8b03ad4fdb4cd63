// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic export-arm: the conformance suite as tests for the runner of Arm's. Runs no MLIR.
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/status.h"
#include "conformance/arm_export.h"
#include "generators/suite.h"
#include "model/counted.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct ExportArmFlags {
  std::string out;
  std::vector<std::string> ops;
  std::optional<int> runs;
};

// Counts of the tests that were written, for the command's last lines.
struct Written {
  uint64_t tests = 0, must_fail = 0;
  std::map<std::string, uint64_t> left_out;  // cases, by reason
};

absl::Status Write(const ExportArmFlags& flags, const std::string& name, Case test_case, Written* written) {
  const size_t runs = static_cast<size_t>(flags.runs.value_or(INT_MAX));
  if (test_case.runs.size() > runs) test_case.runs.resize(runs);
  const absl::StatusOr<std::vector<ArmFolder>> folders = ArmFoldersOf(name, test_case, Policies());
  if (absl::IsUnimplemented(folders.status())) {
    ++written->left_out[std::string(folders.status().message())];
    return absl::OkStatus();
  }
  TOSAIC_RETURN_IF_ERROR(folders.status());
  for (const ArmFolder& folder : *folders) {
    const std::string path = absl::StrCat(flags.out, "/", folder.name);
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(path));
    for (const auto& [file, content] : folder.files) {
      TOSAIC_RETURN_IF_ERROR(WriteFile(absl::StrCat(path, "/", file), content));
    }
    ++written->tests;
    if (folder.must_fail) ++written->must_fail;
  }
  return absl::OkStatus();
}

absl::StatusOr<int> RunExportArm(const ExportArmFlags& flags) {
  std::vector<OpKind> ops;
  TOSAIC_RETURN_IF_ERROR(ParseOps(flags.ops, &ops));
  TOSAIC_RETURN_IF_ERROR(CheckNewFolder(flags.out));
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(flags.out));
  Written written;
  for (const SuiteTile& tile : SuiteTiles(SuiteProfile::kAll, ops)) {
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      TOSAIC_RETURN_IF_ERROR(Write(flags, tile.cases[i], SuiteCaseOf(tile, i), &written));
    }
  }
  std::printf("%s: %s, %d of which must be refused\n", flags.out.c_str(), Counted(written.tests, "test").c_str(),
              static_cast<int>(written.must_fail));
  for (const auto& [why, count] : written.left_out) {
    std::printf("%s left out: %s\n", Counted(count, "case").c_str(), why.c_str());
  }
  return kExitAgree;
}

}  // namespace

void AddExportArm(CLI::App& app, CommandLine& command_line) {
  CLI::App* command = app.add_subcommand("export-arm", "write the conformance suite as tests for Arm's test runner");
  auto flags = std::make_shared<ExportArmFlags>();
  command->add_option("--out", flags->out, "the folder to write; it must be new or empty")
      ->required()
      ->type_name("DIR");
  command->add_option("--ops", flags->ops, "only these ops: add,select")->delimiter(',')->type_name("OP");
  command->add_option("--runs", flags->runs, "write at most this many runs of a case (default: all)")
      ->check(NumberFrom(1, 1000));
  command->callback([flags, &command_line] { command_line.action = [flags] { return RunExportArm(*flags); }; });
}

}  // namespace tosaic
