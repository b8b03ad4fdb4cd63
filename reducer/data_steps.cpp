// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that simplify element values and attributes.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "model/blocks.h"
#include "reducer/case_size.h"
#include "reducer/element_simplification.h"
#include "reducer/reduction_steps.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

// The tensor that number `index` names: the constants first, then the runs' tensors. Null past the end.
Tensor* TensorAt(Case& test_case, size_t index) {
  std::vector<Tensor>& constants = test_case.program.constants;
  if (index < constants.size()) return &constants[index];
  index -= constants.size();
  for (Run& run : test_case.runs) {
    if (index < run.size()) return &run[index];
    index -= run.size();
  }
  return nullptr;
}

size_t TensorCount(const Case& test_case) {
  return test_case.program.constants.size() + test_case.runs.size() * test_case.program.arguments.size();
}

// Elements begin..end-1 zero, or one; of a block that is not filled as a whole, they keep the scale. REQUIRES: in
// range.
void Fill(Tensor& tensor, size_t begin, size_t end, bool ones) {
  const uint64_t filling = ones ? OneBits(tensor.element_type()) : 0;
  const bool has_blocks = IsBlockScaled(tensor.element_type());
  for (size_t i = begin; i < end; ++i) {
    const size_t block = i - i % kBlockSize;
    const bool keeps = has_blocks && (block < begin || block + kBlockSize > end);
    tensor.SetBits(i, keeps ? ElementInBlock(ScaleInBlock(tensor.Bits(i)), ValueInBlock(filling)) : filling);
  }
}

// Fills the same argument in every run.
bool TryFillArgument(Proposals& proposals, size_t argument, bool ones) {
  Case simpler = proposals.current();
  for (Run& run : simpler.runs) Fill(run[argument], 0, run[argument].element_count(), ones);
  return proposals.Try(std::move(simpler));
}

// Simpler values of an attribute to try instead, simplest first.
std::vector<TypedBits> SimplerValues(const TypedBits& number) {
  std::vector<TypedBits> simpler;
  for (const uint64_t bits : SimplerElements(number.type, number.bits)) simpler.push_back({number.type, bits});
  return simpler;
}
std::vector<bool> SimplerValues(bool value) { return std::vector<bool>(value ? 1 : 0, false); }
template <NamedEnum E>
std::vector<E> SimplerValues(E value) {
  std::vector<E> simpler = All<E>();
  simpler.resize(static_cast<size_t>(value));
  return simpler;
}
// The sizes follow from the shapes.
std::vector<std::vector<int64_t>> SimplerValues(const std::vector<int64_t>&) { return {}; }

// Changes one attribute of an op. Returns whether it became simpler.
template <typename Kind>
bool TrySimpler(Proposals& proposals, size_t op, const AttributeInfo& info, std::optional<Kind> Attributes::* member) {
  const OpApplication& current = proposals.current().program.ops[op];
  const std::optional<Kind> value = current.attributes.*member;
  if (!value) return false;
  const auto try_value = [&](std::optional<Kind> simpler_value) {
    Case simpler = proposals.current();
    simpler.program.ops[op].attributes.*member = std::move(simpler_value);
    return proposals.Try(std::move(simpler));
  };
  const bool may_lack = PresenceIn(Info(current.op), info.attribute) == AttributePresence::kOptional;
  if (may_lack && try_value(std::nullopt)) return true;
  return absl::c_any_of(SimplerValues(*value), try_value);
}

// A tensor of another element type, 1 where the old one is not 0, and ordinary where that is; of blocks that stay such,
// with their scales and the least value.
Tensor WithType(const Tensor& tensor, ElementType type) {
  const bool from_blocks = IsBlockScaled(tensor.element_type());
  Tensor other(type, tensor.sizes());
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t bits = tensor.Bits(i);
    const bool is_zero = (from_blocks ? ValueInBlock(bits) : bits) == 0;
    if (from_blocks && IsBlockScaled(type)) {
      other.SetBits(i, ElementInBlock(ScaleInBlock(bits), is_zero ? 0 : 1));
    } else if (!is_zero) {
      const bool is_ordinary = OrdinaryBits(tensor.element_type()) == bits;
      other.SetBits(i, is_ordinary ? OrdinaryBits(type).value_or(OneBits(type)) : OneBits(type));
    }
  }
  return other;
}

// The case with one element type in the place of another. Shifts keep theirs.
Case WithTypes(const Case& current, ElementType from, ElementType to) {
  const std::vector<ValueRef> shifts = ShiftValues(current.program);
  Case simpler = current;
  Program& program = simpler.program;
  for (const ValueRef ref : AllValues(current.program)) {
    const bool is_shift = std::find(shifts.begin(), shifts.end(), ref) != shifts.end();
    if (is_shift || ElementTypeOf(current.program, ref) != from) continue;
    if (ref.kind == ValueRef::Kind::kConstant)
      program.constants[ref.index] = WithType(program.constants[ref.index], to);
    if (ref.kind == ValueRef::Kind::kOp) program.ops[ref.index].result.element_type = to;
    if (ref.kind != ValueRef::Kind::kArgument) continue;
    program.arguments[ref.index].element_type = to;
    for (Run& run : simpler.runs) run[ref.index] = WithType(run[ref.index], to);
  }
  for (OpApplication& op : program.ops) {
    ForEachValue(op.attributes, ByKind{[&](const AttributeInfo&, TypedBits& number) {
                                         if (number.type == from) number = {to, number.bits != 0 ? OneBits(to) : 0};
                                       },
                                       [](const AttributeInfo&, auto&) {}});
  }
  return simpler;
}

// Simpler scales of the block that begins at an element, if one does.
void TrySimplerScale(Proposals& proposals, size_t index, size_t begin) {
  Case simpler = proposals.current();
  Tensor& tensor = *TensorAt(simpler, index);
  if (!IsBlockScaled(tensor.element_type())) return;
  for (const uint64_t scale : SimplerScales(tensor.Bits(begin))) {
    for (size_t i = begin; i < begin + kBlockSize; ++i) {
      tensor.SetBits(i, ElementInBlock(scale, ValueInBlock(tensor.Bits(i))));
    }
    if (proposals.Try(simpler)) return;
  }
}

}  // namespace

void ProposeZeroData(Proposals& proposals) {
  for (bool ones : {false, true}) {
    Case simpler = proposals.current();
    for (Run& run : simpler.runs) {
      for (Tensor& tensor : run) Fill(tensor, 0, tensor.element_count(), ones);
    }
    if (proposals.Try(std::move(simpler))) return;
  }
}

void ProposeSimplerAttributes(Proposals& proposals) {
  for (size_t op = 0; op < proposals.current().program.ops.size(); ++op) {
    bool is_simpler = false;
    for (const bool numbers : {false, true}) {  // they have many simpler values
      ForEachRow([&]<typename Kind>(const AttributeInfo& info, std::optional<Kind> Attributes::* member) {
        if (!is_simpler && numbers == std::is_same_v<Kind, TypedBits>)
          is_simpler = TrySimpler(proposals, op, info, member);
      });
    }
    if (is_simpler) return;
  }
}

void ProposeSimplerTensors(Proposals& proposals) {
  for (size_t i = 0; i < proposals.current().program.arguments.size(); ++i) {
    if (!TryFillArgument(proposals, i, /*ones=*/false)) TryFillArgument(proposals, i, /*ones=*/true);
  }
  for (size_t i = 0; i < proposals.current().program.constants.size(); ++i) {
    Case simpler = proposals.current();
    Tensor& constant = simpler.program.constants[i];
    const std::optional<uint64_t> ordinary = OrdinaryBits(constant.element_type());
    if (!ordinary || !OnlyBroadcasts(simpler.program, i)) continue;
    for (size_t element = 0; element < constant.element_count(); ++element) constant.SetBits(element, *ordinary);
    proposals.Try(std::move(simpler));
  }
  for (size_t i = 0; i < TensorCount(proposals.current()); ++i) {
    for (bool ones : {false, true}) {
      Case simpler = proposals.current();
      Tensor* tensor = TensorAt(simpler, i);
      Fill(*tensor, 0, tensor->element_count(), ones);
      if (proposals.Try(std::move(simpler))) break;
    }
  }
}

void ProposeFewerNonzeroElements(Proposals& proposals) {
  for (size_t i = 0; i < TensorCount(proposals.current()); ++i) {
    Case current = proposals.current();
    const size_t count = TensorAt(current, i)->element_count();
    for (size_t chunk = (count + 1) / 2; chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
      for (size_t begin = 0; begin < count; begin += chunk) {
        Case simpler = proposals.current();
        Fill(*TensorAt(simpler, i), begin, std::min(begin + chunk, count), /*ones=*/false);
        proposals.Try(std::move(simpler));
      }
    }
  }
}

void ProposeSimplerElements(Proposals& proposals) {
  for (size_t i = 0; i < TensorCount(proposals.current()); ++i) {
    Case current = proposals.current();
    const size_t count = TensorAt(current, i)->element_count();
    for (size_t element = 0; element < count; ++element) {
      if (element % kBlockSize == 0) TrySimplerScale(proposals, i, element);
      current = proposals.current();
      const Tensor& tensor = *TensorAt(current, i);
      for (uint64_t bits : SimplerElements(tensor.element_type(), tensor.Bits(element))) {
        Case simpler = current;
        TensorAt(simpler, i)->SetBits(element, bits);
        if (proposals.Try(std::move(simpler))) break;
      }
    }
  }
}

void ProposeSimplerTypes(Proposals& proposals) {
  const Case current = proposals.current();
  const auto propose = [&](ElementType from, ElementType to) {
    return TypeCost(from) > TypeCost(to) && proposals.Try(WithTypes(current, from, to));
  };
  for (const ElementTypeInfo& info : AllElementTypes()) {
    if (propose(info.type, IsFloat(info.type) ? ElementType::kF32 : ElementType::kI32)) return;
  }
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    if (propose(info.type, ElementType::kF32) || propose(info.type, BlockScaledTypes().front().type)) return;
  }
}

}  // namespace tosaic
