// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaigns that a toolchain of fake_toolchain.h can run, and what tests ask of them. For tests only.
#ifndef TOSAIC_TESTS_ADDER_CAMPAIGN_H_
#define TOSAIC_TESTS_ADDER_CAMPAIGN_H_

#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "campaign/campaign.h"
#include "campaign/case_record.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {

// Additions of 32-bit integers, one in each case, all of them legal.
inline CampaignOptions AdditionsInto(const std::string& out) {
  CampaignOptions options;
  options.out = out;
  options.generator.ops = {OpKind::kAdd};
  options.generator.types = {ElementType::kI32};
  options.generator.illegal_percent = options.generator.beyond_spec_percent = 0;
  options.generator.chain_percent = options.generator.graph_percent = options.generator.identity_percent = 0;
  options.generator.runs = 2;
  options.generator.max_elements = 64;
  return options;
}

// The records in the journal of a work directory; no case is there twice.
inline std::map<uint64_t, CaseRecord> ReadJournal(const std::string& out) {
  std::map<uint64_t, CaseRecord> records;
  const std::string text = Slurp(out + "/journal.jsonl");
  const std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  for (size_t i = 1; i < lines.size(); ++i) {
    const absl::StatusOr<CaseRecord> record = RecordIn(lines[i]);
    EXPECT_TRUE(record.ok()) << lines[i];
    if (record.ok())
      EXPECT_TRUE(records.emplace(record->number, *record).second) << record->number << " is there twice";
  }
  return records;
}

// A value in memory that workers and the test share; its type has to be trivial to end.
template <typename T>
class Shared {
 public:
  Shared() { value_ = new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) T(); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { munmap(value_, sizeof(T)); }
  T& operator*() { return *value_; }

 private:
  T* value_;
};

}  // namespace tosaic

#endif  // TOSAIC_TESTS_ADDER_CAMPAIGN_H_
