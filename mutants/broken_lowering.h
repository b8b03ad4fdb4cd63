// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BrokenLowering: a deliberate mistake in a lowering, as a pass plugin offers it, to test whether campaigns find it.
#ifndef TOSAIC_MUTANTS_BROKEN_LOWERING_H_
#define TOSAIC_MUTANTS_BROKEN_LOWERING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/op_catalogue.h"

namespace tosaic {

struct BrokenLowering {
  std::string name;
  std::vector<OpKind> ops;  // those it breaks; none: any
  std::string breaks;       // in words, for people
  std::string route;        // whose pipeline it breaks
  std::string after;        // the pass of that pipeline that it comes behind; empty: before the first one
  std::string pass;         // as a pipeline names it, options included
  // Its results are literally within the specification. Campaigns against it treat implausible values as wrong
  // (Policies::strict_values).
  bool strict_values = false;
};

// Where it stands: "behind tosa-to-linalg on the route loops", "before the first pass of the route loops".
std::string PlaceInWords(const BrokenLowering& broken);

// The pipeline of its route with its pass in it. Errors: there is no such route, or no such pass to put it behind.
absl::StatusOr<std::string> BrokenPipeline(const BrokenLowering& broken);

// The name of the function of a plugin, without arguments and with C linkage, that returns its list: JSON text, an
// array of objects with a text for each field above; "ops" is one too: names separated by commas, or empty; "after" may
// be empty; "strict_values" is true or lacking.
inline constexpr char kBrokenLoweringsFunction[] = "tosaicBrokenLowerings";

// Calls that function. `plugin` must be a plugin that loads (ToolchainOptions::plugins). Errors: it has no such
// function, or the list is malformed.
absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsOf(const std::string& plugin);

// Parses such a list. Errors: the list is malformed or empty, or a route does not exist or has no pass of that name.
absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsFromText(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MUTANTS_BROKEN_LOWERING_H_
