// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guidance: which cases of a campaign are mutants of earlier ones. A campaign goes in rounds (steering.h). A case
// reports the blocks that no case had reached when its round began. At the round's end the case with the lowest number
// gets the credit, and cases with a credit are the corpus that later rounds mutate. So everything depends only on the
// seed and the numbers: it is the same for any number of workers, and after any interruption. A shard has rounds and a
// corpus of its own.
#ifndef TOSAIC_CAMPAIGN_GUIDANCE_H_
#define TOSAIC_CAMPAIGN_GUIDANCE_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "campaign/campaign_options.h"
#include "campaign/case_record.h"

namespace tosaic {

// The cases that a guided campaign begins with: the case files of a directory, which need not exist. If the campaign in
// the work directory has begun already, the cases that it began with, which are kept there.
absl::StatusOr<std::vector<Case>> StartOf(const std::string& directory, const std::string& out);

// Text that names a block in CaseRecord::reached.
std::string BlockText(uint32_t block);

class Guidance {
 public:
  // `options`, which must outlive it, are guided.
  explicit Guidance(const CampaignOptions& options);

  // The blocks that cases given at the start reach: no other case is credited with them.
  void LearnFromStart(const std::vector<uint32_t>& blocks);
  // Takes the records of a round, in the order of their numbers; `case_of` makes the case of one.
  void Learn(const std::vector<CaseRecord>& round, const std::function<Case(uint64_t number)>& case_of);

  // Adds the case's rule, refusal and tile to `reached`, each if no case had reached it when the round began.
  void AddNews(CaseRecord* record) const;
  // The same for rewrite patterns that fired and for MLIR's diagnostics, which the record does not have.
  void AddNews(const std::set<std::string>& patterns, const Observation& observation, CaseRecord* record) const;

  // Whether the case is a mutant, and which; what it draws is of the generator's options. REQUIRES: all rounds before
  // its own are learnt.
  bool IsMutant(uint64_t number) const;
  Case MutantOf(uint64_t number, const GeneratorOptions& generator) const;

  // Writes the cases of the corpus that the campaign found, as case files in its work directory and where the options
  // say.
  absl::Status Write() const;
  GuidedOutcome outcome() const;

 private:
  struct Entry {
    uint64_t number = 0;
    Case test_case;
    bool has_block = true;  // it reached one, and not words, tiles or patterns alone
  };
  const Case& DrawFrom(size_t count, ChoiceSource& choices) const;
  void AddIfNew(std::string novelty, CaseRecord* record) const;
  // How many of the corpus there are for a case.
  size_t CorpusFor(uint64_t number) const;

  const CampaignOptions& options_;
  std::vector<Entry> entries_;  // those given at the start, then by number
  std::set<std::string> seen_;
  uint64_t blocks_reached_ = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_GUIDANCE_H_
