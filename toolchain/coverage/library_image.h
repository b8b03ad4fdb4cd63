// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LibraryImage: what the file of a shared library says of its code: where functions begin and end, and what they are
// called. No debug information is needed: unwinding tables have every function, also those that no symbol names.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_LIBRARY_IMAGE_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_LIBRARY_IMAGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

// Addresses are those of the file.
struct LibraryFunction {
  uint64_t address = 0;
  uint64_t size = 0;
  std::string symbol;      // as the linker knows it; empty: it is local to its object file
  bool is_strong = false;  // one object file defines it; a template's instance may stand in many

  uint64_t end() const { return address + size; }
};

struct AddressRange {
  uint64_t address = 0;
  uint64_t size = 0;

  uint64_t end() const { return address + size; }
};

class LibraryImage {
 public:
  // Errors: no such file, or one without what is needed.
  static absl::StatusOr<std::unique_ptr<LibraryImage>> Open(const std::string& file);
  LibraryImage(const LibraryImage&) = delete;
  ~LibraryImage();

  // All that have unwinding tables, by address. They do not overlap.
  const std::vector<LibraryFunction>& functions() const { return functions_; }
  // The function that begins there, or null.
  const LibraryFunction* FunctionAt(uint64_t address) const;
  // The symbol of what code there only jumps to, as calls of another object file's functions do; empty: it does not.
  std::string SymbolCalledThrough(uint64_t stub) const;
  // What is loaded there and never changes; empty if that is not all of it.
  absl::Span<const uint8_t> Constant(uint64_t address, uint64_t size) const;
  // The text there up to the first zero; empty if that is not constant.
  absl::string_view ConstantText(uint64_t address) const;
  // What the file fills and the program may write, as tables of addresses are when they are filled in.
  const std::vector<AddressRange>& data() const { return data_; }

 private:
  struct Parts;
  explicit LibraryImage(std::unique_ptr<Parts> parts);
  absl::Status ReadSegments();
  absl::Status ReadFunctions();
  void ReadSymbols();
  void ReadSlots();

  const std::unique_ptr<Parts> parts_;
  std::vector<LibraryFunction> functions_;
  std::vector<AddressRange> data_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_LIBRARY_IMAGE_H_
