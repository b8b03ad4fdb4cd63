// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/function_names.h"

#include <cstdlib>
#include <map>

#include "absl/strings/str_cat.h"
#include "llvm/Demangle/Demangle.h"
#include "toolchain/coverage/virtual_functions.h"

namespace tosaic {

std::string PlainName(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str())) return symbol;
  size_t size = 0;
  char* name = demangler.getFunctionName(nullptr, &size);
  if (name == nullptr) return llvm::demangle(symbol);
  std::string plain = name;
  std::free(name);
  return plain;
}

std::vector<std::string> FunctionNames(const LibraryImage& image, uintptr_t bias) {
  const std::map<uint64_t, std::string> virtuals = VirtualFunctions(image, bias);
  std::vector<std::string> names;
  names.reserve(image.functions().size());
  std::string before = "the beginning";
  int locals = 0;
  for (const LibraryFunction& function : image.functions()) {
    const auto of_class = virtuals.find(function.address);
    if (function.symbol.empty() && of_class == virtuals.end()) {
      names.push_back(absl::StrCat(before, " [local ", ++locals, "]"));
      continue;
    }
    names.push_back(function.symbol.empty() ? of_class->second : PlainName(function.symbol));
    if (!function.symbol.empty() && !function.is_strong) continue;
    before = names.back();
    locals = 0;
  }
  return names;
}

}  // namespace tosaic
