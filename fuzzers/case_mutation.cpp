// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/case_mutation.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "checking/case_limits.h"
#include "checking/signature.h"
#include "generators/generator.h"
#include "model/json.h"
#include "model/routes.h"
#include "mutation/mutation.h"

namespace tosaic {
namespace {

// Attempts at a mutant that is small enough.
constexpr uint64_t kAttempts = 8;

// The case with another beside it, where they can be joined.
std::optional<Case> Spliced(const MutationTools& tools, const Case& test_case) {
  for (const MutationStep& step : MutationSteps()) {
    if (step.apply == Splice) return ApplyStep(step, tools, test_case);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Case> CaseInInput(absl::string_view input) {
  absl::StatusOr<Case> read = CaseFromText(input);
  if (!read.ok() || !BeyondLimits(*read).empty() || FindRoute(read->route) == nullptr) return std::nullopt;
  const Program& program = read->program;
  const auto goes_astray = [&](const OpApplication& op) { return !DetailOfForeignMemory(program, op).empty(); };
  const auto divides_by_zero =
      [](const OpApplication& op) {  // MLIR does, at a new shape with 0 and -1 (findings.md, F22)
        const std::optional<std::vector<int64_t>>& sizes = op.attributes.new_shape;
        return sizes && absl::c_linear_search(*sizes, 0) && absl::c_linear_search(*sizes, -1);
      };
  if (absl::c_any_of(program.ops, goes_astray) || absl::c_any_of(program.ops, divides_by_zero)) return std::nullopt;
  return *std::move(read);
}

std::string MutatedInput(absl::string_view input, absl::string_view other, uint64_t seed,
                         const GeneratorOptions& options, size_t most) {
  std::optional<Case> parent = CaseInInput(input);
  if (parent) parent->origin = "mutant";  // of mutants of mutants: all names would be longer than the program
  const std::optional<Case> second = CaseInInput(other);
  for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    SeededChoices choices(seed, attempt);
    const Case beside = parent && second ? *second : GenerateCase(seed, attempt, options);
    const MutationTools tools = {choices, options, beside};
    const std::optional<Case> spliced = parent && second ? Spliced(tools, *parent) : std::nullopt;
    std::string text = CaseToText(!parent ? beside : spliced ? *spliced : Mutated(tools, *parent));
    if (text.size() <= most && CaseInInput(text)) return text;
  }
  return "";
}

}  // namespace tosaic
