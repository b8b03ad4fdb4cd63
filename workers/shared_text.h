// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SharedText: a text that a worker writes for its parent while it works, so that it is not lost if the worker is ended.
#ifndef TOSAIC_WORKERS_SHARED_TEXT_H_
#define TOSAIC_WORKERS_SHARED_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// Create it before the fork; one process writes. The other reads the last complete text, whenever the writer ends.
class SharedText {
 public:
  SharedText();
  SharedText(const SharedText&) = delete;
  SharedText& operator=(const SharedText&) = delete;
  ~SharedText();

  bool IsShared() const { return page_ != nullptr; }  // else there was no memory for it
  // Does nothing if the text is too long (4 MiB), or if no memory could be shared.
  void Write(absl::string_view text);
  std::string Read() const;  // empty: nothing was written

 private:
  struct Page;
  Page* page_ = nullptr;
};

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_SHARED_TEXT_H_
