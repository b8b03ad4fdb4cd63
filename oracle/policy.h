// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named policies: how Tosaic reads the documents where they contradict each other or leave a choice. docs/policies.md
// says why each default is what it is.
#ifndef TOSAIC_ORACLE_POLICY_H_
#define TOSAIC_ORACLE_POLICY_H_

#include "model/dialect.h"
#include "model/profile.h"

namespace tosaic {

struct Policies {
  // Inferred `?` against a static result dimension. The trait document's table says OK (the default); its
  // pseudo-code, one of its examples and RFC modification 2 say error.
  bool refuse_static_result_of_dynamic_inference = false;
  // Which release of the TOSA specification the element types and the accuracy rules come from.
  SpecVersion spec_version = SpecVersion::k1_0_2;
  // Whether a value that the specification's bound allows, but nobody would call right (plausible.h), is wrong.
  bool strict_values = false;
  // The dialect whose op verifier is judged. This is not a reading of the documents.
  Dialect dialect = kCanonicalDialect;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_POLICY_H_
