// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/value_sweep.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/visitor.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

void Raise(Extreme* extreme, const Extreme& next) {
  if (next.value > extreme->value) *extreme = next;
}

}  // namespace

void AccuracyProfile::Add(const AccuracyProfile& next) {
  compared += next.compared;
  open += next.open;
  unpredictable += next.unpredictable;
  disagreements += next.disagreements;
  measured += next.measured;
  flushed += next.flushed;
  error_sum += next.error_sum;
  Raise(&error, next.error);
  Raise(&bound_used, next.bound_used);
  exact_kept += next.exact_kept;
  exact_flushed += next.exact_flushed;
  implausible += next.implausible;
}

void Fields(Visitor& v, Extreme& extreme) {
  v("value", extreme.value);
  v("inputs", extreme.inputs, "bit patterns");
  v("actual", extreme.actual, "the result's bit pattern");
}

void Fields(Visitor& v, AccuracyProfile& profile) {
  v("compared", profile.compared);
  v("open", profile.open);
  v("unpredictable", profile.unpredictable);
  v("disagreements", profile.disagreements);
  v("measured", profile.measured);
  v("flushed", profile.flushed);
  v("error_sum", profile.error_sum);
  v("error", profile.error);
  v("bound_used", profile.bound_used);
  v("exact_kept", profile.exact_kept);
  v("exact_flushed", profile.exact_flushed);
  v("implausible", profile.implausible);
}

namespace {

// Null while nothing reaches more than 0.
void ExtremeField(Visitor& v, absl::string_view key, Extreme& extreme, absl::string_view description) {
  std::optional<Extreme> reached;
  if (v.IsWriting() && !extreme.inputs.empty()) reached = extreme;
  v(key, reached, description);
  if (v.IsReading()) extreme = std::move(reached).value_or(Extreme());
}

}  // namespace

void Fields(Visitor& v, CurvePoint& point) {
  v("first", point.first, "bit patterns of the first input of the part, by operand");
  v("error_ulp", point.error, "the largest of the part");
  v("allowed_ulp", point.allowed, "the bound at the middle of the part; 0: there is none, or no number");
  v.Optional("wrong", point.is_wrong, "whether an input of the part is wrong");
}

void Fields(Visitor& v, BitStretch& stretch) {
  v("first", stretch.first, "bit pattern");
  v("last", stretch.last);
}

void Fields(Visitor& v, ValueSweepRow& row) {
  AccuracyProfile& profile = row.profile;
  double mean_error = row.MeanError();
  v.Type("sweep");
  v("op", row.op);
  v("types", row.types);
  v("setting", row.setting, "the setting of its attributes");
  v("accuracy", row.accuracy, "the rule");
  v("exhaustive", row.exhaustive, "whether all possible inputs were tried");
  v("inputs", row.inputs);
  v("verdicts", row.verdicts, "verdicts of its programs, which have 65,536 inputs each, with `--all` 4,194,304");
  v("compared", profile.compared);
  v.MayLack("open", profile.open, "inputs of which the documents allow more than half of all values");
  v.MayLack("unpredictable", profile.unpredictable);
  v("disagreements", profile.disagreements);
  v.MayLack("measured", profile.measured, "compared numbers that are neither NaN nor flushed");
  v.MayLack("flushed", profile.flushed, "zeros that pass only because subnormals may be flushed");
  v("mean_error_ulp", mean_error);
  ExtremeField(v, "max_error_ulp", profile.error, "null if it is 0");
  ExtremeField(v, "max_bound_used", profile.bound_used, "share of the allowed error; null if it is 0");
  v.MayLack("exact_subnormals_kept", profile.exact_kept);
  v.MayLack("exact_subnormals_flushed", profile.exact_flushed);
  v.MayLack("implausible", profile.implausible, "`value.implausible`: results within the bound that are implausible");
  v.Optional("wrong_stretches", row.wrong_stretches, "of `--all`: how many stretches of consecutive inputs are wrong");
  v.Optional("wrong", row.wrong, "the first 64 of them");
  v.Optional("curve", row.curve, "of `--all`: the largest error in each part of the range");
  if (v.IsReading()) row.mean_error = mean_error;
}

std::vector<std::string> NotesOnFlushing(const std::vector<ValueSweepRow>& rows) {
  std::vector<std::string> notes;
  for (const ValueSweepRow& row : rows) {
    const uint64_t kept = row.profile.exact_kept, flushed = row.profile.exact_flushed;
    if (kept == 0 || flushed == 0) continue;
    notes.push_back(absl::StrCat(Name(RuleId::kValueFlushing), ": ", row.op, " ", row.types,
                                 row.setting.empty() ? "" : " ", row.setting, ": ", flushed,
                                 " subnormal results flushed to zero, ", kept, " kept"));
  }
  return notes;
}

void Fields(Visitor& v, FindingOfValues& of_values) {
  Finding& finding = of_values.finding;
  ValuesEvidence& values = finding.values();
  v.Type("value-finding");
  CommonFields(v, finding);
  v("types", values.types);
  v("listed", values.listed, "the first 16 of the inputs");
  v("example", values.example, "a case file's content that replays it");
  if (v.IsReading() && !values.listed.empty()) finding.judgement = values.listed.front().judgement;
}

void Fields(Visitor& v, ValueSweepSummary& summary) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kValuesKind);
  v("provenance", summary.provenance);
  v("route", summary.route);
  v("inputs_wanted", summary.inputs_wanted);
  v.Optional("all", summary.all, "whether all inputs of each op on floats of up to 32 bits in all were asked for");
  v("sweeps", summary.rows, "each is one op with its element types and one setting of its attributes");
  v("findings", Each<FindingOfValues>(summary.findings));
  v.Derived("new_findings", CountNew(summary.findings));
  v("harness_faults", summary.harness_faults);
  v("notes", summary.notes);
  v.Optional("left_to_other_shards", summary.left_to_other_shards,
             "programs that this shard did not run, nor take from another one");
  v("interrupted", summary.interrupted);
  v("elapsed_seconds", summary.elapsed_seconds);
}

}  // namespace tosaic
