// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FNV-1a: a digest that is the same on every machine and in every build, unlike std::hash. File formats contain it.
#ifndef TOSAIC_MODEL_DIGEST_H_
#define TOSAIC_MODEL_DIGEST_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace tosaic {

inline constexpr uint64_t kDigestOfNothing = 0xcbf29ce484222325;

// Returns the digest of a text. `before` is the digest of the preceding text, if there is any.
inline uint64_t Digest(absl::string_view text, uint64_t before = kDigestOfNothing) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_DIGEST_H_
