// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/count_stores.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "model/shape.h"
#include "toolchain/capi/worker/ir_walk.h"

namespace tosaic {
namespace {

// A function of the executor (toolchain/execution/runtime_symbols.h).
constexpr char kCountStore[] = "tosaic_count_store";
constexpr int64_t kWordBytes = 8;

// Where an op writes to memory, and how much: as many bytes as `size` says, or `bytes`.
struct Write {
  MlirOperation op;
  MlirValue address;
  MlirValue size = {};
  int64_t bytes = 0;
};

bool CopiesOrSets(const CLibrary& c, MlirOperation op, absl::string_view name) {
  if (absl::ConsumePrefix(&name, "llvm.intr.")) return name == "memcpy" || name == "memmove" || name == "memset";
  const std::string callee = name == "llvm.call" ? AttributeText(c, op, "callee") : "";
  return callee == "@memcpy" || callee == "@memmove" || callee == "@memset";
}

// Whether an op of LLVM's dialect writes to memory in a way that is not known here.
bool WritesOtherwise(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "llvm.")) return false;
  constexpr absl::string_view kWords[] = {"store", "scatter", "atomic", "cmpxchg", "intr.mem", "asm", "call_intrinsic"};
  return absl::c_any_of(kWords, [&](absl::string_view word) { return absl::StrContains(name, word); });
}

// All writes of a module. Not empty: the error.
std::string FindWrites(const CLibrary& c, MlirModule module, std::vector<Write>* writes) {
  std::string error;
  ForEachWithin(c, c.mlirModuleGetOperation(module), [&](MlirOperation op) {
    const absl::string_view name = NameOf(c, op);
    if (name == "llvm.store") {
      const std::optional<int64_t> bytes = StoredBytes(TypeOf(c, c.mlirOperationGetOperand(op, 0)));
      if (bytes) writes->push_back({.op = op, .address = c.mlirOperationGetOperand(op, 1), .bytes = *bytes});
      if (bytes) return true;
    } else if (CopiesOrSets(c, op, name)) {
      const MlirValue size = c.mlirOperationGetOperand(op, 2);
      const bool is_word = TypeOf(c, size) == "i64";
      if (is_word) writes->push_back({.op = op, .address = c.mlirOperationGetOperand(op, 0), .size = size});
      if (is_word) return true;
    } else if (!WritesOtherwise(name)) {
      return true;
    }
    error = absl::StrCat("stores cannot be counted: ", Printed(c.mlirOperationPrint, op));
    return false;
  });
  return error;
}

// Puts a call that tells of it before the write. False: the library does not read the call.
bool Tell(const CLibrary& c, MlirModule module, const Write& write, bool is_first) {
  const std::string text = absl::StrCat("llvm.func @tells(%address: !llvm.ptr) {\n%bytes = llvm.mlir.constant(",
                                        write.bytes, " : i64) : i64\nllvm.call @", kCountStore,
                                        "(%address, %bytes) : (!llvm.ptr, i64) -> ()\nllvm.return\n}\nllvm.func @",
                                        kCountStore, "(!llvm.ptr, i64)\n");
  const MlirModule telling = c.mlirModuleCreateParse(c.mlirModuleGetContext(module), ToRef(text));
  if (telling.ptr == nullptr) return false;
  const MlirOperation function = c.mlirBlockGetFirstOperation(c.mlirModuleGetBody(telling));
  const MlirOperation declaration = c.mlirOperationGetNextInBlock(function);
  const MlirOperation bytes =
      c.mlirBlockGetFirstOperation(c.mlirRegionGetFirstBlock(c.mlirOperationGetRegion(function, 0)));
  const MlirOperation call = c.mlirOperationGetNextInBlock(bytes);
  for (const MlirOperation moved : {bytes, call}) {
    c.mlirOperationRemoveFromParent(moved);
    c.mlirBlockInsertOwnedOperationBefore(c.mlirOperationGetBlock(write.op), write.op, moved);
  }
  c.mlirOperationSetOperand(call, 0, write.address);
  if (write.size.ptr != nullptr) c.mlirOperationSetOperand(call, 1, write.size);
  if (is_first) {
    c.mlirOperationRemoveFromParent(declaration);
    c.mlirBlockAppendOwnedOperation(c.mlirModuleGetBody(module), declaration);
  }
  c.mlirModuleDestroy(telling);
  return true;
}

}  // namespace

std::optional<int64_t> StoredBytes(absl::string_view type) {
  if (absl::ConsumePrefix(&type, "!llvm.")) {
    int64_t words = 0;
    const std::string flat = absl::StrReplaceAll(type, {{"struct<(", ""}, {")>", ""}, {"array<", ""}, {" x i64>", ""}});
    for (const absl::string_view part : absl::StrSplit(flat, ", ")) {
      int64_t count = 1;
      if (part != "ptr" && part != "i64" && !absl::SimpleAtoi(part, &count)) return std::nullopt;
      words += count;
    }
    return words * kWordBytes;
  }
  const bool is_vector = absl::ConsumePrefix(&type, "vector<") && absl::ConsumeSuffix(&type, ">");
  const absl::StatusOr<TensorType> numbers = ParseTensorType(absl::StrCat("tensor<", type, ">"));
  if (!numbers.ok() || !numbers->shape.IsStatic() || (!is_vector && numbers->shape.rank() > 0)) return std::nullopt;
  int64_t bits = BitWidth(numbers->element_type);
  for (const Dim dim : numbers->shape.dims()) bits *= dim.size();
  return (bits + 7) / 8;
}

std::string CountStores(const CLibrary& c, MlirModule module) {
  std::vector<Write> writes;
  if (std::string error = FindWrites(c, module, &writes); !error.empty()) return error;
  for (size_t i = 0; i < writes.size(); ++i) {
    if (!Tell(c, module, writes[i], i == 0))
      return "stores cannot be counted: the call that tells of one does not parse";
  }
  return "";
}

}  // namespace tosaic
