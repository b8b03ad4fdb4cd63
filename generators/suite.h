// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite has a fixed set of cases for each op, element types and class of shapes. Each case is made from
// its name alone, so adding a case changes no other. The oracle decides what the documents say about a case.
#ifndef TOSAIC_GENERATORS_SUITE_H_
#define TOSAIC_GENERATORS_SUITE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/names.h"
#include "generators/typed_op.h"
#include "model/program.h"

namespace tosaic {

// Every report has this number. It must be increased whenever a case changes.
inline constexpr int kSuiteVersion = 2;

// Which element types: those of a profile of the specification (with what both have), all that the specification has,
// or all that the dialect accepts.
enum class SuiteProfile : uint8_t { kProInt, kProFp, kAll, kAccepted };
EnumNames NamesOf(SuiteProfile profile);  // "pro-int"

// "rank-0", "static-equal", "static-broadcast", "dynamic-equal", "dynamic-broadcast" (at run time),
// "dynamic-against-static", "mixed", "result-more-general", "result-more-specific", "unranked", "constant", "chains",
// "illegal".
absl::Span<const absl::string_view> SuiteClasses();

// The cases of a tile; none if the op or the types allow none (a single operand cannot broadcast).
struct SuiteTile {
  TypedOp op;
  absl::string_view shapes;
  std::vector<std::string> cases;  // their names: "add/f32/static-equal/0", "add/f32/illegal/rank-mismatch"
};

// All tiles of a profile, of these ops (empty: all), in the catalogue's order, for a version of the specification.
std::vector<SuiteTile> SuiteTiles(SuiteProfile profile, absl::Span<const OpKind> ops = {},
                                  SpecVersion version = SpecVersion::k1_0_2);

// Case `index` of a tile, on route `loops`. REQUIRES: there is one.
Case SuiteCaseOf(const SuiteTile& tile, size_t index);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SUITE_H_
