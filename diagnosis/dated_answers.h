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
// kRight or kUndefined: not wrong.
bool LooksRight(HistoryAnswer answer);

// Bisects builds 0 to `count` - 1, oldest first. It asks the first and the last that can tell, and those in `between`
// (ascending, each < `count`), because a mistake may begin and end between two builds that are right. Then it halves
// each gap of whose ends one is wrong and one is not, until no build in it can tell. The answers; nullopt: not asked.
std::vector<std::optional<HistoryAnswer>> AskWhereItChanges(size_t count, absl::Span<const size_t> between,
                                                            const std::function<HistoryAnswer(size_t)>& ask);

struct DatedAnswer {
  std::string date;  // YYYY-MM-DD
  HistoryAnswer answer = HistoryAnswer::kUnknown;
  bool is_latest_day = false;  // the build is of that day or older
  bool lacks_words = false;    // of kUnknown: the case cannot be said in its dialect
};
// "wrong since 2024-11-08 or before; fixed between 2026-01-07 and 2026-03-16", of answers in the order of their days.
// "between A and B": B is the day of the first build that answers otherwise, perhaps only the latest that it can be of
// (is_latest_day); A is the last day that one before it has for certain. If the builds before the first that can tell
// lack words for the case, it is wrong since these words came to the dialect.
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
