// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic conform: the deterministic conformance suite, and the corpus with it.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/work_directory.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "conformance/arm_conformance.h"
#include "conformance/arm_suite.h"
#include "conformance/conformance.h"
#include "generators/suite.h"
#include "results/text.h"
#include "tools/case_input.h"
#include "tools/embedded_corpus.h"
#include "tools/formatted.h"
#include "tools/stock_mlir.h"
#include "tools/suite.h"
#include "tools/sweep.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct ConformFlags {
  ToolchainFlags toolchain;
  SuiteFlags suite;
  std::string out;
  std::string work;
  FormatFlag format;
};

using Corpus = std::vector<std::pair<std::string, Case>>;

// Adds the case of a file, on the route asked for if there is one. Probes of the trait are not for a suite.
absl::Status AddToCorpus(const std::string& name, absl::StatusOr<SpecCase> read, const ToolchainFlags& toolchain,
                         Corpus* corpus) {
  if (!read.ok()) return read.status();
  Case* test_case = std::get_if<Case>(&read->subject);
  if (test_case == nullptr) return absl::OkStatus();
  TOSAIC_RETURN_IF_ERROR(toolchain.ApplyRoute(name, test_case));
  corpus->emplace_back(name, std::move(*test_case));
  return absl::OkStatus();
}

absl::StatusOr<Corpus> ReadCorpus(const std::vector<std::string>& paths, const ToolchainFlags& toolchain) {
  Corpus corpus;
  if (paths.empty()) {
    for (const EmbeddedFile& file : EmbeddedCorpus()) {
      TOSAIC_RETURN_IF_ERROR(AddToCorpus(std::string(file.path), SpecCaseFromText(file.content), toolchain, &corpus));
    }
  }
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, JsonCaseFilesAt(paths));
  for (const std::string& file : files) {
    TOSAIC_RETURN_IF_ERROR(AddToCorpus(file, ReadSpecCase(file), toolchain, &corpus));
  }
  return corpus;
}

absl::StatusOr<int> RunConform(const ConformFlags& flags, const std::string& command_line) {
  std::vector<std::string> read = flags.suite.corpus;
  read.insert(read.end(), {flags.suite.known, flags.suite.given, flags.work});
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, read));
  const std::string work = flags.work.empty() ? flags.out + ".part" : flags.work;
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain));
  SuiteFlags suite = flags.suite;
  suite.reproducers = !flags.work.empty();
  TOSAIC_ASSIGN_OR_RETURN(const ConformanceReport report,
                          RunSuite(suite, flags.toolchain, *toolchain, command_line, work));
  const std::string result = Dump(ToJson(report), 1) + "\n";
  TOSAIC_RETURN_IF_ERROR(WriteFile(flags.out, result));
  if (flags.work.empty() && !report.interrupted) RemoveWork(work);
  TOSAIC_RETURN_IF_ERROR(flags.format.Print(report, flags.out, ToText(report)));
  const bool asked_any = !report.cases.empty() || absl::c_any_of(report.unwritable, [](const UnwritableTest& test) {
    return !test.test.refused_by.empty();
  });
  if (!flags.suite.given.empty() && !asked_any && !report.interrupted) {
    return absl::InvalidArgumentError(
        absl::StrCat("--suite=", flags.suite.given, ": there is nothing that Tosaic can run"));
  }
  const bool have_values_faults = report.values && !report.values->harness_faults.empty();
  if (!report.harness_faults.empty() || have_values_faults) return kExitHarness;
  if (report.interrupted) return kExitInterrupted;
  const bool is_a_value_new = report.values && AnyUrgent(report.values->findings);
  const bool diverges = AnyUrgent(report.findings) || is_a_value_new || !WronglyAccepted(report.unwritable).empty();
  return diverges ? kExitDivergence : kExitAgree;
}

}  // namespace

void SuiteFlags::AddTo(CLI::App& app) {
  app.add_option("--profile", profile,
                 "which element types: those of one profile of the specification, all of the specification, or all "
                 "that the dialect accepts")
      ->check(OneOf({"pro-int", "pro-fp", "all", "accepted"}))
      ->capture_default_str();
  app.add_option("--ops", ops, "only these ops: add,mul")->delimiter(',');
  app.add_option("--corpus", corpus, "case files, or directories of them (default: the corpus of this build)")
      ->type_name("PATH");
  AddKnown(app, &known);
  AddJobs(app, &jobs);
  app.add_flag("--no-reduce", no_reduce, "do not reduce the findings");
  auto* all =
      app.add_flag("--all-values", all_values,
                   "also try all values, as 'sweep --values --all' does: hours, or minutes with --ops and --types");
  app.add_option("--types", value_types, "--all-values: only these element types of the inputs: f32,f16")
      ->delimiter(',')
      ->needs(all);
  policy.AddTo(app);
}

absl::StatusOr<ConformanceOptions> SuiteOptionsOf(const SuiteFlags& suite, const ToolchainFlags& toolchain_flags) {
  ConformanceOptions options;
  options.ir = suite.ir;
  options.profile = *Find<SuiteProfile>(suite.profile);
  if (std::string route = toolchain_flags.RouteAskedFor(); !route.empty()) options.route = std::move(route);
  TOSAIC_RETURN_IF_ERROR(ParseOps(suite.ops, &options.ops));
  if (!suite.given.empty()) return options;
  TOSAIC_ASSIGN_OR_RETURN(Corpus corpus, ReadCorpus(suite.corpus, toolchain_flags));
  std::erase_if(corpus, [&](const auto& entry) {
    const OpKind op = entry.second.program.ops.back().op;
    return !options.ops.empty() && std::find(options.ops.begin(), options.ops.end(), op) == options.ops.end();
  });
  options.corpus = std::move(corpus);
  return options;
}

namespace {

// Arm's tests of the ops asked for, on the route asked for.
absl::StatusOr<std::vector<ArmTest>> GivenTests(const SuiteFlags& suite, const ToolchainFlags& toolchain,
                                                const std::vector<OpKind>& ops) {
  TOSAIC_ASSIGN_OR_RETURN(std::vector<ArmTest> tests, At("--suite", ReadArmSuite(suite.given, ops)));
  for (ArmTest& test : tests) {
    if (test.test_case) TOSAIC_RETURN_IF_ERROR(toolchain.ApplyRoute(test.name, &*test.test_case));
  }
  return tests;
}

}  // namespace

namespace {

SweepFlags AllValuesOf(const SuiteFlags& suite, const ToolchainFlags& toolchain) {
  SweepFlags sweep;
  sweep.toolchain = toolchain;
  sweep.policy = suite.policy;
  sweep.ops = suite.ops;
  sweep.types = suite.value_types;
  sweep.jobs = suite.jobs;
  sweep.known = suite.known;
  sweep.all = true;
  return sweep;
}

}  // namespace

absl::StatusOr<ConformanceReport> RunSuite(const SuiteFlags& suite, const ToolchainFlags& toolchain_flags,
                                           Toolchain& toolchain, const std::string& command_line,
                                           const std::string& work) {
  TOSAIC_ASSIGN_OR_RETURN(ConformanceOptions options, SuiteOptionsOf(suite, toolchain_flags));
  CampaignOptions& campaign = options.campaign;
  campaign.jobs = suite.jobs;
  campaign.limits = toolchain_flags.limits;
  campaign.judge = suite.policy.ToOptions();
  campaign.out = work;
  campaign.command_line = command_line;
  campaign.reduce = !suite.no_reduce;
  campaign.reproducers = suite.reproducers;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(suite.known, toolchain, false, &campaign.known));
  TOSAIC_ASSIGN_OR_RETURN(campaign.known_cases, CasesOf(campaign.known));
  const StockMlir stock = StockMlirOf(toolchain_flags, toolchain);
  campaign.base = stock.base;
  campaign.read = ReaderFor(toolchain_flags);
  if (!suite.given.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<ArmTest> tests, GivenTests(suite, toolchain_flags, options.ops));
    return RunArmSuite(toolchain, std::move(options), tests, StopOnSignals());
  }
  SweepFlags all_values = AllValuesOf(suite, toolchain_flags);
  if (suite.all_values) TOSAIC_RETURN_IF_ERROR(CheckValueSweep(all_values));
  TOSAIC_ASSIGN_OR_RETURN(ConformanceReport report, RunConformance(toolchain, options, StopOnSignals()));
  if (!suite.all_values || report.interrupted) return report;
  all_values.work = absl::StrCat(work, "/values");
  TOSAIC_ASSIGN_OR_RETURN(report.values, RunValues(all_values, toolchain, command_line));
  report.interrupted = report.values->interrupted;
  return report;
}

void AddConform(CLI::App& app, CommandLine& command_line) {
  CLI::App* conform = app.add_subcommand("conform", "run the conformance suite, and write a report of what conforms");
  auto flags = std::make_shared<ConformFlags>();
  conform->add_option("--out", flags->out, "write the report to this file, as JSON")->type_name("FILE")->required();
  conform
      ->add_option("--work", flags->work,
                   "keep the work directory of the run there, with a folder per finding (default: beside the report "
                   "while it runs)")
      ->type_name("DIR");
  flags->toolchain.AddTo(*conform);
  conform->remove_option(conform->get_option("--target"));  // the suite judges the lowering
  flags->suite.AddTo(*conform);
  conform
      ->add_option("--suite", flags->suite.given,
                   "run the tests of Arm's conformance suite below this directory, in the place of Tosaic's own suite")
      ->type_name("DIR")
      ->excludes("--corpus")
      ->excludes("--all-values")
      ->excludes("--profile");
  conform->add_flag("--ir", flags->suite.ir,
                    "also keep what each case's IR is like before bufferization and at the end, and the size of its "
                    "code, for 'compare'");
  flags->format.AddTo(*conform);
  conform->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunConform(*flags, command_line.text); };
  });
}

}  // namespace tosaic
