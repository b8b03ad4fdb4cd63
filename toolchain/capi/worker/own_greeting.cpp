// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "model/digest.h"
#include "toolchain/capi/worker/protocol.h"
#include "tosaic_revision.h"

namespace tosaic {

CapiGreeting OwnGreeting() {
  const uint64_t digest = Digest(Dump(Schema<CapiReply>(), -1), Digest(Dump(Schema<CapiRequest>(), -1)));
  return {.error = "",
          .version = "",
          .protocol = absl::StrCat(absl::Hex(digest, absl::kZeroPad16)),
          .build = "revision " TOSAIC_REVISION};
}

}  // namespace tosaic
