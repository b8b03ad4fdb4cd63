// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/features.h"

#include <cstdint>
#include <set>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace tosaic {
namespace {

struct Feature {
  enum class Shows : uint8_t { kAccepted, kHas, kRefused };
  absl::string_view name;  // "cast-input-unsigned"
  absl::string_view description;
  absl::string_view since;  // pull requests of llvm-project, or another project's commit; may be empty
  absl::string_view pipeline;
  Shows shows;
  absl::string_view words;  // found in the pipeline's output, or in the refusal
  absl::string_view module;
};

constexpr Feature kFeatures[] = {
#define TOSAIC_FEATURE(name, title, since, pipeline, shows, words, module) \
  {name, title, since, pipeline, Feature::Shows::shows, words, module},
#include "toolchain/features.def"
#undef TOSAIC_FEATURE
};

bool Shows(const Feature& feature, const absl::StatusOr<std::string>& answer) {
  switch (feature.shows) {
    case Feature::Shows::kAccepted:
      return answer.ok();
    case Feature::Shows::kHas:
      return answer.ok() && absl::StrContains(*answer, feature.words);
    case Feature::Shows::kRefused:
      return !answer.ok() && absl::StrContains(answer.status().message(), feature.words);
  }
  return false;
}

}  // namespace

std::vector<std::string> FeatureNamesOf(const Toolchain& toolchain) {
  Lowering* lowering = toolchain.lowering();
  if (lowering == nullptr) return {};
  std::set<const Feature*> found;  // in the order of the rows
  // Those of one pipeline are asked at once: a program is started once for them.
  for (const Feature& first : kFeatures) {
    std::vector<const Feature*> same;
    for (const Feature& other : kFeatures) {
      if (other.pipeline == first.pipeline) same.push_back(&other);
    }
    if (same.front() != &first) continue;
    std::vector<std::string> modules;
    for (const Feature* feature : same) modules.emplace_back(feature->module);
    const std::vector<absl::StatusOr<std::string>> answers = lowering->LowerTexts(modules, first.pipeline, false);
    for (size_t i = 0; i < same.size(); ++i) {
      if (Shows(*same[i], answers[i])) found.insert(same[i]);
    }
  }
  std::vector<std::string> names;
  for (const Feature* feature : found) names.emplace_back(feature->name);
  return names;
}

}  // namespace tosaic
