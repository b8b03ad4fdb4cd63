// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/validation_target.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

void AppendCapability(std::string* out, Capability capability) { absl::StrAppend(out, Name(capability)); }

// tosa.xml of 1.1 against that of 1.0.
bool IsOfDraft(Capability capability) {
  return capability == Capability::kInt64 || capability == Capability::kShape || capability >= Capability::kMxCommon;
}

// Reads one name into `enumerator`. Returns the error, or "".
template <typename Enum>
std::string ReadName(absl::string_view name, Enum* enumerator) {
  if (const std::optional<Enum> found = Find<Enum>(name)) {
    *enumerator = *found;
    return "";
  }
  const auto [names, noun] = NamesOf(Enum{});
  return absl::StrCat("'", name, "' is no ", noun.substr(2), ": ", absl::StrJoin(names, ", "));
}

}  // namespace

EnumNames NamesOf(Capability) {
  static constexpr absl::string_view kNames[] = {
      "pro_int",    "pro_fp",     "int4",        "int16",        "int64",  "bf16",      "fp8e4m3",
      "fp8e5m2",    "dynamic",    "doubleround", "inexactround", "shape",  "mx_common", "mx_fp4e2m1",
      "mx_fp6e2m3", "mx_fp6e3m2", "mx_fp8e4m3",  "mx_fp8e5m2",   "mx_int8"};
  return NamesFor<Capability>(kNames, "a profile or extension");
}

EnumNames NamesOf(ValidationTarget::Version) {
  static constexpr absl::string_view kNames[] = {"1.0", "1.1.draft"};
  return NamesFor<ValidationTarget::Version>(kNames, "a version");
}

EnumNames NamesOf(ValidationTarget::Level) {
  static constexpr absl::string_view kNames[] = {"8k", "none"};
  return NamesFor<ValidationTarget::Level>(kNames, "a level");
}

std::string Strictness(const ValidationTarget& target) {
  return absl::StrCat(Name(target.level), target.strict ? ",strict" : "");
}

bool IsStrictness(absl::string_view text) {
  absl::ConsumeSuffix(&text, ",strict");
  return Find<ValidationTarget::Level>(text).has_value();
}

std::string ToString(const ValidationTarget& target) {
  return absl::StrCat(Name(target.version), ",", absl::StrJoin(target.capabilities, "+", AppendCapability), ",",
                      Strictness(target));
}

absl::StatusOr<ValidationTarget> ParseValidationTarget(absl::string_view text) {
  auto fail = [&](absl::string_view message) {
    return absl::InvalidArgumentError(
        absl::StrCat("target '", text, "': ", message,
                     " (for instance 1.0,pro_int+pro_fp,8k or 1.1.draft,pro_fp+bf16,none,strict)"));
  };
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  if (parts.size() < 3 || parts.size() > 4) {
    return fail("it must be VERSION,PROFILES,LEVEL, and ',strict' after it if wanted");
  }
  ValidationTarget target;
  if (const std::string why = ReadName(parts[0], &target.version); !why.empty()) return fail(why);
  target.capabilities.clear();
  for (absl::string_view name : absl::StrSplit(parts[1], '+')) {
    Capability capability;
    if (const std::string why = ReadName(name, &capability); !why.empty()) return fail(why);
    target.capabilities.insert(capability);
  }
  if (const std::string why = ReadName(parts[2], &target.level); !why.empty()) return fail(why);
  if (parts.size() == 4 && parts[3] != "strict") return fail(absl::StrCat("'", parts[3], "' is not 'strict'"));
  target.strict = parts.size() == 4;
  for (const Capability capability : target.capabilities) {
    if (target.version != ValidationTarget::Version::k1_0 || !IsOfDraft(capability)) continue;
    return fail(absl::StrCat(Name(capability), " comes with 1.1.draft"));
  }
  return target;
}

}  // namespace tosaic
