// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in a list of known divergences (known_divergences.h) that nothing has: an entry with a misspelt op, verdict or
// rule matches nothing, and what it was written for is new again. Passes and details are anybody's, and any name is
// right there.
#ifndef TOSAIC_CHECKING_KNOWN_NAMES_H_
#define TOSAIC_CHECKING_KNOWN_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "model/signature.h"

namespace tosaic {

// Each says which name is none, "no op is called 'mull'; did you mean 'mul'?", and "" if all are names. A pattern is
// right if it matches a name.
std::string NoNameIn(const SignaturePattern& parts);
// Of a pattern for a whole signature only parts count whose place is certain, because "*" may stand for several; and
// only what is similar to a name, because such a text may also be of another kind.
std::string NoNameIn(absl::string_view signature);
std::string NoOpIn(const std::string& pattern);            // of an entry's `ops`: "add(*, 0)"
std::string NoElementTypesIn(const std::string& pattern);  // of an entry's `types`: "i48-*"
std::string NoShapesIn(const std::string& pattern);        // of an entry's `shapes`: "static-*"

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_KNOWN_NAMES_H_
