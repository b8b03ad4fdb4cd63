// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops within an op, by MLIR's C API.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_IR_WALK_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_IR_WALK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

// Calls `use` with the op and each op within, outer ones first, until it returns false.
inline void ForEachWithin(const CLibrary& c, MlirOperation op, absl::FunctionRef<bool(MlirOperation)> use) {
  constexpr int kGoOn = 0;       // MlirWalkResultAdvance
  constexpr int kInterrupt = 1;  // MlirWalkResultInterrupt
  constexpr int kPreOrder = 0;   // MlirWalkPreOrder
  c.mlirOperationWalk(
      op,
      [](MlirOperation inner, void* to) {
        return (*static_cast<absl::FunctionRef<bool(MlirOperation)>*>(to))(inner) ? kGoOn : kInterrupt;
      },
      &use, kPreOrder);
}

// "tosa.add". Lives as long as the context.
inline absl::string_view NameOf(const CLibrary& c, MlirOperation op) {
  const MlirStringRef name = c.mlirIdentifierStr(c.mlirOperationGetName(op));
  return {name.data, name.length};
}

// The first such op within the op; null: there is none.
inline MlirOperation FirstNamed(const CLibrary& c, MlirOperation op, absl::string_view name) {
  MlirOperation found;
  ForEachWithin(c, op, [&](MlirOperation inner) {
    if (NameOf(c, inner) == name) found = inner;
    return found.ptr == nullptr;
  });
  return found;
}

inline std::vector<MlirValue> OperandsOf(const CLibrary& c, MlirOperation op) {
  std::vector<MlirValue> operands;
  for (intptr_t i = 0; i < c.mlirOperationGetNumOperands(op); ++i) operands.push_back(c.mlirOperationGetOperand(op, i));
  return operands;
}

// An attribute as MLIR prints it; empty: the op has none of that name.
inline std::string AttributeText(const CLibrary& c, MlirOperation op, absl::string_view name) {
  const MlirAttribute attribute = c.mlirOperationGetAttributeByName(op, ToRef(name));
  return attribute.ptr == nullptr ? "" : Printed(c.mlirAttributePrint, attribute);
}

// Calls `use` with each op at the top of a module, which may move it away.
inline void ForEachIn(const CLibrary& c, MlirModule module, absl::FunctionRef<void(MlirOperation)> use) {
  MlirOperation op = c.mlirBlockGetFirstOperation(c.mlirModuleGetBody(module));
  while (op.ptr != nullptr) {
    const MlirOperation next = c.mlirOperationGetNextInBlock(op);
    use(op);
    op = next;
  }
}

inline bool HasBody(const CLibrary& c, MlirOperation op) {
  return c.mlirOperationGetNumRegions(op) > 0 &&
         c.mlirRegionGetFirstBlock(c.mlirOperationGetRegion(op, 0)).ptr != nullptr;
}

// The name of a function or another symbol; empty: it is none.
inline std::string SymbolOf(const CLibrary& c, MlirOperation op) {
  const MlirAttribute name = c.mlirOperationGetAttributeByName(op, ToRef("sym_name"));
  if (name.ptr == nullptr) return "";
  const MlirStringRef text = c.mlirStringAttrGetValue(name);
  return std::string(text.data, text.length);
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_IR_WALK_H_
