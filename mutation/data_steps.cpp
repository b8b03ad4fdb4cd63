// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that turn constants into arguments and back, and change the data of runs, or the passes of the route.
#include <optional>
#include <utility>

#include "generators/attributes.h"
#include "generators/data.h"
#include "generators/pass_sequences.h"
#include "generators/program_edits.h"
#include "generators/special_values.h"
#include "mutation/mutation.h"
#include "mutation/program_growth.h"
#include "reducer/shape_edits.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

constexpr int64_t kMostElementsOfConstants = 4096;

// Constants that are nowhere used as a shift or zero point.
std::vector<int> DataConstants(const Program& program) {
  std::vector<int> constants;
  for (const ValueRef ref : BroadcastValues(program)) {
    if (ref.kind != Kind::kConstant) continue;
    if (!IsSpecialOperand(program, ref)) constants.push_back(ref.index);
  }
  return constants;
}

// A constant's tensor that is drawn, or null.
Tensor* DrawConstant(const MutationTools& tools, Program& program) {
  const std::vector<int> constants = DataConstants(program);
  if (constants.empty()) return nullptr;
  return &program.constants[static_cast<size_t>(constants[tools.choices.Below(constants.size())])];
}

uint64_t DrawSpecial(ChoiceSource& choices, ElementType type) {
  const SpecialValues& special = Specials(type);
  const std::vector<uint64_t>& values = special.more.empty() || choices.Chance(2, 3) ? special.core : special.more;
  return values[choices.Below(values.size())];
}

}  // namespace

bool ConstantAsArgument(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  const std::vector<int> constants = DataConstants(program);
  if (constants.empty() || program.arguments.size() >= kMostArgumentsOfMutants) return false;
  const ValueRef constant = {Kind::kConstant, constants[tools.choices.Below(constants.size())]};
  MakeArgument(mutant, constant);
  return true;
}

bool ArgumentAsConstant(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  std::vector<int> stable;  // of one shape in all runs
  for (const ValueRef ref : AllValues(program)) {
    const std::optional<std::vector<int64_t>> sizes = SizesInAllRuns(mutant, ref);
    if (ref.kind != Kind::kArgument || !sizes || IsSpecialOperand(program, ref)) continue;
    if (ElementCount(*sizes) <= kMostElementsOfConstants) stable.push_back(ref.index);
  }
  if (stable.empty()) return false;
  const ValueRef argument = {Kind::kArgument, stable[tools.choices.Below(stable.size())]};
  Tensor tensor(ElementTypeOf(program, argument), *SizesInAllRuns(mutant, argument));
  if (mutant.runs.empty()) {
    FillConstant(tools.choices, tensor.element_type(), tensor);
  } else {
    tensor = mutant.runs[tools.choices.Below(mutant.runs.size())][static_cast<size_t>(argument.index)];
  }
  MakeConstant(mutant, argument, std::move(tensor));
  return true;
}

bool SplatConstant(const MutationTools& tools, Case& mutant) {
  Tensor* tensor = DrawConstant(tools, mutant.program);
  if (tensor == nullptr || tensor->element_count() == 0) return false;
  const bool own = IsBlockScaled(tensor->element_type()) || tools.choices.Chance(1, 3);
  const uint64_t bits = own ? tensor->Bits(0) : DrawSpecial(tools.choices, tensor->element_type());
  const Tensor before = *tensor;
  for (size_t i = 0; i < tensor->element_count(); ++i) tensor->SetBits(i, bits);
  return *tensor != before;
}

bool DenseConstant(const MutationTools& tools, Case& mutant) {
  Tensor* tensor = DrawConstant(tools, mutant.program);
  if (tensor == nullptr) return false;
  const Tensor before = *tensor;
  FillData(tools.choices, tensor->element_type(), nullptr, *tensor);
  return *tensor != before;
}

// In one tensor of one run, or in a constant.
bool SpecialElements(const MutationTools& tools, Case& mutant) {
  std::vector<Tensor*> tensors;
  for (Run& run : mutant.runs) {
    for (Tensor& tensor : run) tensors.push_back(&tensor);
  }
  if (Tensor* constant = DrawConstant(tools, mutant.program)) tensors.push_back(constant);
  std::erase_if(tensors, [](const Tensor* tensor) { return tensor->element_count() == 0; });
  if (tensors.empty()) return false;
  Tensor& tensor = *tensors[tools.choices.Below(tensors.size())];
  const Tensor before = tensor;
  if (IsBlockScaled(tensor.element_type())) {  // an element has no scale of its own
    FillData(tools.choices, tensor.element_type(), nullptr, tensor);
    return tensor != before;
  }
  for (uint64_t left = 1 + tools.choices.Below(4); left > 0; --left) {
    tensor.SetBits(tools.choices.Below(tensor.element_count()), DrawSpecial(tools.choices, tensor.element_type()));
  }
  return tensor != before;
}

// The data is drawn when the case is settled.
bool FreshRuns(const MutationTools&, Case& mutant) {
  const bool any = !mutant.runs.empty() && !mutant.program.arguments.empty();
  mutant.runs.clear();
  return any;
}

bool ChangePasses(const MutationTools& tools, Case& mutant) {
  absl::StatusOr<PassSequence> sequence = ParseSequence(mutant.route);
  if (!sequence.ok()) return false;
  ChoiceSource& choices = tools.choices;
  const size_t at = sequence->empty() ? 0 : choices.Below(sequence->size());
  switch (sequence->empty() ? 0 : choices.Below(3)) {
    case 1:
      sequence->erase(sequence->begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 2:
      if (at == 0 || (*sequence)[at - 1].stage != (*sequence)[at].stage) return false;
      std::swap((*sequence)[at - 1], (*sequence)[at]);
      break;
    default:
      AddDrawnPass(choices, *sequence);
  }
  mutant.route = SequenceText(*sequence);
  return true;
}

}  // namespace tosaic
