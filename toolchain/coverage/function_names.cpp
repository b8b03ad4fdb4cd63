// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/function_names.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "llvm/Demangle/Demangle.h"

namespace tosaic {
namespace {

// Finds the class of a function that has no symbol: run-time type information has the names of classes, including
// classes that are local to an object file, as most rewrite patterns are. A table of virtual functions is: the distance
// to the whole object, the class's type information, the functions. Type information is: a pointer, the class's name.
class Tables {
 public:
  Tables(const LibraryImage& image, uintptr_t bias) : image_(image), bias_(bias) {}

  // By the functions' addresses, of those without a symbol: "(anonymous namespace)::MyPattern [virtual 2]", where 0 is
  // the first entry of the class's table. Empty if the library was built without this information.
  std::map<uint64_t, std::string> Read() {
    for (const AddressRange& data : image_.data()) {
      for (uint64_t at = data.address; at + 3 * kWord <= data.end(); at += kWord) {
        if (Word(at) != 0) continue;  // of a base class that does not come first: its functions have other names too
        const std::optional<std::string> name = ClassNamedAt(Word(at + kWord) - bias_);
        if (name) ReadFunctions(*name, at + 2 * kWord, data.end());
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr uint64_t kWord = sizeof(uint64_t);

  // The word in memory, where the loader has filled in all addresses.
  uint64_t Word(uint64_t address) const { return *reinterpret_cast<const uint64_t*>(bias_ + address); }
  bool IsData(uint64_t address) const {
    return absl::c_any_of(image_.data(), [&](const AddressRange& range) {
      return address >= range.address && address + 2 * kWord <= range.end() && address % kWord == 0;
    });
  }

  std::optional<std::string> ClassNamedAt(uint64_t information) const {
    if (!IsData(information)) return std::nullopt;
    const absl::string_view mangled = image_.ConstantText(Word(information + kWord) - bias_);
    const auto may_be_there = [](char c) { return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.'; };
    const absl::string_view name = absl::StripPrefix(mangled, "*");
    if (name.size() < 2 || !absl::c_all_of(name, may_be_there)) return std::nullopt;
    const std::string demangled = llvm::demangle(absl::StrCat("_ZTS", name));
    constexpr absl::string_view kBefore = "typeinfo name for ";
    if (!absl::StartsWith(demangled, kBefore)) return std::nullopt;
    return demangled.substr(kBefore.size());
  }

  void ReadFunctions(const std::string& name, uint64_t first, uint64_t end) {
    for (uint64_t at = first; at < end; at += kWord) {
      const uint64_t address = Word(at) - bias_;
      if (Word(at) == 0 || IsData(address)) return;  // the next table
      const LibraryFunction* function = image_.FunctionAt(address);
      if (function == nullptr || !function->symbol.empty()) continue;
      found_.emplace(address, absl::StrCat(name, " [virtual ", (at - first) / kWord, "]"));
    }
  }

  const LibraryImage& image_;
  const uintptr_t bias_;
  std::map<uint64_t, std::string> found_;
};

}  // namespace

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
  const std::map<uint64_t, std::string> virtuals = Tables(image, bias).Read();
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
