// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/library_calls.h"

#include <algorithm>
#include <utility>

#include "toolchain/execution/memref_descriptor.h"
#include "workers/progress.h"

namespace tosaic {

LibraryView LibraryCaller::Describe(const LibrarySignature::View& view, const int64_t* descriptor) const {
  ResultDescriptor found = ReadDescriptor(descriptor, view.map.size());
  if (std::any_of(found.sizes.begin(), found.sizes.end(), [](int64_t size) { return size < 0; }) ||
      ElementCount(found.sizes) > most_elements_) {
    std::fill(found.sizes.begin(), found.sizes.end(), 0);  // no tensor is that large: there is nothing to read
  }
  const uint64_t first = reinterpret_cast<uint64_t>(found.aligned) +
                         static_cast<uint64_t>(found.offset) * static_cast<uint64_t>(StorageBytes(view.element_type));
  const MemoryFault place = memory_.Locate(reinterpret_cast<const void*>(first), /*is_write=*/false)
                                .value_or(MemoryFault{.region = "unknown"});
  return {.tensor = CopyElements(found, view.element_type),
          .map = view.map,
          .strides = found.strides,
          .region = place.region,
          .offset = place.offset,
          .region_bytes = place.region_bytes};
}

// Fills the call's result from its operands; false if they do not fit.
bool LibraryCaller::Compute(LibraryCall* call) const {
  const std::vector<int64_t>& sizes = call->result.tensor.sizes();
  const ElementType type = call->result.tensor.element_type();
  if (call->is_copy) {
    if (call->operands.size() != 1) return false;
    const Tensor& from = call->operands[0].tensor;
    if (from.element_type() != type || !BroadcastsTo(from.sizes(), sizes)) return false;
    for (size_t i = 0; i < call->result.tensor.element_count(); ++i) {
      call->result.tensor.SetBits(i, from.Bits(BroadcastIndex(i, sizes, from.sizes())));
    }
    return true;
  }
  if (call->op < 0) return false;
  const OpApplication& op = program_.ops[static_cast<size_t>(call->op)];
  const std::vector<TensorType> types = OperandTypes(program_, op);
  if (call->operands.size() > types.size() || type != op.result.element_type) return false;
  std::vector<const Tensor*> operands;
  for (size_t i = 0; i < types.size(); ++i) {
    // A shift or zero point that is a constant went into the payload.
    const bool is_view = i < call->operands.size();
    operands.push_back(is_view ? &call->operands[i].tensor : AsConstant(program_, op.operands[i]));
    if (operands[i] == nullptr || operands[i]->element_type() != types[i].element_type) return false;
    if (operands[i]->element_count() != 1 && !BroadcastsTo(operands[i]->sizes(), sizes)) return false;
  }
  call->result.tensor = function_(program_, op, operands, sizes);
  return true;
}

void LibraryCaller::Call(int64_t number, const int64_t* const* descriptors) {
  SetOwnWork(true);  // what a view makes it touch is trapped all the same
  const LibrarySignature& signature = signatures_[static_cast<size_t>(number)];
  LibraryCall call{.op = signature.op, .is_copy = signature.is_copy, .operands = {}, .result = {}};
  const size_t inputs = signature.views.size() - 1;
  for (size_t i = 0; i < inputs; ++i) call.operands.push_back(Describe(signature.views[i], descriptors[i]));
  call.result = Describe(signature.views[inputs], descriptors[inputs]);
  call.computed = Compute(&call);
  if (call.computed) {
    WriteElements(call.result.tensor, ReadDescriptor(descriptors[inputs], signature.views[inputs].map.size()));
  }
  calls_.push_back(std::move(call));
  SetOwnWork(false);
}

}  // namespace tosaic
