// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known divergences: findings that are understood and listed with a reason, so that the exit status speaks only of
// new ones. The file is JSON: {"known": [{"signature": "...", "cause": "F6", "versions": ["19", "22+"], "reason":
// "...", "since": "...", "link": "..."}]}. A signature is a shell pattern: `*` stands for anything, also across `/`. Or
// it is an object with a pattern for each part that matters: {"op": "mul", "rule": "value.mul"} (model/signature.h).
// What a signature leaves out an entry may ask for beside it (circumstances.h): "ops": ["negate(negate(*"], shell
// patterns, one of which one of the case's is; "passes": ["canonicalize"], one of which may have made it wrong.
// "cases":
// ["corpus/regressions/x.json"] are those that show the cause.
// Entries of one cause are one thing to mend; an entry without is a cause of its own. With versions an entry is about
// those of the toolchain alone: "22.1" is 22.1.8 too, "22+" all from 22 on. The last two are for people.
#ifndef TOSAIC_CAMPAIGN_CHECKING_KNOWN_DIVERGENCES_H_
#define TOSAIC_CAMPAIGN_CHECKING_KNOWN_DIVERGENCES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "campaign/checking/circumstances.h"
#include "model/signature.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class KnownDivergences {
 public:
  struct Entry {
    std::string signature;  // one text, also of what the file has in parts
    std::string cause;      // the signature if the file has none
    std::string reason;
    std::vector<std::string> versions;  // none: any
    bool has_parts = false;             // the file has it in parts; else `signature` is a pattern for the whole text
    SignaturePattern parts;             // of a whole text: those parts that it names, and else anything
    std::vector<std::string> ops;       // shell patterns; none: any
    std::vector<std::string> passes;    // the same
    std::vector<std::string> cases;     // files that show the cause

    bool Matches(const FindingSignature& found, const Circumstances& circumstances) const;
    // Whether a case of that op, of these element types ("i8-i32"), on that route, may show it, as far as parts say.
    bool MayBeShownBy(absl::string_view op, absl::string_view types, absl::string_view route) const;
  };

  static absl::StatusOr<KnownDivergences> FromText(absl::string_view text);
  static absl::StatusOr<KnownDivergences> FromFile(const std::string& path);

  // Without the entries that are about other versions. `version`: a toolchain's, "LLVM 22.1.8".
  KnownDivergences ForVersion(absl::string_view version) const;

  // The first entry that matches, or null.
  const Entry* Find(const FindingSignature& signature, const Circumstances& circumstances) const;
  // `test_case`: what shows it; null: a probe, which no entry with circumstances is about.
  const Entry* Find(const FindingSignature& signature, const Case* test_case, const Toolchain& toolchain) const;
  // Of a decision on types alone: the same.
  const Entry* Find(absl::string_view signature) const { return Find(ParseFindingSignature(signature), {}); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CHECKING_KNOWN_DIVERGENCES_H_
