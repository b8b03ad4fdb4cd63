// Known divergences: findings that are understood and listed with a reason, so that the exit status speaks only of
// new ones. The file is JSON: {"known": [{"signature": "...", "cause": "F6", "reason": "...", "since": "...", "link":
// "..."}]}. A signature is a shell pattern: `*` stands for anything, also across `/`. Entries of one cause are one
// thing to mend; an entry without is a cause of its own. The last two are for people.
#ifndef TOSAIC_CAMPAIGN_KNOWN_DIVERGENCES_H_
#define TOSAIC_CAMPAIGN_KNOWN_DIVERGENCES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

class KnownDivergences {
 public:
  struct Entry {
    std::string signature;
    std::string cause;  // the signature if the file has none
    std::string reason;
  };

  static absl::StatusOr<KnownDivergences> FromText(absl::string_view text);
  static absl::StatusOr<KnownDivergences> FromFile(const std::string& path);

  // The first entry that matches, or null.
  const Entry* Find(absl::string_view signature) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_KNOWN_DIVERGENCES_H_
