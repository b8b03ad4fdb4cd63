// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/function_switch.h"

#include <malloc.h>

#include <cstring>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "codec/status.h"
#include "toolchain/coverage/breakpoints.h"
#include "toolchain/coverage/function_names.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/loaded_library.h"

namespace tosaic {
namespace {

// x86-64: `mov eax, VALUE; xor edx, edx; ret`. 0 is a null OpFoldResult, and the failure of a LogicalResult, which
// means "does not apply"; 1 is its success.
constexpr uint8_t kReturn[] = {0xb8, 0, 0, 0, 0, 0x31, 0xd2, 0xc3};

constexpr struct {
  absl::string_view mangled, plain;
  uint8_t switched_off;  // what the function returns then
} kKinds[] = {
    {"Op4foldE", "Op::fold", 0},
    {"Op12canonicalizeE", "Op::canonicalize", 0},
    {"Op6verifyE", "Op::verify", 1},
    {"Op25inferReturnTypeComponentsE", "Op::inferReturnTypeComponents", 0},
};

}  // namespace

absl::StatusOr<std::unique_ptr<FunctionSwitch>> FunctionSwitch::Of(absl::string_view library) {
  TOSAIC_ASSIGN_OR_RETURN(const LoadedLibrary loaded, FindLoadedLibrary(library));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<LibraryImage> image, LibraryImage::Open(loaded.file));
  std::unique_ptr<FunctionSwitch> functions(new FunctionSwitch);
  for (const LibraryFunction& function : image->functions()) {
    // To demangle all of a library's symbols would take half a second.
    const auto kind =
        absl::c_find_if(kKinds, [&](const auto& row) { return absl::StrContains(function.symbol, row.mangled); });
    if (kind == std::end(kKinds) || function.size < sizeof(kReturn)) continue;
    std::string name = PlainName(function.symbol);
    // An op of constants folds to its value, so that others can fold: it changes nothing.
    if (absl::EndsWith(name, "ConstOp::fold") || absl::EndsWith(name, "ConstantOp::fold")) continue;
    if (absl::EndsWith(name, kind->plain)) functions->names_.emplace(loaded.bias + function.address, std::move(name));
  }
  // The library's symbols took much memory, which each process that is forked from here on would get a copy of.
  image.reset();
  malloc_trim(0);
  return functions;
}

absl::StatusOr<std::vector<Rewrite>> FunctionSwitch::RanIn(absl::FunctionRef<void()> work) {
  std::vector<uintptr_t> begins;
  for (const auto& [begin, name] : names_) begins.push_back(begin);
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Breakpoints> breakpoints, Breakpoints::Arm(begins));
  work();
  std::vector<Rewrite> ran;
  for (size_t i = 0; i < begins.size(); ++i) {
    if (breakpoints->IsSeen(i)) ran.push_back({.name = names_.at(begins[i])});
  }
  return ran;
}

absl::Status FunctionSwitch::SwitchOff(const std::string& name) {
  uint8_t code[sizeof(kReturn)];
  std::memcpy(code, kReturn, sizeof(code));
  code[1] = absl::c_find_if(kKinds, [&](const auto& row) { return absl::EndsWith(name, row.plain); })->switched_off;
  for (const auto& [begin, function] : names_) {
    if (function == name) TOSAIC_RETURN_IF_ERROR(WriteCode(begin, code));
  }
  return absl::OkStatus();
}

}  // namespace tosaic
