// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workers/progress.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace tosaic {
namespace {

ProgressPage own_page;
ProgressPage* current_page = &own_page;
bool retires = false;

}  // namespace

Progress ReadProgress(const ProgressPage& page) { return {page.phase, page.step, page.own_work, page.note}; }

void SetProgressPage(ProgressPage* page) { current_page = page != nullptr ? page : &own_page; }

ProgressPage& CurrentProgress() { return *current_page; }

void EnterPhase(uint32_t phase) {
  current_page->phase.store(phase, std::memory_order_relaxed);
  current_page->step.store(0, std::memory_order_relaxed);
  current_page->note[0] = '\0';
  SetOwnWork(false);
}

void SetOwnWork(bool is_own) { current_page->own_work.store(is_own, std::memory_order_relaxed); }

void EnterStep(uint32_t step) { current_page->step.store(step, std::memory_order_relaxed); }

void NoteProgress(absl::string_view note) {
  const size_t length = std::min(note.size(), sizeof(current_page->note) - 1);
  std::memcpy(current_page->note, note.data(), length);
  current_page->note[length] = '\0';
}

void RetireProcess() { retires = true; }

bool TakeRetirement() { return std::exchange(retires, false); }

}  // namespace tosaic
