// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LibraryImage: reads from the file of a shared library where functions begin and end, and their names. It needs no
// debug information, because unwinding tables have every function, including those without a symbol.
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
  // Errors: there is no such file, or it lacks the necessary tables.
  static absl::StatusOr<std::unique_ptr<LibraryImage>> Open(const std::string& file);
  LibraryImage(const LibraryImage&) = delete;
  ~LibraryImage();

  // All functions that have unwinding tables, sorted by address. They do not overlap.
  const std::vector<LibraryFunction>& functions() const { return functions_; }
  // The function that begins there, or null.
  const LibraryFunction* FunctionAt(uint64_t address) const;
  // The symbol that the code at this address only jumps to, as the stubs for other object files' functions do; empty if
  // it does something else.
  std::string SymbolCalledThrough(uint64_t stub) const;
  // The symbol whose address the loader puts there; empty if it puts none.
  std::string SymbolIn(uint64_t slot) const;
  // All symbols of its functions, and those that the loader finds for it.
  std::vector<std::string> Symbols() const;
  // The constant bytes at this address; empty if not all of them are constant.
  absl::Span<const uint8_t> Constant(uint64_t address, uint64_t size) const;
  // The constant text at this address up to the first zero; empty if it is not constant.
  absl::string_view ConstantText(uint64_t address) const;
  // The data that the file has and the program may write, for example tables of addresses that the loader fills in.
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
