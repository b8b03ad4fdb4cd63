// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judgements and the data of cases for people; what the text formats share.
#ifndef TOSAIC_RESULTS_JUDGEMENT_TEXT_H_
#define TOSAIC_RESULTS_JUDGEMENT_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/counted.h"
#include "model/program.h"
#include "model/verdict.h"

namespace tosaic {

struct Fact {
  std::string name;
  std::string value;

  friend bool operator==(const Fact& a, const Fact& b) = default;
};

// A note in words: what its rule states, if it is the label of one, with the label; else the note.
std::string NoteInWords(const std::string& note);

// The element that disagrees, if there is one, and the notes.
std::vector<Fact> FactsOf(const Judgement& judgement);

// "nothing is wrong with it as it is; its variant all-returned shows it: a program computes the same whether it returns
// its last value or all values". `is_wrong_itself`: the variant only shows which op is wrong.
std::string VariantInWords(absl::string_view twin, bool is_wrong_itself);

// "96 of 128 elements (75.0 %); for at least half of them the allowed values span at most 2 ulp"; empty if there were
// none.
std::string ComparedText(const Judgement& judgement);
// "for at least half of them one value is allowed". REQUIRES: some were compared.
std::string AllowedInWords(const JudgedElements& elements);

// The op whose element is wrong, or that a verifier or inference decided at, or the last. REQUIRES: the judgement is
// about the program.
const OpApplication& BlamedOp(const Program& program, const Judgement& judgement);

// "%3 (abs)".
std::string OpInWords(const Program& program, size_t op);

// A judgement in a few lines: rule, expected, actual, the element if there is one, and how much was compared.
std::string JudgementToText(const Judgement& judgement);

// Shapes and data of each run, a line per argument; of long tensors the first elements.
std::string RunsToText(const Case& test_case);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_JUDGEMENT_TEXT_H_
