// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of the keys of a format, in Markdown, from its schema.
#ifndef TOSAIC_CODEC_KEY_TABLES_H_
#define TOSAIC_CODEC_KEY_TABLES_H_

#include <string>

#include "codec/json.h"

namespace tosaic {

// A table of the keys of an object and, under their names, one for each of the types that stand in it.
// REQUIRES: a schema as Schema() makes it (codec/codec.h), of an object.
std::string KeyTables(const Json& schema);

}  // namespace tosaic

#endif  // TOSAIC_CODEC_KEY_TABLES_H_
