// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A night: the conformance suite and its comparison with the night before, a campaign over all routes, and the
// libFuzzer targets, each in a process of its own. A directory of states links the nights:
//
//   nights/DATE/    seed; flags.json; campaign/, conform.json, comparison.md; the same of another toolchain:
//                   other-campaign/, other-conform.json, versions.md (what differs between the two); TARGET.log,
//                   crashes/, fuzz-signatures, fuzzers.md; new/: the folders of new findings; history.md (since when
//                   they are wrong); fixed.md (what was reported earlier and is right now); reports (campaign.html,
//                   conform.xml, ...), summary.md; reported.json; done. The latest nights only
//   index.html      the trend over nights; history.json: a row per night, also of those that are removed
//   known.json      what the night takes for known: the list that it is given, and reported.json
//   reported.json   what nights have reported; reported-*.json: nights with the same passes
//   reported/       a case of each, which every night tries: what is right by now is taken out; the same of the others
//   conform.json    the suite's last result; conform-*.json: of nights with the same --ops and passes
//   corpus/TARGET/  what libFuzzer keeps
//   lock            held by the night at work
#ifndef TOSAIC_NIGHTLY_NIGHTLY_H_
#define TOSAIC_NIGHTLY_NIGHTLY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checking/known_divergences.h"
#include "workers/command.h"

namespace tosaic {

struct NightlyOptions {
  double minutes = 0;        // of the whole night; parts may overrun their time
  double suite_minutes = 0;  // of these for the suites of all toolchains; 0: none
  std::string state;
  std::optional<uint64_t> seed;  // else the date's
  int jobs = 1;
  KnownDivergences known;
  std::string known_flag;          // --known that names it, for a command to replay; empty: the list of this build
  size_t keep = 30;                // nights whose folders stay
  bool quiet = false;              // the campaign and the suite show no progress
  std::vector<std::string> ops;    // of the campaigns and the suite; empty: all
  std::vector<std::string> edits;  // flags that put passes into a route, for the campaigns and the suites
  std::string own;                 // the name of the toolchain in the process
  std::string other;               // a toolchain that has a campaign and the suite as well; empty: none
  std::string tosaic;              // the program that runs the parts
  std::string fuzzers;             // the directory of the libFuzzer targets; empty: there are none
  std::string fuzzer_corpus;       // a directory with inputs to begin with, in a folder per target; may be empty
  std::string date;                // "2026-11-22"
  std::function<double()> clock;   // seconds
};

// Runs a program, as RunCommand() does.
using CommandRunner = std::function<int(const Command&)>;

// Finishes interrupted nights, then runs tonight's. Returns the exit status: 0 nothing new, 1 something new, 3 the
// harness failed, or the campaign tested much less than earlier ones (results/nights.h). Errors: the directory of
// states cannot be used, or is in use; the night was interrupted, once `stop` is set (null: never). After an
// interruption the next call, on the same day that with the same seed, finishes the night with what it has.
absl::StatusOr<int> RunNightly(const NightlyOptions& options, const CommandRunner& run, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_NIGHTLY_H_
