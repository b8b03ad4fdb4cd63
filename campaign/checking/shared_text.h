// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SharedText: a text that a worker leaves for its parent as it goes, so that nothing is lost if it is ended.
#ifndef TOSAIC_CAMPAIGN_CHECKING_SHARED_TEXT_H_
#define TOSAIC_CAMPAIGN_CHECKING_SHARED_TEXT_H_

#include <atomic>
#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// Made before the fork; one process writes. The last whole text is what the other reads, whenever the writer ends.
class SharedText {
 public:
  SharedText();
  SharedText(const SharedText&) = delete;
  SharedText& operator=(const SharedText&) = delete;
  ~SharedText();

  // Left out if it is too long (4 MiB), or there was no memory to share.
  void Write(absl::string_view text);
  std::string Read() const;  // empty: nothing was written

 private:
  struct Page;
  Page* page_ = nullptr;
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CHECKING_SHARED_TEXT_H_
