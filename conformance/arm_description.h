// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a test of Arm's conformance suite: the parts that Tosaic reads and writes.
#ifndef TOSAIC_CONFORMANCE_ARM_DESCRIPTION_H_
#define TOSAIC_CONFORMANCE_ARM_DESCRIPTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/visitor.h"
#include "oracle/stated_tolerance.h"

namespace tosaic {

inline constexpr const char* kArmDescription = "desc.json";

struct ArmRequirements {
  std::vector<std::string> profiles, extensions;
  bool bounds_file = false;
};
void Fields(Visitor& v, ArmRequirements& requirements);

struct ArmDetails {
  std::string op, error;
  std::vector<std::string> output_types;
  std::vector<std::vector<int64_t>> output_shapes;
  bool oversize = false;
};
void Fields(Visitor& v, ArmDetails& details);

struct ArmUlps {
  double outward = 0, inward = 0;
};
void Fields(Visitor& v, ArmUlps& ulps);

struct ArmAbsoluteError {
  StatedTolerance::AbsoluteError error;
};
void Fields(Visitor& v, ArmAbsoluteError& stated);

// How a result is to be judged.
struct ArmCompliance {
  std::string mode, data_type;
  std::vector<int64_t> shape;
  std::optional<ArmUlps> ulps;
  std::optional<ArmAbsoluteError> absolute;
};
void Fields(Visitor& v, ArmCompliance& compliance);
// The mode, if elementwise ops use it; nullopt for another one.
std::optional<StatedTolerance> ToleranceOf(const ArmCompliance& compliance);
// The other way round, without data type and shape.
ArmCompliance ComplianceOf(const StatedTolerance& tolerance);

struct ArmCompliances {
  std::map<std::string, ArmCompliance> by_result;
  std::string version;
};
void Fields(Visitor& v, ArmCompliances& compliances);

struct ArmMeta {
  std::optional<ArmCompliances> compliance;  // a test that must be refused has none
};
void Fields(Visitor& v, ArmMeta& meta);

struct ArmDescription {
  std::string program;  // a flatbuffer: binary, and then its JSON is called as it is; or JSON
  std::vector<std::string> input_names, input_files, output_names, output_files;
  bool must_fail = false;
  std::string version;
  std::vector<std::string> tags;
  ArmRequirements requirements;
  ArmDetails details;
  ArmMeta meta;
};
void Fields(Visitor& v, ArmDescription& description);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_DESCRIPTION_H_
