// tosaic sweep: everything of a kind, exhaustively.
#include <algorithm>
#include <thread>

#include "tools/subcommands.h"
#include "tools/sweep_values.h"

namespace tosaic {

void AddSweep(CLI::App& app, CommandLine& command_line) {
  CLI::App* sweep = app.add_subcommand("sweep", "sweep all inputs of every op and measure its accuracy");
  auto flags = std::make_shared<ValueSweepFlags>();
  flags->jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  auto values = std::make_shared<bool>(false);
  sweep->add_flag("--values", *values, "sweep values")->required();
  sweep->add_option("--inputs", flags->inputs, "inputs of an op where they cannot all be tried (nightly: 10000000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32))
      ->capture_default_str();
  sweep->add_option("--jobs", flags->jobs, "worker processes")->check(CLI::Range(1, 1024))->capture_default_str();
  sweep->add_option("--ops", flags->ops, "only these ops: exp,cast")->delimiter(',');
  sweep->add_option("--types", flags->types, "only these element types of the inputs: f32,i8")->delimiter(',');
  sweep->add_option("--known", flags->known, "a file of known divergences");
  sweep->add_option("--out", flags->out, "write the results to this file, as JSON");
  sweep->add_flag("--markdown", flags->markdown, "print the accuracy profile as a table for documents");
  flags->toolchain.AddTo(*sweep);
  flags->policy.AddTo(*sweep);
  sweep->callback([flags, values, &command_line] {
    command_line.action = [flags, &command_line] { return RunValueSweepCommand(*flags, command_line.text); };
  });
}

}  // namespace tosaic
