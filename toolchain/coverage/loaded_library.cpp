// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/loaded_library.h"

#include <link.h>

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

absl::StatusOr<LoadedLibrary> FindLoadedLibrary(absl::string_view prefix) {
  struct Search {
    absl::string_view prefix;
    std::optional<LoadedLibrary> found;
  } search{prefix, std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        const absl::string_view file = info->dlpi_name;
        if (!absl::StartsWith(file.substr(file.rfind('/') + 1), wanted.prefix)) return 0;
        wanted.found = LoadedLibrary{std::string(file), info->dlpi_addr};
        return 1;
      },
      &search);
  if (search.found) return *search.found;
  return absl::FailedPreconditionError(absl::StrCat("no library ", prefix, " is loaded: is it linked statically?"));
}

}  // namespace tosaic
