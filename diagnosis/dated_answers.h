// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a case became wrong, and when it became right again, by builds of MLIR of known days. Not every build is asked:
// between two that answer alike, the others are taken to answer like them.
#ifndef TOSAIC_DIAGNOSIS_DATED_ANSWERS_H_
#define TOSAIC_DIAGNOSIS_DATED_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "codec/names.h"

namespace tosaic {

enum class HistoryAnswer : uint8_t { kRight, kWrong, kUndefined, kUnknown };
EnumNames NamesOf(HistoryAnswer answer);
bool CanTell(HistoryAnswer answer);
bool IsWrong(HistoryAnswer answer);
// Right or undefined, which are alike: neither is wrong.
bool LooksRight(HistoryAnswer answer);

// The answers of builds 0 to `count` - 1, oldest first; nullopt: it was not asked. The first and the last that can tell
// are asked, and `between`, because what is wrong for a time alone has two alike ends; then by halves wherever two
// neighbours differ in whether they are wrong, until no build that can tell is left between them. `between`: ascending,
// each < `count`.
std::vector<std::optional<HistoryAnswer>> AskWhereItChanges(size_t count, absl::Span<const size_t> between,
                                                            const std::function<HistoryAnswer(size_t)>& ask);

struct DatedAnswer {
  std::string date;  // YYYY-MM-DD
  HistoryAnswer answer = HistoryAnswer::kUnknown;
  bool is_latest_day = false;  // the build is of that day or older
  bool lacks_words = false;    // of kUnknown: the case cannot be said in its dialect
};
// A day from which on the answer is another may be the latest of a build; that up to which it is not is a build's own
// day, if there is such a build.
// If the builds before the first that can tell lack words for the case, it was not wrong before its words came.
// "wrong since 2024-11-08 or before; fixed between 2026-01-07 and 2026-03-16", of answers in the order of their days.
std::string DatedSpan(absl::Span<const DatedAnswer> answers);

// Since when and until when a case is wrong, in words, and what of MLIR makes it so. Empty: not known.
struct PlacedCase {
  std::string interval;
  std::string blamed;
};
// Cases that are probably of one cause: the groups of more than one that have one interval and one culprit, both known.
// Indices, in their order.
std::vector<std::vector<size_t>> ProbableDuplicates(absl::Span<const PlacedCase> cases);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_DATED_ANSWERS_H_
