// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of the output of commands with --json, each in its command's file, beside the fields that print it. A
// printed list has the schema of its elements.
#ifndef TOSAIC_TOOLS_PRINTED_H_
#define TOSAIC_TOOLS_PRINTED_H_

#include "codec/json.h"

namespace tosaic {

Json SchemaOfBisectPasses();
Json SchemaOfBlame();
Json SchemaOfCheck();
Json SchemaOfEval();
Json SchemaOfExplain();
Json SchemaOfHistory();
Json SchemaOfListOps();
Json SchemaOfListRoutes();
Json SchemaOfListRules();
Json SchemaOfSelftest();
Json SchemaOfToolchains();

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_PRINTED_H_
