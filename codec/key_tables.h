// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes Markdown tables of the keys of formats from their schemas.
#ifndef TOSAIC_CODEC_KEY_TABLES_H_
#define TOSAIC_CODEC_KEY_TABLES_H_

#include <string>
#include <vector>

#include "codec/json.h"

namespace tosaic {

struct TitledSchema {
  std::string title;
  Json schema;  // of an object, as Schema() makes it (codec/codec.h)
};

// For each format a heading and a table of its object's keys, then a heading and a table for each named type in it that
// no format before it has: a link "[tensor](#tensor)" leads there. REQUIRES: a name stands for the same type in all
// formats.
std::string KeyTables(const std::vector<TitledSchema>& formats);

}  // namespace tosaic

#endif  // TOSAIC_CODEC_KEY_TABLES_H_
