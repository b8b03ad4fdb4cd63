// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/c_library.h"

#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

absl::StatusOr<CLibrary> CLibrary::Load(const std::string& file) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // which is never closed: LLVM does not survive that
  if (handle == nullptr) return absl::InvalidArgumentError(dlerror());
  CLibrary library;
  const char* missing = nullptr;
#define C_FUNCTION_IF_THERE(result, name, parameters) \
  library.name = reinterpret_cast<decltype(library.name)>(dlsym(handle, #name));
#define C_FUNCTION(result, name, parameters)    \
  C_FUNCTION_IF_THERE(result, name, parameters) \
  if (library.name == nullptr && missing == nullptr) missing = #name;
#include "toolchain/capi/worker/c_functions.def"
#undef C_FUNCTION
#undef C_FUNCTION_IF_THERE
  if (missing != nullptr) return absl::InvalidArgumentError(absl::StrCat("it has no function ", missing));
  return library;
}

std::string CLibrary::version() const {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return absl::StrCat(major, ".", minor, ".", patch);
}

}  // namespace tosaic
