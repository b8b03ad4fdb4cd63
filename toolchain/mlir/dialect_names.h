// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of ops and attributes in a version of the TOSA dialect, and the reason why a name is not one of them.
#ifndef TOSAIC_TOOLCHAIN_MLIR_DIALECT_NAMES_H_
#define TOSAIC_TOOLCHAIN_MLIR_DIALECT_NAMES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mlir/IR/Operation.h"
#include "model/dialect.h"
#include "model/op_catalogue.h"

namespace tosaic {

// The op with this name in a dialect.
std::optional<OpKind> FindOpOf(const DialectInfo& dialect, absl::string_view name);

// All versions, that one first and then the nearer ones before the farther ones.
std::vector<const DialectInfo*> FromNearest(const DialectInfo& version);

// The elementwise op with this name in some version.
std::optional<OpKind> FindOpOfAny(absl::string_view name);

// Why the dialect has no op of that name: "uses tosa.int_div, as MLIR 19 spells it; MLIR 22 has tosa.intdiv".
std::string WhyUnknown(const DialectInfo& dialect, absl::string_view name);

// Why an op's attributes are not those that it has in the dialect; empty: they are. A name with a dot in it is of
// another dialect, and means nothing here.
std::string WhyOtherAttributes(mlir::Operation& op, const OpInfo& row, const DialectInfo& dialect);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_DIALECT_NAMES_H_
