// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for each night, which stays when the night's folder is removed. These rows show whether a night tests much less
// than the nights before it.
#ifndef TOSAIC_RESULTS_NIGHTS_H_
#define TOSAIC_RESULTS_NIGHTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/visitor.h"

namespace tosaic {

// How much a night's campaign on one toolchain tested.
struct NightCampaign {
  uint64_t cases = 0;
  uint64_t executed = 0;  // cases with a run that was executed; rows of 0.9.0 and before do not say
  uint64_t runs = 0;      // that were executed
  uint64_t compared = 0, masked = 0, open = 0;  // elements (OpSummary)
};
double ExecutedShare(const NightCampaign& campaign);
double RunsPerCase(const NightCampaign& campaign);
double ComparedShare(const NightCampaign& campaign);

// Something new, which made a night's exit status 1.
struct NewOfNight {
  std::string signature;          // empty for news that have none, such as cases of the suite that regressed
  std::string title;              // in words
  std::string toolchain;          // that shows it; several are separated by commas
  std::string place;              // file or folder below the night's folder: "new/other-campaign-...", "conform.html"
  std::vector<std::string> also;  // signatures of the same on other routes
};
// "tosa.add (f32) gives a result of the wrong size, on mlir-trunk; also on the routes contract, named"
std::string InWords(const NewOfNight& new_finding);

struct NightRow : NightCampaign {
  std::string name;  // its folder below nights/
  uint64_t seed = 0;
  std::string ops;                    // "add,mul"; empty: all
  std::string edits;                  // flags that put passes into a route; empty: none
  uint64_t fresh = 0;                 // causes that no list and no earlier night has, on all toolchains
  std::vector<NewOfNight> found;      // those causes; empty in rows of earlier versions
  std::string other;                  // the toolchain that has a campaign as well; empty: none
  NightCampaign of_other;             // that campaign
  std::vector<std::string> left_out;  // parts for which there was no time: "the suite on mlir-22"
  std::vector<std::string> alarms;    // as AlarmsOf(), and which parts failed
};

// history.json, the oldest first.
struct NightHistory {
  std::vector<NightRow> nights;
};
void Fields(Visitor& v, NewOfNight& new_finding);
void Fields(Visitor& v, NightRow& night);
void Fields(Visitor& v, NightHistory& history);

// "nothing new in the night of 2026-11-22", "2 new causes in the night of 2026-11-22, without the suite on mlir-22".
std::string ShortHeadline(const NightRow& night);
// The same, which names what is new: "...: abs gives 1 instead of 0, on mlir-trunk, new/x; and 1 more". `words` and
// `place` write text and a place as the reader's format needs them; a place may be left out.
using Written = absl::FunctionRef<std::string(absl::string_view)>;
std::string Headline(const NightRow& night, Written words, Written place);

// Sentences about what tonight's campaigns do less than four fifths as much as earlier nights: execute cases, execute
// runs, compare elements. They are compared with the median of the latest nights with the same ops and passes, and on
// the same other toolchain, that had enough cases; if there are none, there is no alarm. Rows stay when the folders of
// their nights are removed, so pruning does not change the alarm.
std::vector<std::string> AlarmsOf(absl::Span<const NightRow> before, const NightRow& tonight);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_NIGHTS_H_
