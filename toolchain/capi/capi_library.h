// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CapiLibrary: the file and the name of a shared library with MLIR's C API.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_LIBRARY_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_LIBRARY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The library that ci/install_trunk.sh fetches.
inline constexpr absl::string_view kTrunk = "mlir-trunk";

struct CapiLibrary {
  std::string file;     // absolute
  std::string name;     // "mlir-trunk", "torch-mlir-20261001"; empty: it has none of its own
  std::string package;  // the package that it came with, if known: "torch-mlir 20261001"
};

// Whether a text stands for a library: kTrunk, one that is archived, a file, or what is spelt like one
// ("build/lib/libMLIR-C.so").
bool NamesCapiLibrary(absl::string_view text);

// The library that such a text stands for. Error: it is not there.
absl::StatusOr<CapiLibrary> FindCapiLibrary(const std::string& where);

// The newest in the place that ci/install_trunk.sh uses, below the cache directory; nullopt: none is there.
std::optional<CapiLibrary> FindTrunk();

// Trunk's libraries of earlier days that ci/install_trunk.sh has kept, oldest first, without the newest.
std::vector<CapiLibrary> ListArchivedTrunks();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_LIBRARY_H_
