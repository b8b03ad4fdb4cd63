// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a dialect, op by op and attribute by attribute, as questions to an MLIR of which only its number is
// known: those of one number know more or less, as the dialect grows.
#ifndef TOSAIC_TOOLCHAIN_SPOKEN_WORDS_H_
#define TOSAIC_TOOLCHAIN_SPOKEN_WORDS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/op_catalogue.h"
#include "model/program.h"

namespace tosaic {

// A part of the dialect that Tosaic writes and an MLIR does not read.
struct Unspoken {
  OpKind op;
  std::optional<Attribute> attribute = std::nullopt;  // none: the op altogether, or:
  std::string why = {};
  std::optional<ElementType> type = std::nullopt;  // an element type, whatever op it is of; of identity: but of cast
  bool is_unranked = false;                        // results of the op that have no rank
};
// The text between a toolchain's name and a word that it does not read.
inline constexpr absl::string_view kNotInDialect = ": not in this dialect: ";
std::string ToString(const Unspoken& unspoken);  // "sin: unregistered operation ...", "scale32 of rescale: ..."

// A legal program, as text, that says one thing.
struct WordQuestion {
  OpKind op;
  std::optional<Attribute> attribute;
  std::string module;
  std::optional<ElementType> type = std::nullopt;
};
// All that the dialect has, in functions of different names: each op, then each of its attributes that may be absent,
// what rescale has in others alone, and with cast of a constant each block-scaled type.
std::vector<WordQuestion> QuestionsIn(Dialect dialect);

// A program that builds between two releases take from some day on, or up to it.
struct DayQuestion {
  Unspoken about;
  std::string module;
  bool is_legal;  // in the dialect
};
// In functions of different names: with each number identity, which tells for most ops, and cast; and an unranked
// reshape.
std::vector<DayQuestion> DayQuestionsIn(Dialect dialect);

// Whether a refusal is about words, and not about what they say.
bool IsAboutWords(absl::string_view error);

// Whether a verifier's refusal may be about the words of a dialect that is not quite its own: an attribute that is
// unknown or of another form, or another number of operands.
bool MayBeAboutWords(absl::string_view error);

// Whether the op is not read at all.
bool IsUnspoken(OpKind op, absl::Span<const Unspoken> unspoken);
// The first unspoken part that a program has, if any.
const Unspoken* FindUnspoken(const Program& program, absl::Span<const Unspoken> unspoken);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_SPOKEN_WORDS_H_
