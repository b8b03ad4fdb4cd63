// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes Markdown tables of a format's keys from its schema.
#ifndef TOSAIC_CODEC_KEY_TABLES_H_
#define TOSAIC_CODEC_KEY_TABLES_H_

#include <string>

#include "codec/json.h"

namespace tosaic {

// A table of an object's keys, followed by a table for each named type that it contains.
// REQUIRES: a schema as Schema() makes it (codec/codec.h), of an object.
std::string KeyTables(const Json& schema);

}  // namespace tosaic

#endif  // TOSAIC_CODEC_KEY_TABLES_H_
