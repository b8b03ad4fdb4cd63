// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValidationTarget: the target that `tosa-validate` checks a program against: the options of MLIR's tosa-attach-target,
// plus the validator's own strictness (tosa-semantics.md, "Where the two verifiers stand").
#ifndef TOSAIC_MODEL_VALIDATION_TARGET_H_
#define TOSAIC_MODEL_VALIDATION_TARGET_H_

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/names.h"

namespace tosaic {

// A profile or an extension. Those up to kDynamic are the ones that an elementwise op or its operands can need.
enum class Capability : uint8_t {
  kProInt,
  kProFp,
  kInt4,
  kInt16,
  kInt64,
  kBf16,
  kFp8E4M3,
  kFp8E5M2,
  kDynamic,
  kDoubleRound,
  kInexactRound,
  kShape,
  kMxCommon,
  kMxFp4E2M1,
  kMxFp6E2M3,
  kMxFp6E3M2,
  kMxFp8E4M3,
  kMxFp8E5M2,
  kMxInt8,
};
EnumNames NamesOf(Capability capability);  // MLIR's spelling: "pro_int", "fp8e4m3"
inline bool IsProfile(Capability capability) { return capability <= Capability::kProFp; }

struct ValidationTarget {
  enum class Version : uint8_t { k1_0, k1_1Draft };
  enum class Level : uint8_t { k8K, kNone };
  Version version = Version::k1_0;
  std::set<Capability> capabilities = {Capability::kProInt, Capability::kProFp};
  Level level = Level::k8K;
  bool strict = false;  // strict-op-spec-alignment

  friend bool operator==(const ValidationTarget& a, const ValidationTarget& b) = default;
};

EnumNames NamesOf(ValidationTarget::Version version);  // "1.1.draft"
EnumNames NamesOf(ValidationTarget::Level level);      // "8k"

// How much the validator checks, by level and strictness: "8k", "none", "8k,strict", "none,strict".
std::string Strictness(const ValidationTarget& target);
bool IsStrictness(absl::string_view text);
// "1.0,pro_int+pro_fp,8k" or "1.1.draft,pro_fp+bf16,none,strict".
std::string ToString(const ValidationTarget& target);
// Parses that form. Errors: a text of another form, and a target that cannot exist (int64 needs 1.1.draft).
absl::StatusOr<ValidationTarget> ParseValidationTarget(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_VALIDATION_TARGET_H_
