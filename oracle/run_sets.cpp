// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_sets.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "model/tensor.h"
#include "oracle/block_results.h"
#include "oracle/operand_reads.h"
#include "oracle/plausible.h"
#include "oracle/run_values.h"
#include "oracle/set_ops.h"

namespace tosaic {
// Elements without values of their own: a block's are some blocks or others, and no rule has others.
static AllowedSet WithoutValues(const Program& program, const OpApplication& op) {
  const ElementType type = op.result.element_type;
  return MakesBlocks(program, op) ? AllowedSet::Everything(type) : AllowedSet::Undefined(type);
}

RunSets::RunSets(const Case& test_case, size_t run, std::vector<const Tensor*> known, const Policies& policies)
    : case_(test_case), run_(run), known_(std::move(known)), policies_(policies) {
  for (const OpApplication& op : case_.program.ops) {
    const bool depends = absl::c_any_of(
        op.operands, [&](ValueRef ref) { return ref.kind == ValueRef::Kind::kOp && may_be_undefined_[ref.index]; });
    may_depend_on_undefined_.push_back(depends);
    may_be_undefined_.push_back(depends || Info(op.op).unpredictable != Unpredictable::kNever);
    has_values_.push_back(HasValues(case_.program, op));
    inputs_.push_back(InputOf(case_.program, op, policies_));
  }
}

std::optional<RunSets> RunSets::Of(const Case& test_case, size_t run, std::vector<const Tensor*> known,
                                   const Policies& policies, std::optional<SubnormalsOf> subnormals) {
  std::optional<std::vector<std::vector<int64_t>>> sizes = SizesOfAllOps(test_case.program, test_case.runs[run]);
  if (!sizes) return std::nullopt;
  RunSets sets(test_case, run, std::move(known), policies);
  sets.subnormals_ = subnormals;
  for (size_t op = 0; op < sizes->size(); ++op) {
    const std::vector<int64_t>& size = (*sizes)[op];
    sets.remembered_.emplace_back(std::min<size_t>(ElementCount(size), kRemembered));
    // A result of a wrong shape is reported where it is returned. For the ops that use it, its expected value is used.
    const Tensor*& tensor = sets.known_[op];
    if (tensor != nullptr && tensor->sizes() != size) tensor = nullptr;
  }
  sets.sizes_ = *std::move(sizes);
  return sets;
}

RuntimeShape RunSets::ShapeOf(size_t op) const {
  const OpApplication& application = case_.program.ops[op];
  std::vector<std::vector<int64_t>> operands;
  for (size_t k = 0; k < BroadcastOperandCount(Info(application.op)); ++k) {
    operands.push_back(SizesOf(application.operands[k]));
  }
  return ResultSizes(application, operands);
}

const std::vector<int64_t>& RunSets::SizesOf(ValueRef ref) const {
  return ref.kind == ValueRef::Kind::kOp ? sizes_[ref.index] : ValueIn(case_, run_, known_, ref)->sizes();
}

AllowedSet RunSets::Allowed(size_t op, size_t element) {
  std::optional<Remembered>& slot = remembered_[op][element % kRemembered];
  if (!slot || slot->element != element) slot = Remembered{element, Image(op, element)};
  return slot->set;
}

AllowedSet RunSets::Image(size_t op, size_t element) {
  if (!has_values_[op]) return WithoutValues(case_.program, case_.program.ops[op]);
  AllowedSet image = ImageOfOperands(op, element);
  const ScalarInput& in = inputs_[op];
  if (!is_plausible_ || known_[op] != nullptr || LooksUp(in.op)) return image;
  const OperandSets operands = OperandsOf(op, element);
  const ScalarFunction function = FindScalarFunction(in.op, in.input_type, in.result_type, policies_.spec_version);
  return PlausibleOf(in, function, operands, image);
}

RunSets* RunSets::Plausible() {
  if (plausible_ != nullptr) return plausible_.get();
  const std::vector<OpApplication>& ops = case_.program.ops;
  bool narrows = false;
  for (size_t op = 0; op < ops.size(); ++op) narrows |= known_[op] == nullptr && HasImplausibleValues(ops[op].op);
  if (!narrows) return nullptr;
  std::optional<RunSets> sets = Of(case_, run_, known_, policies_, subnormals_);
  sets->is_plausible_ = true;
  plausible_ = std::make_unique<RunSets>(*std::move(sets));
  return plausible_.get();
}

AllowedSet RunSets::ImageUnder(size_t op, const OperandSets& operands) const {
  absl::InlinedVector<const AllowedSet*, 3> pointers;
  for (const AllowedSet& operand : operands) pointers.push_back(&operand);
  const std::vector<ValueRef>& refs = case_.program.ops[op].operands;
  const bool twice = refs.size() > 1 && refs[0] == refs[1] && !IsSpecial(inputs_[op].op.operands[1]);
  return ImageOf(inputs_[op], pointers, subnormals_, twice ? FirstTwo::kAreOneValue : FirstTwo::kMayDiffer);
}

absl::InlinedVector<RunSets::Read, 3> RunSets::ReadsOf(size_t op, size_t element, const Given* given) {
  const OpApplication& application = case_.program.ops[op];
  absl::InlinedVector<Read, 3> reads;
  for (size_t k = 0; k < application.operands.size(); ++k) {
    const ValueRef ref = application.operands[k];
    const OperandAccess access = Info(Info(application.op).operands[k]).access;
    if (access != OperandAccess::kLookup) {
      const size_t at = OperandElements(access, SizesOf(ref), sizes_[op]).At(element);
      reads.push_back({ref, at, at});
      continue;
    }
    const AllowedSet looked_up = Operand(reads[0].ref, reads[0].first, given);
    const Lookup lookup = LookupIn(looked_up.type());
    const bool is_any = looked_up.IsUndefined() || looked_up.spans().empty();
    const auto first_for = [&](int64_t ordinal) {
      return lookup.FirstFor(looked_up.type(), BitsOfOrdinal(looked_up.type(), ordinal));
    };
    const size_t first = is_any ? 0 : first_for(looked_up.spans().front().first);
    const size_t last = is_any ? lookup.entries - lookup.reads : first_for(looked_up.spans().back().last);
    for (size_t i = 0; i < lookup.reads; ++i) reads.push_back({ref, first + i, last + i});
  }
  return reads;
}

RunSets::OperandSets RunSets::OperandsOf(size_t op, size_t element, const Given* given) {
  OperandSets operands;
  for (const Read& read : ReadsOf(op, element, given)) operands.push_back(SetOf(read, given));
  return operands;
}

AllowedSet RunSets::SetOf(const Read& read, const Given* given) {
  AllowedSet set = Operand(read.ref, read.first, given);
  for (size_t i = read.first + 1; i <= read.last; ++i) set.Unite(Operand(read.ref, i, given));
  return set;
}

std::vector<bool> RunSets::UsersOf(size_t op) const {
  std::vector<bool> users(sizes_.size(), false);
  for (size_t user = op + 1; user < users.size(); ++user) {
    users[user] = absl::c_any_of(case_.program.ops[user].operands, [&](ValueRef ref) {
      if (ref.kind != ValueRef::Kind::kOp) return false;
      const auto of = static_cast<size_t>(ref.index);
      return of == op || (users[of] && known_[of] == nullptr);
    });
  }
  return users;
}

AllowedSet RunSets::AllowedIf(const Given& given, size_t op, size_t element) {
  if (!has_values_[op]) return WithoutValues(case_.program, case_.program.ops[op]);
  return ImageOfOperands(op, element, &given);
}

AllowedSet RunSets::ImageOfOperands(size_t op, size_t element, const Given* given) {
  const absl::InlinedVector<Read, 3> reads = ReadsOf(op, element, given);
  if (reads.back().first != reads.back().last) {
    const AllowedSet looked_up = SetOf(reads[0], given);
    if (!looked_up.IsUndefined()) return ImageOfEntries(op, reads, looked_up, given);
  }
  OperandSets operands;
  for (const Read& read : reads) operands.push_back(SetOf(read, given));
  return ImageUnder(op, operands);
}

AllowedSet RunSets::ImageOfEntries(size_t op, absl::Span<const Read> reads, const AllowedSet& looked_up,
                                   const Given* given) {
  const ElementType type = looked_up.type();
  const int64_t width = int64_t{1} << LookupIn(type).bits_between;
  AllowedSet image(inputs_[op].result_type);
  for (size_t entry = 0; reads[1].first + entry <= reads[1].last && !image.IsUndefined(); ++entry) {
    const int64_t first = LeastOrdinal(type) + static_cast<int64_t>(reads[1].first + entry) * width;
    OperandSets operands = {AllowedSet(type)};
    for (const OrdinalSpan span : looked_up.spans()) {
      const OrdinalSpan both = span.Within(first, first + width - 1);
      if (both.first <= both.last) operands[0].Add(both);
    }
    if (operands[0].IsEmpty()) continue;
    for (const Read& read : reads.subspan(1)) operands.push_back(Operand(read.ref, read.first + entry, given));
    image.Unite(ImageUnder(op, operands));
  }
  return image;
}

AllowedSet RunSets::Operand(ValueRef ref, size_t element, const Given* given) {
  const auto of = static_cast<size_t>(ref.index);
  const Tensor* tensor = ValueIn(case_, run_, known_, ref);
  if (tensor == nullptr) {
    if (given != nullptr && of == given->op && element == given->element) return given->set;
    return given != nullptr && given->users[of] ? AllowedIf(*given, of, element) : Allowed(of, element);
  }
  if (ref.kind == ValueRef::Kind::kOp && IsUndefined(of, element)) {
    return AllowedSet::Undefined(tensor->element_type());
  }
  return AllowedSet::OfBits(tensor->element_type(), tensor->Bits(element));
}

std::optional<ElementBits> RunSets::OnlyOperandsOf(size_t op, size_t element) {
  const OpInfo& info = Info(case_.program.ops[op].op);
  ElementBits bits = {};
  size_t k = 0;
  for (const Read& read : ReadsOf(op, element)) {
    const AllowedSet operand = SetOf(read, nullptr);
    if (operand.IsUndefined() || operand.Count() != 1) return std::nullopt;
    const std::optional<uint64_t> known = read.first == read.last ? KnownBits(read.ref, read.first) : std::nullopt;
    if (!known && operand.has_nan() && MovesElements(info)) return std::nullopt;
    bits[k++] = known.value_or(operand.OnlyBits());
  }
  return bits;
}

// The element itself, of a known value or a reshaped one, which has the same elements in the same order.
std::optional<uint64_t> RunSets::KnownBits(ValueRef ref, size_t element) const {
  const Tensor* tensor = ValueIn(case_, run_, known_, ref);
  while (tensor == nullptr && MovesElements(Info(case_.program.ops[ref.index].op))) {
    ref = case_.program.ops[ref.index].operands[0];
    tensor = ValueIn(case_, run_, known_, ref);
  }
  return tensor == nullptr ? std::nullopt : std::optional(tensor->Bits(element));
}

bool RunSets::IsUndefined(size_t op, size_t element) {
  if (!may_be_undefined_[op]) return false;
  // If no rule applies, a returned value is known as it is, unless it was computed from an unpredictable one.
  if (!has_values_[op]) {
    return may_depend_on_undefined_[op] && DependsOnUndefined(op, element);
  }
  return Allowed(op, element).IsUndefined();
}

bool RunSets::DependsOnUndefined(size_t op, size_t element) {
  const OpApplication& application = case_.program.ops[op];
  const OperandSets operands = OperandsOf(op, element);
  if (application.op == OpKind::kSelect && !operands[0].IsUndefined()) {
    return operands[operands[0].Contains(1) ? 1 : 2].IsUndefined();
  }
  return absl::c_any_of(operands, [](const AllowedSet& operand) { return operand.IsUndefined(); });
}

std::vector<bool> RunSets::DependingOnUndefined(size_t op) {
  if (!may_depend_on_undefined_[op]) return {};
  std::vector<bool> depending;
  const auto count = static_cast<size_t>(ElementCount(sizes_[op]));
  for (size_t i = 0; i < count; ++i) depending.push_back(DependsOnUndefined(op, i));
  return depending;
}

bool RunSets::AnyElement(absl::FunctionRef<bool(size_t op, size_t element)> is_such) const {
  for (size_t op = 0; op < sizes_.size(); ++op) {
    const auto count = static_cast<size_t>(ElementCount(sizes_[op]));
    for (size_t i = 0; i < count; ++i) {
      if (is_such(op, i)) return true;
    }
  }
  return false;
}

bool RunSets::MayHaveUndefined() {
  return AnyElement([&](size_t op, size_t element) { return Allowed(op, element).IsUndefined(); });
}

// An unpredictable dividend may be any number. So the quotient may not exist if the least number has none.
bool RunSets::MayHaveNoQuotient(size_t op, size_t element) {
  if (!Allowed(op, element).IsUndefined()) return false;
  OperandSets operands = OperandsOf(op, element);
  if (operands[1].IsUndefined() || !operands[0].IsUndefined()) return true;
  const ElementType type = operands[0].type();
  operands[0] = AllowedSet::OfBits(type, SignMask(type));
  return ImageUnder(op, operands).IsUndefined();
}

bool RunSets::MayLeaveTheRunOpen() {
  return AnyElement([&](size_t op, size_t element) {
    return LeavesTheRunOpen(case_.program.ops[op]) && has_values_[op] && MayHaveNoQuotient(op, element);
  });
}

}  // namespace tosaic
