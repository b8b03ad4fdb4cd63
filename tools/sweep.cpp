// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic sweep: everything of a kind, exhaustively.
#include "tools/sweep.h"

#include "tools/validators.h"

namespace tosaic {
namespace {

constexpr int kGreatestRank = 4;  // 341 types over four dimensions; the lists of rank 5 fit in no memory

void AddFlagsOfTypes(CLI::App& sweep, CLI::Option* values, SweepFlags* flags) {
  sweep.add_option("--max-rank", flags->max_rank, "types: shapes of ranks 0 to N, and unranked")
      ->check(NumberFrom(0, kGreatestRank))
      ->capture_default_str()
      ->excludes(values);
  sweep.add_option("--dims", flags->dims, "types: the dimensions that shapes are made of")
      ->delimiter(',')
      ->capture_default_str()
      ->excludes(values);
  sweep.add_flag("--yes", flags->yes, "types: sweep even if there are very many combinations")->excludes(values);
}

void AddFlagsOfValues(CLI::App& sweep, CLI::Option* values, SweepFlags* flags) {
  sweep
      .add_option("--inputs", flags->inputs,
                  "values: how many inputs to try where an op has too many to try all (nightly: 10000000)")
      ->check(NumberFrom(uint64_t{1}, uint64_t{1} << 32))
      ->capture_default_str()
      ->needs(values);
  sweep.add_option("--types", flags->types, "values: only these element types of the inputs: f32,i8")
      ->delimiter(',')
      ->needs(values);
  auto* all = sweep
                  .add_flag("--all", flags->all,
                            "values: all inputs of each op on floats of up to 32 bits in all, such as 2^32 of an f32 "
                            "or of two bf16, and no other ops")
                  ->needs(values);
  sweep
      .add_option("--work", flags->work, "values: keep in this directory what is done; the same command goes on there")
      ->type_name("DIR")
      ->needs(values);
  sweep.add_option("--take", flags->take, "values: take over what these work directories, of other shards, have")
      ->delimiter(',')
      ->needs(values);
  sweep.add_option("--shard", flags->shard, "values: run only every N-th program, beginning with the I-th")
      ->type_name("I/N")
      ->needs(values);
  sweep.get_option("--inputs")->excludes(all);
  sweep.add_flag("--markdown", flags->markdown, "values: print the accuracy profile as a table for documents")
      ->needs(values);
}

}  // namespace

void AddSweep(CLI::App& app, CommandLine& command_line) {
  CLI::App* sweep =
      app.add_subcommand("sweep", "decide every combination of types, or compute all values, exhaustively");
  auto flags = std::make_shared<SweepFlags>();
  auto* values = sweep->add_flag("--values", flags->values, "run all inputs of every op and measure its accuracy");
  sweep->add_option("--ops", flags->ops, "only these ops: add,mul; types: also broadcastable, which is the trait alone")
      ->delimiter(',');
  AddJobs(*sweep, &flags->jobs);
  AddKnown(*sweep, &flags->known);
  sweep->add_option("--out", flags->out, "write the results to this file, as JSON")->type_name("FILE");
  flags->format.AddTo(*sweep);
  AddFlagsOfTypes(*sweep, values, flags.get());
  AddFlagsOfValues(*sweep, values, flags.get());
  flags->toolchain.AddTo(*sweep);
  flags->policy.AddTo(*sweep);
  sweep->remove_option(sweep->get_option("--target"));  // the op verifier and the values are swept
  for (const char* of_values : {"--route", "--pipeline", "--cpu", "--cpu-limit", "--wall-limit", "--spec-version"}) {
    sweep->get_option(of_values)->needs(values);
  }
  sweep->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] {
      return (flags->values ? RunValueSweepCommand : RunTypeSweepCommand)(*flags, command_line.text);
    };
  });
}

}  // namespace tosaic
