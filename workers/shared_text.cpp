// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/shared_text.h"

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <new>

namespace tosaic {
namespace {

constexpr size_t kMostBytes = size_t{4} << 20;

}  // namespace

// Two slots in turn: the one that `current` names is whole.
struct SharedText::Page {
  std::atomic<int> current{-1};
  size_t bytes[2] = {};
  char text[2][kMostBytes];
};

SharedText::SharedText() {
  void* memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) page_ = new (memory) Page;
}

SharedText::~SharedText() {
  if (page_ != nullptr) munmap(page_, sizeof(Page));
}

void SharedText::Write(absl::string_view text) {
  if (page_ == nullptr || text.size() > kMostBytes) return;
  const int slot = page_->current == 0 ? 1 : 0;
  std::memcpy(page_->text[slot], text.data(), text.size());
  page_->bytes[slot] = text.size();
  page_->current = slot;
}

std::string SharedText::Read() const {
  if (page_ == nullptr || page_->current < 0) return "";
  const int slot = page_->current;
  return std::string(page_->text[slot], page_->bytes[slot]);
}

}  // namespace tosaic
