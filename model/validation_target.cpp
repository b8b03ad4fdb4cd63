// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/validation_target.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

constexpr Capability kCapabilities[] = {Capability::kProInt,  Capability::kProFp,  Capability::kInt4,
                                        Capability::kInt16,   Capability::kInt64,  Capability::kBf16,
                                        Capability::kFp8E4M3, Capability::kFp8E5M2};
constexpr absl::string_view kCapabilityNames[] = {"pro_int", "pro_fp", "int4",    "int16",
                                                  "int64",   "bf16",   "fp8e4m3", "fp8e5m2"};
constexpr absl::string_view kVersionNames[] = {"1.0", "1.1.draft"};
constexpr absl::string_view kLevelNames[] = {"8k", "none"};

void AppendCapability(std::string* out, Capability capability) { absl::StrAppend(out, Name(capability)); }

// The enumerator of a name, or nullopt.
template <typename Enum, size_t kCount>
std::optional<Enum> Find(const absl::string_view (&names)[kCount], absl::string_view name) {
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

absl::Span<const Capability> AllCapabilities() { return kCapabilities; }

absl::string_view Name(Capability capability) { return kCapabilityNames[static_cast<size_t>(capability)]; }

std::string Strictness(const ValidationTarget& target) {
  return absl::StrCat(kLevelNames[static_cast<size_t>(target.level)], target.strict ? ",strict" : "");
}

bool IsStrictness(absl::string_view text) {
  absl::ConsumeSuffix(&text, ",strict");
  return absl::c_linear_search(kLevelNames, text);
}

std::string ToString(const ValidationTarget& target) {
  return absl::StrCat(kVersionNames[static_cast<size_t>(target.version)], ",",
                      absl::StrJoin(target.capabilities, "+", AppendCapability), ",", Strictness(target));
}

absl::StatusOr<ValidationTarget> ParseValidationTarget(absl::string_view text) {
  auto fail = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "target '", text, "': ", what, " (for instance 1.0,pro_int+pro_fp,8k or 1.1.draft,pro_fp+bf16,none,strict)"));
  };
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  if (parts.size() < 3 || parts.size() > 4) {
    return fail("it must be VERSION,PROFILES,LEVEL, and ',strict' after it if wanted");
  }
  ValidationTarget target;
  const auto version = Find<ValidationTarget::Version>(kVersionNames, parts[0]);
  if (!version) return fail(absl::StrCat("'", parts[0], "' is no version: ", absl::StrJoin(kVersionNames, ", ")));
  target.version = *version;
  target.capabilities.clear();
  for (absl::string_view name : absl::StrSplit(parts[1], '+')) {
    const auto capability = Find<Capability>(kCapabilityNames, name);
    if (!capability) {
      return fail(absl::StrCat("'", name, "' is no profile or extension: ", absl::StrJoin(kCapabilityNames, ", ")));
    }
    target.capabilities.insert(*capability);
  }
  const auto level = Find<ValidationTarget::Level>(kLevelNames, parts[2]);
  if (!level) return fail(absl::StrCat("'", parts[2], "' is no level: ", absl::StrJoin(kLevelNames, ", ")));
  target.level = *level;
  if (parts.size() == 4 && parts[3] != "strict") return fail(absl::StrCat("'", parts[3], "' is not 'strict'"));
  target.strict = parts.size() == 4;
  if (target.version == ValidationTarget::Version::k1_0 && target.capabilities.count(Capability::kInt64) > 0) {
    return fail("int64 comes with 1.1.draft");
  }
  return target;
}

}  // namespace tosaic
