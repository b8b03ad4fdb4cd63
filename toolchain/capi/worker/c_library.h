// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CLibrary: a shared library that exports MLIR's C API, loaded into this process. It must be the only LLVM there.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_C_LIBRARY_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_C_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The C API's own types: a pointer each, passed by value.
struct CPointer {
  const void* ptr = nullptr;
};
struct MlirDialectRegistry : CPointer {};
struct MlirContext : CPointer {};
struct MlirDiagnostic : CPointer {};
struct MlirModule : CPointer {};
struct MlirOperation : CPointer {};
struct MlirBlock : CPointer {};
struct MlirRegion : CPointer {};
struct MlirIdentifier : CPointer {};
struct MlirLocation : CPointer {};
struct MlirType : CPointer {};
struct MlirTypeID : CPointer {};
struct MlirAttribute : CPointer {};
struct MlirValue : CPointer {};
struct MlirPassManager : CPointer {};
struct MlirOpPassManager : CPointer {};
struct MlirExecutionEngine : CPointer {};
struct MlirTransformOptions : CPointer {};
struct MlirStringRef {
  const char* data = nullptr;
  size_t length = 0;
};
struct MlirLogicalResult {
  int8_t value = 0;  // 0: failure
};
using MlirStringCallback = void (*)(MlirStringRef, void*);
using MlirComponentsCallback = void (*)(bool ranked, intptr_t rank, const int64_t* shape, MlirType element,
                                        MlirAttribute, void*);

struct CLibrary {
#define C_FUNCTION(result, name, parameters) std::add_pointer_t<result parameters> name = nullptr;
#define C_FUNCTION_IF_THERE C_FUNCTION
#include "toolchain/capi/worker/c_functions.def"
#undef C_FUNCTION_IF_THERE
#undef C_FUNCTION

  // Errors: the file cannot be loaded, or lacks a function, which is named.
  static absl::StatusOr<CLibrary> Load(const std::string& file);
  std::string version() const;  // "24.0.0"
};

inline MlirStringRef ToRef(absl::string_view text) { return {text.data(), text.size()}; }

// The text that a function prints through a callback.
template <typename Object>
std::string Printed(void (*print)(Object, MlirStringCallback, void*), Object object) {
  std::string text;
  print(
      object, [](MlirStringRef part, void* to) { static_cast<std::string*>(to)->append(part.data, part.length); },
      &text);
  return text;
}

inline std::string TypeOf(const CLibrary& c, MlirValue value) {
  return Printed(c.mlirTypePrint, c.mlirValueGetType(value));
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_C_LIBRARY_H_
