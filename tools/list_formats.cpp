// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic list-formats: the keys of every file and of all JSON that Tosaic writes, from the lists of fields that write
// and read them.
#include <cstdio>

#include "absl/algorithm/container.h"
#include "campaign/case_record.h"
#include "campaign/finding_group.h"
#include "campaign/identity.h"
#include "campaign/tally.h"
#include "checking/known_divergences.h"
#include "codec/codec.h"
#include "codec/key_tables.h"
#include "results/block_report.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/proof_comparison.h"
#include "results/proofs.h"
#include "results/report.h"
#include "results/sweep_comparison.h"
#include "results/type_sweep.h"
#include "results/value_sweep.h"
#include "sweeps/sweep_journal.h"
#include "toolchain/adapter/protocol.h"
#include "tools/printed.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct FormatRow {
  absl::string_view name;
  absl::string_view title;
  Json (*schema)();
};

constexpr FormatRow kFormats[] = {
    {"case", "A case file", Schema<Case>},
    {"campaign", "`summary.json` of `tosaic fuzz`", Schema<CampaignSummary>},
    {"finding", "`finding.json` of a finding's folder", Schema<Finding>},
    {"journal", "A line of `journal.jsonl`", Schema<CaseRecord>},
    {"group", "A line of `groups.jsonl`, for `tosaic merge`", Schema<FindingGroup>},
    {"tally", "`tally.json`, for `tosaic merge`", Schema<Tally>},
    {"conformance", "The result file of `tosaic conform`", Schema<ConformanceReport>},
    {"comparison", "The result file of `tosaic compare`", Schema<Comparison>},
    {"sweep", "The result file of `tosaic sweep`", Schema<SweepSummary>},
    {"values", "The result file of `tosaic sweep --values`", Schema<ValueSweepSummary>},
    {"sweep-journal", "A line of the `journal.jsonl` of `tosaic sweep --values --work`, but the first",
     Schema<SweepRecord>},
    {"proof-comparison", "`tosaic compare --format=json` of two results of `tosaic prove`", Schema<ProofComparison>},
    {"sweep-comparison", "`tosaic compare --format=json` of two results of `tosaic sweep --values`",
     Schema<SweepComparison>},
    {"coverage", "The result file of `tosaic coverage`", Schema<BlockReport>},
    {"proofs", "The result file of `tosaic prove`", Schema<ProofSummary>},
    {"known", "A list of known divergences (`--known=FILE`)", Schema<KnownDivergences>},
    {"provenance", "The provenance in result files", Schema<Provenance>},
    {"report", "`tosaic report --format=json`", Schema<ResultReport>},
    {"identity", "The first line of `journal.jsonl`", SchemaOfIdentity},
    {"check", "An element of the list that `tosaic check --json` prints", SchemaOfCheck},
    {"eval", "`tosaic eval --json`", SchemaOfEval},
    {"explain", "`tosaic explain --json`", SchemaOfExplain},
    {"bisect-passes", "`tosaic bisect-passes --json`", SchemaOfBisectPasses},
    {"blame", "`tosaic blame --json`", SchemaOfBlame},
    {"history", "`tosaic history --json`; of a folder, an element of the list that it prints", SchemaOfHistory},
    {"selftest", "`tosaic selftest --json`", SchemaOfSelftest},
    {"list-ops", "An element of the list that `tosaic list-ops --json` prints", SchemaOfListOps},
    {"list-rules", "An element of the list that `tosaic list-rules --json` prints", SchemaOfListRules},
    {"list-routes", "An element of the list that `tosaic list-routes --json` prints", SchemaOfListRoutes},
    {"adapter-greeting", "The first line of an adapter", Schema<AdapterGreeting>},
    {"adapter-request", "A request to an adapter", Schema<AdapterRequest>},
    {"adapter-reply", "A reply of an adapter", Schema<AdapterReply>},
    {"toolchains", "An element of the list that `tosaic toolchains --json` prints", SchemaOfToolchains},
};

int PrintSchema(const std::string& name) {
  const FormatRow& format = *absl::c_find_if(kFormats, [&](const FormatRow& row) { return row.name == name; });
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", std::string(format.title)}};
  schema.update(format.schema());
  std::printf("%s\n", Dump(schema, 2).c_str());
  return kExitAgree;
}

int PrintKeyTables() {
  std::vector<TitledSchema> formats;
  for (const FormatRow& format : kFormats) formats.push_back({std::string(format.title), format.schema()});
  std::printf("%s", KeyTables(formats).c_str());
  return kExitAgree;
}

int PrintNames() {
  for (const FormatRow& format : kFormats) {
    std::printf("%-18s%s\n", std::string(format.name).c_str(), std::string(format.title).c_str());
  }
  return kExitAgree;
}

}  // namespace

void AddListFormats(CLI::App& app, CommandLine& command_line) {
  CLI::App* list =
      app.add_subcommand("list-formats", "print the files and the JSON that Tosaic reads and writes, and their keys");
  struct Flags {
    std::string schema;
    bool markdown = false;
  };
  auto flags = std::make_shared<Flags>();
  std::vector<std::string> names;
  for (const FormatRow& format : kFormats) names.push_back(std::string(format.name));
  auto* schema = list->add_option("--schema", flags->schema, "the JSON schema of this one")->check(OneOf(names));
  list->add_flag("--markdown", flags->markdown, "tables of the keys of all, in Markdown")->excludes(schema);
  list->callback([flags, &command_line] {
    command_line.action = [flags] {
      if (!flags->schema.empty()) return PrintSchema(flags->schema);
      return flags->markdown ? PrintKeyTables() : PrintNames();
    };
  });
}

}  // namespace tosaic
