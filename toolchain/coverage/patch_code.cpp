// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/patch_code.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "llvm/Demangle/Demangle.h"
#include "model/sort_unique.h"
#include "toolchain/coverage/block_finder.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/watch_list.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// The files that have the code of a build.
std::set<std::string> FilesOf(const std::string& build) {
  std::error_code error;
  if (!fs::is_directory(build, error)) return {build};
  std::set<std::string> files = {absl::StrCat(build, "/mlir-opt")};
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(build) / ".." / "lib", error)) {
    const std::string name = entry.path().filename().string();
    if (!absl::StartsWith(name, "libMLIR") || !absl::StrContains(name, ".so")) continue;
    const fs::path file = fs::canonical(entry.path(), error);  // one library may have several names
    if (!error) files.insert(file.string());
  }
  return files;
}

struct Library {
  std::unique_ptr<LibraryImage> image;
  std::unique_ptr<BlockFinder> finder;
};

absl::StatusOr<Library> OpenLibrary(const std::string& file) {
  Library library;
  TOSAIC_ASSIGN_OR_RETURN(library.image, LibraryImage::Open(file));
  TOSAIC_ASSIGN_OR_RETURN(library.finder, BlockFinder::Create(*library.image));
  return library;
}

// Functions that have the same code.
struct SameCode {
  const Library* library = nullptr;
  const LibraryFunction* first = nullptr;
  int count = 0;
};

struct Build {
  std::vector<std::unique_ptr<Library>> libraries;
  absl::flat_hash_map<size_t, SameCode> functions;  // by digest; without those whose code cannot be followed
};

absl::StatusOr<Build> ReadBuild(const std::string& where) {
  Build build;
  for (const std::string& file : FilesOf(where)) {
    TOSAIC_ASSIGN_OR_RETURN(Library opened, OpenLibrary(file));
    const auto& library = build.libraries.emplace_back(std::make_unique<Library>(std::move(opened)));
    for (const LibraryFunction& function : library->image->functions()) {
      const absl::StatusOr<FunctionCode> code = library->finder->CodeOf(function);
      if (!code.ok()) continue;
      ++build.functions.try_emplace(code->digest, SameCode{library.get(), &function}).first->second.count;
    }
  }
  return build;
}

// What ops have become behind TOSA, where the name is another one.
constexpr struct {
  absl::string_view name;
  OpKind op;
} kLowered[] = {
    {"arith::DivSIOp", OpKind::kIntdiv},
    {"arith::MaximumFOp", OpKind::kMaximum},
    {"arith::MaxSIOp", OpKind::kMaximum},
    {"arith::MinimumFOp", OpKind::kMinimum},
    {"arith::MinSIOp", OpKind::kMinimum},
    {"arith::MulFOp", OpKind::kMul},
    {"arith::SubFOp", OpKind::kSub},
    {"arith::NegFOp", OpKind::kNegate},
    {"arith::AndIOp", OpKind::kBitwiseAnd},
    {"arith::OrIOp", OpKind::kBitwiseOr},
    {"arith::XOrIOp", OpKind::kBitwiseXor},
    {"arith::ShLIOp", OpKind::kLogicalLeftShift},
    {"arith::ShRSIOp", OpKind::kArithmeticRightShift},
    {"arith::ShRUIOp", OpKind::kLogicalRightShift},
    {"arith::FPToSIOp", OpKind::kCast},
    {"arith::SIToFPOp", OpKind::kCast},
    {"arith::TruncFOp", OpKind::kCast},
    {"math::AbsFOp", OpKind::kAbs},
    {"math::AbsIOp", OpKind::kAbs},
    {"math::CountLeadingZerosOp", OpKind::kClz},
    {"math::PowFOp", OpKind::kPow},
};

bool Names(absl::string_view names, absl::string_view dialect, absl::string_view op) {
  return absl::StrContains(names, absl::StrCat("mlir::", dialect, op));
}

// Whether the names, in lines, have a class of the op in TOSA or behind it.
bool NamesOp(absl::string_view names, const OpInfo& op) {
  const std::string name = ClassOf(op.name);
  return Names(names, "tosa::", name) || Names(names, "math::", name) ||
         absl::c_any_of(kLowered, [&](const auto& row) { return row.op == op.kind && Names(names, "", row.name); });
}

// What functions compare with and how often, and symbols that they have or use.
struct Code {
  absl::flat_hash_map<double, int> numbers;
  absl::flat_hash_set<std::string> symbols;

  // A function whose code stands there that often.
  void Add(const Library& library, const LibraryFunction& function, int count = 1) {
    const absl::StatusOr<FunctionCode> code = library.finder->CodeOf(function);
    if (!code.ok()) return;
    for (const double number : code->compared) numbers[number] += count;
    symbols.insert(function.symbol);
    for (const uint64_t called : code->calls) {
      const LibraryFunction* local = library.image->FunctionAt(called);
      symbols.insert(local == nullptr ? library.image->SymbolCalledThrough(called) : local->symbol);
    }
    for (const uint64_t data : code->data) symbols.insert(library.image->SymbolIn(data));
  }

  PatchCode Telling() const {
    constexpr double kLeast = 9, kGreatest = 1 << 20;
    PatchCode telling;
    for (const auto& [number, count] : numbers) {
      if (number >= kLeast && number <= kGreatest) telling.numbers.push_back(number);
    }
    SortUnique(&telling.numbers);
    std::string names;
    for (const std::string& symbol : symbols) absl::StrAppend(&names, llvm::demangle(symbol), "\n");
    for (const OpInfo& op : AllOps()) {
      if (NamesOp(names, op)) telling.ops.push_back(op.kind);
    }
    return telling;
  }
};

// What is in the functions that one build has and the other has not. Error: they are too many for a patch.
absl::StatusOr<Code> CodeOnlyIn(const Build& build, const Build& other) {
  constexpr int kMost = 500;  // other versions and other compilers change more
  Code own;
  int functions = 0;
  for (const auto& [digest, same] : build.functions) {
    const auto there = other.functions.find(digest);
    const int more = same.count - (there == other.functions.end() ? 0 : there->second.count);
    if (more <= 0) continue;
    functions += more;
    if (functions > kMost) return absl::ResourceExhaustedError("too many functions differ");
    own.Add(*same.library, *same.first, more);
  }
  return own;
}

}  // namespace

absl::StatusOr<PatchCode> CodeOfPlugin(const std::string& file) {
  constexpr uintmax_t kMostBytes = 32 << 20;
  std::error_code error;
  if (fs::file_size(file, error) > kMostBytes && !error) {
    return absl::ResourceExhaustedError("it is too large to be read in a second");
  }
  TOSAIC_ASSIGN_OR_RETURN(const Library plugin, OpenLibrary(file));
  Code code;
  for (const LibraryFunction& function : plugin.image->functions()) {
    if (function.symbol.empty() || function.is_strong) code.Add(plugin, function);
  }
  for (std::string& symbol : plugin.image->Symbols()) code.symbols.insert(std::move(symbol));
  return code.Telling();
}

absl::StatusOr<PatchCode> CodeOfBuild(const std::string& patch, const std::string& base) {
  TOSAIC_ASSIGN_OR_RETURN(const Build before, ReadBuild(base));
  TOSAIC_ASSIGN_OR_RETURN(const Build after, ReadBuild(patch));
  TOSAIC_ASSIGN_OR_RETURN(Code code, CodeOnlyIn(after, before));
  TOSAIC_ASSIGN_OR_RETURN(const Code gone, CodeOnlyIn(before, after));
  absl::erase_if(code.numbers, [&](const auto& number) {
    const auto there = gone.numbers.find(number.first);
    return there != gone.numbers.end() && there->second >= number.second;
  });
  return code.Telling();
}

}  // namespace tosaic
