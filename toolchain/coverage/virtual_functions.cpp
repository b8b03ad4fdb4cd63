// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/virtual_functions.h"

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

// A table of virtual functions is: the distance to the whole object, the class's type information, the functions. Type
// information is: a pointer, the class's name.
class Tables {
 public:
  Tables(const LibraryImage& image, uintptr_t bias) : image_(image), bias_(bias) {}

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

std::map<uint64_t, std::string> VirtualFunctions(const LibraryImage& image, uintptr_t bias) {
  return Tables(image, bias).Read();
}

}  // namespace tosaic
