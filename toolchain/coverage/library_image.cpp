// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/library_image.h"

#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

namespace tosaic {
namespace {

using ElfFile = llvm::object::ELF64LEObjectFile;

absl::Status Unusable(const std::string& file, absl::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat(file, ": ", why));
}

absl::Status Unusable(const std::string& file, llvm::Error error) {
  return Unusable(file, llvm::toString(std::move(error)));
}

}  // namespace

struct LibraryImage::Parts {
  struct Segment {
    uint64_t address;
    absl::Span<const uint8_t> bytes;
  };

  std::string file;
  llvm::object::OwningBinary<llvm::object::ObjectFile> binary;
  const ElfFile* elf = nullptr;
  std::vector<Segment> constants;  // what is loaded and cannot be written

  std::map<uint64_t, std::string> slots;  // where the loader puts a function's address: the function's symbol

  const Segment* ConstantAt(uint64_t address) const;  // or null
};

LibraryImage::LibraryImage(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LibraryImage::~LibraryImage() = default;

absl::StatusOr<std::unique_ptr<LibraryImage>> LibraryImage::Open(const std::string& file) {
  auto parts = std::make_unique<Parts>();
  parts->file = file;
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> binary =
      llvm::object::ObjectFile::createObjectFile(file);
  if (!binary) return Unusable(file, binary.takeError());
  parts->binary = std::move(*binary);
  parts->elf = llvm::dyn_cast<ElfFile>(parts->binary.getBinary());
  if (parts->elf == nullptr) return Unusable(file, "no 64-bit little-endian ELF file");
  std::unique_ptr<LibraryImage> image(new LibraryImage(std::move(parts)));
  TOSAIC_RETURN_IF_ERROR(image->ReadSegments());
  TOSAIC_RETURN_IF_ERROR(image->ReadFunctions());
  image->ReadSymbols();
  image->ReadSlots();
  return image;
}

absl::Status LibraryImage::ReadSegments() {
  auto headers = parts_->elf->getELFFile().program_headers();
  if (!headers) return Unusable(parts_->file, headers.takeError());
  const llvm::StringRef content = parts_->elf->getData();
  for (const auto& header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD) continue;
    if ((header.p_flags & llvm::ELF::PF_W) != 0) {
      data_.push_back({header.p_vaddr, header.p_filesz});
      continue;
    }
    const llvm::StringRef bytes = content.substr(header.p_offset, header.p_filesz);
    parts_->constants.push_back({header.p_vaddr, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}});
  }
  return absl::OkStatus();
}

absl::Status LibraryImage::ReadFunctions() {
  const std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(*parts_->elf);
  llvm::Expected<const llvm::DWARFDebugFrame*> frames = context->getEHFrame();
  if (!frames) return Unusable(parts_->file, frames.takeError());
  for (const llvm::dwarf::FrameEntry& entry : (*frames)->entries()) {
    const auto* frame = llvm::dyn_cast<llvm::dwarf::FDE>(&entry);
    if (frame == nullptr || frame->getAddressRange() == 0) continue;
    functions_.push_back({.address = frame->getInitialLocation(), .size = frame->getAddressRange()});
  }
  if (functions_.empty()) return Unusable(parts_->file, "no unwinding tables (.eh_frame)");
  absl::c_sort(functions_, [](const auto& a, const auto& b) { return a.address < b.address; });
  for (size_t i = 1; i < functions_.size(); ++i) {
    if (functions_[i].address < functions_[i - 1].end()) return Unusable(parts_->file, "its functions overlap");
  }
  return absl::OkStatus();
}

// Several symbols may name one function: a strong one before others, then by name.
void LibraryImage::ReadSymbols() {
  for (const llvm::object::ELFSymbolRef symbol : parts_->elf->getDynamicSymbolIterators()) {
    const std::optional<uint64_t> address = llvm::expectedToOptional(symbol.getAddress());
    const std::optional<llvm::StringRef> name = llvm::expectedToOptional(symbol.getName());
    if (!address || !name || symbol.getELFType() != llvm::ELF::STT_FUNC) continue;
    auto* function = const_cast<LibraryFunction*>(FunctionAt(*address));
    if (function == nullptr) continue;
    const bool is_strong = symbol.getBinding() == llvm::ELF::STB_GLOBAL;
    const bool is_better = function->symbol.empty() ||
                           std::tuple(!is_strong, name->str()) < std::tuple(!function->is_strong, function->symbol);
    if (!is_better) continue;
    function->symbol = name->str();
    function->is_strong = is_strong;
  }
}

void LibraryImage::ReadSlots() {
  const llvm::object::ObjectFile& file = *parts_->elf;
  for (const llvm::object::SectionRef section : file.dynamic_relocation_sections()) {
    for (const llvm::object::RelocationRef relocation : section.relocations()) {
      const uint64_t type = relocation.getType();
      if (type != llvm::ELF::R_X86_64_JUMP_SLOT && type != llvm::ELF::R_X86_64_GLOB_DAT) continue;
      if (relocation.getSymbol() == parts_->elf->symbol_end()) continue;
      const auto name = llvm::expectedToOptional(relocation.getSymbol()->getName());
      if (name) parts_->slots.emplace(relocation.getOffset(), name->str());
    }
  }
}

std::string LibraryImage::SymbolCalledThrough(uint64_t stub) const {
  constexpr uint64_t kJumpSize = 6;
  constexpr uint8_t kJump[] = {0xff, 0x25};              // jmp *distance(%rip)
  constexpr uint8_t kMark[] = {0xf3, 0x0f, 0x1e, 0xfa};  // endbr64, which may come before it
  if (absl::c_equal(Constant(stub, sizeof(kMark)), kMark)) stub += sizeof(kMark);
  const absl::Span<const uint8_t> jump = Constant(stub, kJumpSize);
  if (jump.empty() || !absl::c_equal(jump.first(sizeof(kJump)), kJump)) return "";
  int32_t distance = 0;
  std::memcpy(&distance, jump.data() + sizeof(kJump), sizeof(distance));
  return SymbolIn(stub + kJumpSize + static_cast<uint64_t>(int64_t{distance}));
}

std::string LibraryImage::SymbolIn(uint64_t slot) const {
  const auto found = parts_->slots.find(slot);
  return found == parts_->slots.end() ? "" : found->second;
}

std::vector<std::string> LibraryImage::Symbols() const {
  std::vector<std::string> symbols;
  for (const LibraryFunction& function : functions_) symbols.push_back(function.symbol);
  for (const auto& [slot, symbol] : parts_->slots) symbols.push_back(symbol);
  return symbols;
}

const LibraryFunction* LibraryImage::FunctionAt(uint64_t address) const {
  const auto at = absl::c_lower_bound(
      functions_, address, [](const LibraryFunction& function, uint64_t wanted) { return function.address < wanted; });
  return at != functions_.end() && at->address == address ? &*at : nullptr;
}

const LibraryImage::Parts::Segment* LibraryImage::Parts::ConstantAt(uint64_t address) const {
  const auto found = absl::c_find_if(constants, [&](const Segment& segment) {
    return address >= segment.address && address - segment.address < segment.bytes.size();
  });
  return found == constants.end() ? nullptr : &*found;
}

absl::Span<const uint8_t> LibraryImage::Constant(uint64_t address, uint64_t size) const {
  const Parts::Segment* segment = parts_->ConstantAt(address);
  if (segment == nullptr || size > segment->bytes.size() - (address - segment->address)) return {};
  return segment->bytes.subspan(address - segment->address, size);
}

absl::string_view LibraryImage::ConstantText(uint64_t address) const {
  const Parts::Segment* segment = parts_->ConstantAt(address);
  if (segment == nullptr) return "";
  const absl::Span<const uint8_t> rest = segment->bytes.subspan(address - segment->address);
  const auto* text = reinterpret_cast<const char*>(rest.data());
  return {text, strnlen(text, rest.size())};
}

}  // namespace tosaic
