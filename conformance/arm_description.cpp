// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_description.h"

#include "absl/strings/str_cat.h"
#include "model/counted.h"

namespace tosaic {

void Fields(Visitor& v, ArmRequirements& requirements) {
  v.MayLack("profiles_supported", requirements.profiles);
  v.Optional("extensions_required", requirements.extensions);
  v.MayLack("bounds_file_required", requirements.bounds_file);
}

void Fields(Visitor& v, ArmDetails& details) {
  v.MayLack("operator", details.op);
  v.Optional("ERRORIF", details.error);
  v.MayLack("output_types", details.output_types);
  v.MayLack("output_shapes", details.output_shapes);
  v.MayLack("oversize", details.oversize);
}

void Fields(Visitor& v, ArmUlps& ulps) {
  v("ulp", ulps.outward);
  v.Optional("ulp_lower", ulps.inward);
}

void Fields(Visitor& v, ArmAbsoluteError& stated) {
  v.Optional("base_bound", stated.error.base_bound);
  v.Optional("lower_bound", stated.error.lower_bound);
  v.MayLack("normal_divisor", stated.error.normal_divisor);
  v.Optional("bound_as_magnitude", stated.error.bound_as_magnitude);
  v.Optional("max_compare", stated.error.least);
}

void Fields(Visitor& v, ArmCompliance& compliance) {
  v("mode", compliance.mode);
  v.MayLack("data_type", compliance.data_type);
  v.MayLack("shape", compliance.shape);
  v.Optional("ulp_info", compliance.ulps);
  v.Optional("abs_error_info", compliance.absolute);
}

std::optional<StatedTolerance> ToleranceOf(const ArmCompliance& compliance) {
  if (compliance.mode == "EXACT") return StatedTolerance();
  if (compliance.mode == "PRECOMPUTED") return StatedTolerance{.mode = StatedTolerance::Mode::kOfTheOp};
  if (compliance.mode == "ULP" && compliance.ulps) {
    const auto& [outward, inward] = *compliance.ulps;
    return StatedTolerance{.outward = outward, .inward = inward == 0 ? outward : inward};
  }
  if (compliance.mode != "ABS_ERROR") return std::nullopt;
  return StatedTolerance{.mode = StatedTolerance::Mode::kAbsoluteError,
                         .absolute = compliance.absolute.value_or(ArmAbsoluteError()).error};
}

ArmCompliance ComplianceOf(const StatedTolerance& tolerance) {
  switch (tolerance.mode) {
    case StatedTolerance::Mode::kUnits:
      break;
    case StatedTolerance::Mode::kAbsoluteError:
      return {.mode = "ABS_ERROR", .absolute = ArmAbsoluteError{tolerance.absolute}};
    case StatedTolerance::Mode::kOfTheOp:
      return {.mode = "PRECOMPUTED"};
  }
  if (tolerance.outward == 0 && tolerance.inward == 0) return {.mode = "EXACT"};
  return {.mode = "ULP",
          .ulps = ArmUlps{tolerance.outward, tolerance.inward == tolerance.outward ? 0 : tolerance.inward}};
}

void Fields(Visitor& v, ArmCompliances& compliances) {
  v.MayLack("tensors", compliances.by_result);
  v.MayLack("version", compliances.version);
}

void Fields(Visitor& v, ArmMeta& meta) { v.Optional("compliance", meta.compliance); }

void Fields(Visitor& v, ArmDescription& description) {
  v("tosa_file", description.program);
  v("ifm_name", description.input_names);
  v("ifm_file", description.input_files);
  v.MayLack("ofm_name", description.output_names);
  v.MayLack("ofm_file", description.output_files);
  v.MayLack("expected_failure", description.must_fail);
  v.MayLack("version", description.version);
  v.MayLack("tag", description.tags);
  v.MayLack("test_requirements", description.requirements);
  v.MayLack("test_details", description.details);
  v.MayLack("meta", description.meta);
  if (v.IsReading() && description.input_names.size() != description.input_files.size()) {
    v.Fail(absl::StrCat(Counted(description.input_files.size(), "file"), " for ",
                        Counted(description.input_names.size(), "input")),
           "ifm_file");
  }
}

}  // namespace tosaic
