// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_sets.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/flushing.h"
#include "oracle/plausible.h"
#include "oracle/run_values.h"
#include "oracle/set_ops.h"

namespace tosaic {
namespace {

// A member of the set, the same each time.
uint64_t AnyMember(const AllowedSet& set) {
  return set.spans().empty() ? set.OnlyBits() : BitsOfOrdinal(set.type(), set.spans().front().first);
}

}  // namespace

RunSets::RunSets(const Case& test_case, size_t run, std::vector<const Tensor*> known, const Policies& policies)
    : case_(test_case), run_(run), known_(std::move(known)), policies_(policies) {
  for (const OpApplication& op : case_.program.ops) {
    const bool depends = absl::c_any_of(
        op.operands, [&](ValueRef ref) { return ref.kind == ValueRef::Kind::kOp && may_be_undefined_[ref.index]; });
    may_depend_on_undefined_.push_back(depends);
    may_be_undefined_.push_back(depends || Info(op.op).unpredictable != Unpredictable::kNever);
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
  const OpApplication& application = case_.program.ops[op];
  if (!HasValues(case_.program, application)) return AllowedSet::Undefined(application.result.element_type);
  const OperandSets operands = OperandsOf(op, element);
  AllowedSet image = ImageUnder(application, operands);
  if (!is_plausible_ || known_[op] != nullptr) return image;
  const ScalarInput in = InputOf(case_.program, application, policies_);
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

AllowedSet RunSets::ImageUnder(const OpApplication& application, const OperandSets& operands) const {
  absl::InlinedVector<const AllowedSet*, 3> pointers;
  for (const AllowedSet& operand : operands) pointers.push_back(&operand);
  const std::vector<ValueRef>& refs = application.operands;
  const bool twice = refs.size() > 1 && refs[0] == refs[1];
  return ImageOf(InputOf(case_.program, application, policies_), pointers, subnormals_,
                 twice ? FirstTwo::kAreOneValue : FirstTwo::kMayDiffer);
}

RunSets::OperandSets RunSets::OperandsOf(size_t op, size_t element) {
  OperandSets operands;
  for (const ValueRef ref : case_.program.ops[op].operands) {
    operands.push_back(Operand(ref, OperandIndex(SizesOf(ref), element, sizes_[op])));
  }
  return operands;
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
  const OpApplication& application = case_.program.ops[op];
  if (!HasValues(case_.program, application)) return AllowedSet::Undefined(application.result.element_type);
  return ImageUnder(application, OperandsIf(given, op, element));
}

RunSets::OperandSets RunSets::OperandsIf(const Given& given, size_t op, size_t element) {
  OperandSets operands;
  for (const ValueRef ref : case_.program.ops[op].operands) {
    const size_t index = OperandIndex(SizesOf(ref), element, sizes_[op]);
    const auto of = static_cast<size_t>(ref.index);
    const bool is_hidden = ref.kind == ValueRef::Kind::kOp && known_[of] == nullptr;
    if (is_hidden && of == given.op && index == given.element) {
      operands.push_back(given.set);
    } else {
      operands.push_back(is_hidden && given.users[of] ? AllowedIf(given, of, index) : Operand(ref, index));
    }
  }
  return operands;
}

AllowedSet RunSets::Operand(ValueRef ref, size_t element) {
  const Tensor* tensor = ValueIn(case_, run_, known_, ref);
  if (tensor == nullptr) return Allowed(ref.index, element);
  if (ref.kind == ValueRef::Kind::kOp && IsUndefined(ref.index, element)) {
    return AllowedSet::Undefined(tensor->element_type());
  }
  return AllowedSet::OfBits(tensor->element_type(), tensor->Bits(element));
}

std::optional<OperandBits> RunSets::OnlyOperandsOf(size_t op, size_t element) {
  const OpApplication& application = case_.program.ops[op];
  OperandBits bits = {};
  size_t k = 0;
  for (const AllowedSet& operand : OperandsOf(op, element)) {
    if (operand.IsUndefined() || operand.Count() != 1) return std::nullopt;
    const ValueRef ref = application.operands[k];
    const std::optional<uint64_t> known = KnownBits(ref, OperandIndex(SizesOf(ref), element, sizes_[op]));
    if (!known && operand.has_nan() && application.op == OpKind::kReshape) return std::nullopt;
    bits[k++] = known.value_or(operand.OnlyBits());
  }
  return bits;
}

// The element itself, of a known value or a reshaped one, which has the same elements in the same order.
std::optional<uint64_t> RunSets::KnownBits(ValueRef ref, size_t element) const {
  const Tensor* tensor = ValueIn(case_, run_, known_, ref);
  while (tensor == nullptr && case_.program.ops[ref.index].op == OpKind::kReshape) {
    ref = case_.program.ops[ref.index].operands[0];
    tensor = ValueIn(case_, run_, known_, ref);
  }
  return tensor == nullptr ? std::nullopt : std::optional(tensor->Bits(element));
}

bool RunSets::IsUndefined(size_t op, size_t element) {
  if (!may_be_undefined_[op]) return false;
  // If no rule applies, a returned value is known as it is, unless it was computed from an unpredictable one.
  if (!HasValues(case_.program, case_.program.ops[op])) {
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
  return ImageUnder(case_.program.ops[op], operands).IsUndefined();
}

bool RunSets::MayLeaveTheRunOpen() {
  const Program& program = case_.program;
  return AnyElement([&](size_t op, size_t element) {
    const OpApplication& application = program.ops[op];
    return LeavesTheRunOpen(application) && HasValues(program, application) && MayHaveNoQuotient(op, element);
  });
}

namespace {

// Whether the op involves floats, because only floats can be flushed or implausible.
bool HasFloats(const Program& program, const OpApplication& op) {
  return IsFloat(op.result.element_type) || IsFloat(InputElementType(program, op));
}

// One combination of operands that may have made the element.
ScalarInput AtSome(ScalarInput in, const RunSets::OperandSets& operands) {
  for (size_t k = 0; k < operands.size(); ++k) in.bits[k] = AnyMember(operands[k]);
  return in;
}

// Describes that element `i` is not what its operands allow.
ElementMismatch MismatchOf(const ScalarInput& in, const RunSets::OperandSets& operands, const AllowedSet& allowed,
                           const Tensor& actual, size_t i) {
  const uint64_t bits = actual.RawBits(i);
  ElementMismatch mismatch = ExplainMismatch(AtSome(in, operands), ExactBits(AnyMember(allowed)), bits);
  mismatch.index = i;
  for (size_t k = 0; k < operands.size(); ++k) mismatch.inputs[k] = Describe(operands[k]);
  mismatch.expected = Describe(allowed);
  if (allowed.Count() > 1) mismatch.expected_bits.clear();
  mismatch.ulp_distance = IsFloat(actual.element_type()) ? static_cast<double>(allowed.Distance(bits)) : 0;
  mismatch.bound = allowed.Count() == 1
                       ? "the only value that the program's arguments allow"
                       : absl::StrCat("one of ", allowed.Count(), " that the program's arguments allow");
  return mismatch;
}

// What is wrong with an element whichever plausible values its operands are; empty if nothing is.
absl::string_view WhyImplausible(const ScalarInput& in, const RunSets::OperandSets& operands, const Tensor& actual,
                                 size_t op, size_t i, RunSets* plausible) {
  const ScalarFunction function = FindScalarFunction(in.op, in.input_type, in.result_type, in.policies.spec_version);
  if (plausible == nullptr) return FindImplausibility(in, function, operands, actual.Bits(i));
  if (!plausible->ImageOfOperands(op, i).Contains(actual.RawBits(i)))
    return "no plausible values of its operands make it";
  return FindImplausibility(in, function, plausible->OperandsOf(op, i), actual.Bits(i));
}

// Judges an allowed element that several operands may have made: whether it is plausible, and whether a subnormal was
// kept. `plausible`: RunSets::Plausible.
void JudgeOfSeveral(const ScalarInput& in, const RunSets::OperandSets& operands, const AllowedSet& allowed,
                    const Tensor& actual, size_t op, size_t i, RunSets* plausible, FlushingRecord* flushing,
                    ValueComparison* comparison) {
  const FlushingTargets keeping = FlushingTargets::That(false, in.result_type);
  if (flushing != nullptr && MayBeFlushed(in.result_type, actual.Bits(i)) && flushing->Narrows(keeping)) {
    flushing->Add({keeping, MismatchOf(in, operands, allowed, actual, i)});
  }
  const absl::string_view why = WhyImplausible(in, operands, actual, op, i, plausible);
  if (why.empty()) return;
  ++comparison->implausible;
  if (!in.policies.strict_values || comparison->mismatches++ > 0) return;
  comparison->first = MismatchOf(in, operands, allowed, actual, i);
  absl::StrAppend(&comparison->first->bound, ", but ", why);
  comparison->rule = RuleId::kValueImplausible;
}

bool HasOneMember(const AllowedSet& operand) { return !operand.IsUndefined() && operand.Count() == 1; }

// Adds the judgement of some allowed elements to that of all.
void Add(ValueComparison of_some, ValueComparison* all) {
  all->implausible += of_some.implausible;
  all->mismatches += of_some.mismatches;
  if (all->first || !of_some.first) return;
  all->first = std::move(of_some.first);
  all->rule = of_some.rule;
}

}  // namespace

ValueComparison CompareWithSets(const Program& program, size_t op, const Tensor& actual, const Policies& policies,
                                RunSets* sets, FlushingRecord* flushing) {
  const ScalarInput in = InputOf(program, program.ops[op], policies);
  RunSets* const plausible = sets->Plausible();
  const bool has_floats = plausible != nullptr || HasFloats(program, program.ops[op]);
  ValueComparison comparison, of_several;
  bool some_are_of_one = false;
  for (size_t i = 0; i < actual.element_count(); ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    if (allowed.IsEverything()) {
      ++comparison.masked;
    } else {
      comparison.CountWidth(allowed.type(), allowed.IsEmpty() ? 0 : allowed.Count() - 1);
    }
    const bool is_allowed = allowed.Contains(actual.RawBits(i));
    if (is_allowed && (!has_floats || comparison.first || allowed.IsUndefined())) continue;
    if (!is_allowed && comparison.mismatches++ > 0) continue;
    const RunSets::OperandSets operands = sets->OperandsOf(op, i);
    if (!is_allowed) {
      comparison.first = MismatchOf(in, operands, allowed, actual, i);
      comparison.rule = RuleOf(in.op, EvaluateScalar(AtSome(in, operands)));
    } else if (absl::c_all_of(operands, HasOneMember)) {
      some_are_of_one = true;
    } else {
      JudgeOfSeveral(in, operands, allowed, actual, op, i, plausible, flushing, &of_several);
    }
  }
  if (!comparison.first) {
    const auto only_operands = [&](size_t element) { return sets->OnlyOperandsOf(op, element); };
    if (some_are_of_one)
      Add(CompareValues(program, program.ops[op], only_operands, actual, policies, flushing), &comparison);
    Add(std::move(of_several), &comparison);
  }
  if (comparison.first) comparison.first->count = comparison.mismatches;
  return comparison;
}

std::optional<ElementMismatch> FindOutside(const Program& program, size_t op, const Tensor& actual,
                                           const Policies& policies, RunSets* sets) {
  for (size_t i = 0; i < actual.element_count(); ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    if (allowed.Contains(actual.RawBits(i))) continue;
    return MismatchOf(InputOf(program, program.ops[op], policies), sets->OperandsOf(op, i), allowed, actual, i);
  }
  return std::nullopt;
}

}  // namespace tosaic
