// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueSweepSummary: what a value sweep found, as a plain value for reports/: per op, element types and setting how far
// results are from the true values, and what disagrees.
#ifndef TOSAIC_RESULTS_VALUE_SWEEP_H_
#define TOSAIC_RESULTS_VALUE_SWEEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/provenance.h"
#include "results/finding.h"
#include "results/input_stretches.h"
#include "results/tile.h"

namespace tosaic {

// The largest of a quantity over inputs, and where it is reached first.
struct Extreme {
  double value = 0;
  std::vector<std::string> inputs;  // bit patterns by operand; empty while value is 0
  std::string actual;               // the result's

  friend bool operator==(const Extreme& a, const Extreme& b) = default;
};
void Fields(Visitor& v, Extreme& extreme);

struct AccuracyProfile {
  uint64_t compared = 0;       // inputs with an expected value that excludes at least half of all values
  uint64_t open = 0;           // inputs whose expected value excludes fewer; their errors are measured all the same
  uint64_t unpredictable = 0;  // inputs that the documents leave undefined
  uint64_t disagreements = 0;  // of those compared or open, as the next
  uint64_t measured = 0;       // floats, a number against a number, not flushed
  uint64_t flushed = 0;        // of those compared: a zero that passes only because subnormals may be flushed
  double error_sum = 0;        // over those measured, in units of the result's last place
  Extreme error;               // in units of the result's last place
  Extreme bound_used;          // share of the allowed error; 0 where only exactness is allowed
  uint64_t exact_kept = 0;     // subnormal results of exact ops, as they should be
  uint64_t exact_flushed = 0;  // and flushed to zero
  uint64_t implausible = 0;    // of those compared: nobody would call it right, and the bound admits it

  // All but those that did not run, as where the lowering fails.
  uint64_t Judged() const { return compared + open + unpredictable; }
  double MeanError() const { return measured == 0 ? 0 : error_sum / static_cast<double>(measured); }
  // Adds a later part: of equal extremes the first stays.
  void Add(const AccuracyProfile& next);

  friend bool operator==(const AccuracyProfile& a, const AccuracyProfile& b) = default;
};
// A worker sends these.
void Fields(Visitor& v, AccuracyProfile& profile);

// A part of all inputs, for a picture of errors over the range.
struct CurvePoint {
  std::string first;      // bit patterns of its first input, by operand
  double error = 0;       // the largest there, in units of the result's last place
  double allowed = 0;     // the bound at the middle of the part, in the same units; 0: there is none, or no number
  bool is_wrong = false;  // an input there is wrong

  friend bool operator==(const CurvePoint& a, const CurvePoint& b) = default;
};
void Fields(Visitor& v, CurvePoint& point);

// Consecutive inputs as bit patterns by operand: "0x3f80", "0x3f80 0x4000". The first operand changes fastest.
struct BitStretch {
  std::string first;
  std::string last;

  friend bool operator==(const BitStretch& a, const BitStretch& b) = default;
};
void Fields(Visitor& v, BitStretch& stretch);

// One op with its element types and attributes.
struct ValueSweepRow {
  std::string op;
  std::string types;        // "f32", "i8-i32"
  std::string setting;      // "round=true"; empty if the op has none
  std::string accuracy;     // the rule: "0.5 ulp"
  bool exhaustive = false;  // every combination of inputs
  uint64_t inputs = 0;
  VerdictCounts verdicts;  // of its programs; more than one where inputs are many
  AccuracyProfile profile;
  double mean_error = 0;  // of a row that was read
  // Of a sweep of all inputs.
  uint64_t wrong_stretches = 0;   // of consecutive wrong inputs
  std::vector<BitStretch> wrong;  // the first of them
  std::vector<CurvePoint> curve;

  double MeanError() const { return profile.error_sum > 0 ? profile.MeanError() : mean_error; }
};

struct ValueSweepSummary {
  Provenance provenance;
  std::string route;
  uint64_t inputs_wanted = 0;
  bool all = false;                 // all inputs of each op on floats of up to 32 bits in all
  std::vector<ValueSweepRow> rows;  // in the catalogue's order
  std::vector<Finding> findings;    // sorted by signature
  std::vector<std::string> harness_faults;
  std::vector<std::string> notes;     // "value.flushing: ...", for people
  uint64_t left_to_other_shards = 0;  // programs; what they would show is not in the result
  bool interrupted = false;
  double elapsed_seconds = 0;
};
// The result file.
void Fields(Visitor& v, ValueSweepSummary& summary);
// A note for each row of which some subnormal results are flushed and others kept: implementations flush all of a type
// or none (tosa-semantics.md, Frame). It is seen where results are exact.
std::vector<std::string> NotesOnFlushing(const std::vector<ValueSweepRow>& rows);

// A finding with ValuesEvidence, as result files have it.
struct FindingOfValues {
  Finding& finding;
};
void Fields(Visitor& v, FindingOfValues& of_values);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_VALUE_SWEEP_H_
