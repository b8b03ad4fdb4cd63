// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/c_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <fstream>
#include <ios>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

// Says why a file does not load. The loader passes over a library for another machine, and then says that there is
// none.
std::string WhyNot(const std::string& file, absl::string_view error) {
  ElfW(Ehdr) own = {}, header = {};
  std::ifstream("/proc/self/exe", std::ios::binary).read(reinterpret_cast<char*>(&own), sizeof(own));
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG)) return "it is no shared library";
  if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || header.e_machine != own.e_machine) {
    return absl::StrCat("it is for another architecture (ELF machine ", header.e_machine, ", here ", own.e_machine,
                        ")");
  }
  absl::ConsumePrefix(&error, absl::StrCat(file, ": "));
  return std::string(error);
}

}  // namespace

absl::StatusOr<CLibrary> CLibrary::Load(const std::string& file) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // which is never closed: LLVM does not survive that
  if (handle == nullptr) return absl::InvalidArgumentError(WhyNot(file, dlerror()));
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
