#include "workers/progress.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tosaic {
namespace {

ProgressPage own_page;
ProgressPage* current_page = &own_page;

}  // namespace

void SetProgressPage(ProgressPage* page) { current_page = page != nullptr ? page : &own_page; }

ProgressPage& CurrentProgress() { return *current_page; }

void EnterStage(Stage stage) {
  current_page->stage.store(stage, std::memory_order_relaxed);
  current_page->run.store(0, std::memory_order_relaxed);
  current_page->pass[0] = '\0';
}

void EnterPass(absl::string_view name) {
  const size_t length = std::min(name.size(), sizeof(current_page->pass) - 1);
  std::memcpy(current_page->pass, name.data(), length);
  current_page->pass[length] = '\0';
}

void EnterRun(uint32_t run) { current_page->run.store(run, std::memory_order_relaxed); }

Observation DeathAt(const ProgressPage& page) {
  Observation death;
  death.outcome = Outcome::kSignal;
  death.stage = page.stage;
  death.pass = page.pass;
  death.run = page.run;
  return death;
}

}  // namespace tosaic
