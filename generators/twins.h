// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Twins: variants of a case that must compute the same. The check needs no reference: a constant and an argument of the
// same value, the program before and after a pass group, all values returned or only the last.
#ifndef TOSAIC_GENERATORS_TWINS_H_
#define TOSAIC_GENERATORS_TWINS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// "all-returned", "constants-as-arguments", "arguments-as-constants" (those of the first run, which is then the only
// one), "last-argument-as-constant" (the same), and a twin per pass group, named like the route that it takes:
// "canonicalized", "after-cse", ...
std::vector<absl::string_view> AllTwins();

// The name of the variant that has the case's runs from this one on, and else nothing changed: "from-run-3". It is not
// drawn.
std::string FromRun(size_t run);

// The variant that Case::twin names; it has no twin itself. It returns every op's result (but for FromRun), and has the
// case's ops at the same places and the first of its runs. nullopt if the case has no such variant: it has no constant
// to turn into an argument, constants of its first run do not fit each other, it takes that route already, or no twin
// has that name.
std::optional<Case> TwinOf(const Case& test_case);

// Draws one of the twins that the case has; "" if there is none. Only a case on `first_route` is compared with another
// route: if both routes approximate, for example, different bits mean nothing. A route that the user edited is compared
// with no other, which lacks the edit: what both may do, such as flushing subnormals, one of them may do alone.
std::string DrawTwin(ChoiceSource& choices, const Case& test_case, absl::string_view first_route);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_TWINS_H_
