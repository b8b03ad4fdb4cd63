// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/call_library.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/shape.h"
#include "toolchain/capi/worker/ir_walk.h"
#include "toolchain/capi/worker/lowered_ir_reader.h"

namespace tosaic {
namespace {

// A function of the executor (toolchain/execution/runtime_symbols.h).
constexpr char kLibraryCall[] = "tosaic_library_call";

std::string NameOfFunction(size_t number) { return absl::StrCat("tosaic_library_", number); }

std::string PlaceOf(const CLibrary& c, MlirOperation op) {
  return Printed(c.mlirLocationPrint, c.mlirOperationGetLocation(op));
}

// The only operand of the op; null: it has another number of them.
MlirValue OnlyOperand(const CLibrary& c, MlirOperation op) {
  return c.mlirOperationGetNumOperands(op) == 1 ? c.mlirOperationGetOperand(op, 0) : MlirValue{};
}

// Yields its only input as it is, where an op of a program has a payload of its own.
bool IsCopy(const CLibrary& c, MlirOperation generic) {
  const MlirBlock body = c.mlirRegionGetFirstBlock(c.mlirOperationGetRegion(generic, 0));
  const MlirOperation first = c.mlirBlockGetFirstOperation(body);
  const intptr_t inputs = c.mlirOperationGetNumOperands(generic) - c.mlirOperationGetNumResults(generic);
  return inputs == 1 && c.mlirOperationGetNextInBlock(first).ptr == nullptr &&
         OnlyOperand(c, first).ptr == c.mlirBlockGetArgument(body, 0).ptr;
}

// "tensor<2xf32>", or a scalar's "f32".
ElementType ElementTypeOf(const CLibrary& c, MlirValue value) {
  std::string type = Printed(c.mlirTypePrint, c.mlirValueGetType(value));
  if (!absl::StrContains(type, '<')) type = absl::StrCat("tensor<", type, ">");
  const absl::StatusOr<TensorType> parsed = ParseTensorType(type);
  return parsed.ok() ? parsed->element_type : ElementType::kF32;
}

// An array of its arguments, and the call that takes it.
std::string Definition(size_t number, size_t views) {
  std::string parameters, stores;
  for (size_t i = 0; i < views; ++i) {
    absl::StrAppend(&parameters, i == 0 ? "" : ", ", "%view", i, ": !llvm.ptr");
    absl::StrAppend(&stores, "%place", i, " = llvm.getelementptr %views[", i,
                    "] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n", "llvm.store %view", i, ", %place", i,
                    " : !llvm.ptr, !llvm.ptr\n");
  }
  return absl::StrCat("llvm.func @_mlir_ciface_", NameOfFunction(number), "(", parameters,
                      ") {\n%number = llvm.mlir.constant(", number, " : i64) : i64\n%count = llvm.mlir.constant(",
                      views, " : i64) : i64\n%views = llvm.alloca %count x !llvm.ptr : (i64) -> !llvm.ptr\n", stores,
                      "llvm.call @", kLibraryCall, "(%number, %views) : (i64, !llvm.ptr) -> ()\nllvm.return\n}\n");
}

}  // namespace

OpsByPlace PlacesOf(const CLibrary& c, absl::Span<const MlirOperation> ops) {
  OpsByPlace places;
  for (const MlirOperation op : ops) places.try_emplace(PlaceOf(c, op), static_cast<int>(places.size()));
  return places;
}

std::vector<LibrarySignature> CallLibrary(const CLibrary& c, MlirContext context, MlirOperation module,
                                          const OpsByPlace& places) {
  std::vector<LibrarySignature> functions;
  ForEachWithin(c, module, [&](MlirOperation op) {
    if (NameOf(c, op) != "linalg.generic") return true;
    const std::string name = NameOfFunction(functions.size());
    c.mlirOperationSetAttributeByName(op, ToRef("library_call"), c.mlirStringAttrGet(context, ToRef(name)));
    LibrarySignature& function = functions.emplace_back();
    const auto place = places.find(PlaceOf(c, op));
    function.op = place == places.end() ? -1 : place->second;
    function.is_copy = IsCopy(c, op);
    std::vector<IndexingMap> maps = ParseIndexingMaps(AttributeText(c, op, "indexing_maps"));
    maps.resize(static_cast<size_t>(c.mlirOperationGetNumOperands(op)));
    for (size_t i = 0; i < maps.size(); ++i) {
      const MlirValue operand = c.mlirOperationGetOperand(op, static_cast<intptr_t>(i));
      function.views.push_back({ElementTypeOf(c, operand), std::move(maps[i])});
    }
    return true;
  });
  return functions;
}

bool DefineLibrary(const CLibrary& c, MlirModule module, absl::Span<const LibrarySignature> functions) {
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < functions.size(); ++i) numbers[absl::StrCat("_mlir_ciface_", NameOfFunction(i))] = i;
  std::string text = absl::StrCat("llvm.func @", kLibraryCall, "(i64, !llvm.ptr)\n");
  std::vector<MlirOperation> declarations;
  ForEachIn(c, module, [&](MlirOperation op) {
    const auto found = numbers.find(SymbolOf(c, op));
    if (found == numbers.end() || HasBody(c, op)) return;
    declarations.push_back(op);
    absl::StrAppend(&text, Definition(found->second, functions[found->second].views.size()));
  });
  const MlirModule defined = c.mlirModuleCreateParse(c.mlirModuleGetContext(module), ToRef(text));
  if (defined.ptr == nullptr) return false;
  for (const MlirOperation op : declarations) {
    c.mlirOperationRemoveFromParent(op);
    c.mlirOperationDestroy(op);
  }
  ForEachIn(c, defined, [&](MlirOperation op) {
    c.mlirOperationRemoveFromParent(op);
    c.mlirBlockAppendOwnedOperation(c.mlirModuleGetBody(module), op);
  });
  c.mlirModuleDestroy(defined);
  return true;
}

}  // namespace tosaic
