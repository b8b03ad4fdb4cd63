// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/contract.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/counted.h"
#include "oracle/lowered_sizes.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

constexpr RuleId kFoldedExtents = RuleId::kContractFoldedExtents;
constexpr RuleId kSuperfluous = RuleId::kContractRuntimeBroadcastSuperfluous;
constexpr RuleId kMissing = RuleId::kContractRuntimeBroadcastMissing;
constexpr RuleId kBroadcastForm = RuleId::kContractRuntimeBroadcastForm;

class Contract {
 public:
  Contract(const Program& program, const LoweredIr& ir) : program_(program), ir_(ir) {}

  // Checks that value `v` of the IR is the lowering of the program's value `ref`. nullopt: it is.
  std::optional<Breach> StandsFor(ValueRef ref, int v) {
    if (ref.kind == ValueRef::Kind::kOp) {
      const auto [known, is_new] = judged_.try_emplace({ref.index, v});
      if (is_new) known->second = OpStandsFor(program_.ops[static_cast<size_t>(ref.index)], v);
      return known->second;
    }
    const bool is_argument = ref.kind == ValueRef::Kind::kArgument;
    const bool stands = is_argument ? Value(v).kind == Kind::kArgument && Value(v).number == ref.index
                                    : Value(v).kind == Kind::kConstant && Value(v).type == TypeOf(program_, ref);
    if (stands) return std::nullopt;
    return BreachOf(RuleId::kContractOperands, ToString(ref), Describe(Value(v)));
  }

  const std::set<RuleId>& notes() const { return notes_; }

 private:
  const LoweredValue& Value(int v) const { return ir_.values[static_cast<size_t>(v)]; }

  // Rules that only the lowering of the right operands breaks: the value is the one that it should be, badly made.
  static bool IsOfTheValueItself(RuleId rule) {
    return rule == kFoldedExtents || rule == kSuperfluous || rule == kMissing || rule == RuleId::kContractMap ||
           rule == RuleId::kContractExtent;
  }

  std::optional<Breach> OpStandsFor(const OpApplication& op, int v) {
    std::optional<Breach> folded = IsFoldedTo(op, v);
    if (!folded) {
      notes_.insert(RuleId::kContractFolded);
      return std::nullopt;
    }
    if (Value(BelowCast(ir_, v)).kind != Kind::kGeneric) return folded;
    std::optional<Breach> breach = IsLoweredTo(op, v);
    if (breach && IsOfTheValueItself(folded->rule)) return folded;  // an operand's lowering, and not the op's
    // Policy "operand order": whether an op is commutative is a matter of values. Another operand may look like a copy
    // of the one expected, if it is an op on it.
    auto is_another_operand = [](const std::optional<Breach>& candidate) {
      return candidate &&
             (candidate->rule == RuleId::kContractOperands || candidate->rule == RuleId::kContractMaterialised);
    };
    if (!is_another_operand(breach) || BroadcastOperandCount(Info(op.op)) != 2) return breach;
    OpApplication commuted = op;
    std::swap(commuted.operands[0], commuted.operands[1]);
    std::optional<Breach> again = IsLoweredTo(commuted, v);
    if (is_another_operand(again)) return breach;
    notes_.insert(RuleId::kContractCommuted);
    return again;
  }

  // Policy "folding" (docs/policies.md): the op is one of its operands, or a constant. The operand must decide every
  // extent that the declared type leaves open: the others are 1 there, or it is static and greater itself.
  std::optional<Breach> IsFoldedTo(const OpApplication& op, int v) {
    if (Value(v).kind == Kind::kConstant && Value(v).type == op.result) {
      if (op.result.shape.IsStatic()) return std::nullopt;
      return BreachOf(RuleId::kContractFoldedConstant, "a constant of static type", Describe(Value(v)));
    }
    std::optional<Breach> breach =
        BreachOf(RuleId::kContractFoldedValue, "a lowering, an operand or a constant", Describe(Value(v)));
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      std::optional<Breach> of_operand = StandsFor(op.operands[i], v);
      if (of_operand && !IsOfTheValueItself(of_operand->rule)) continue;
      if (!of_operand && DecidesExtents(op, i, v)) return std::nullopt;
      if (!of_operand) {
        of_operand = BreachOf(kFoldedExtents, "the extents of " + Signature(program_, op),
                              absl::StrCat("those of operand ", i, " alone"));
      }
      breach = std::move(of_operand);
    }
    return breach;
  }

  bool DecidesExtents(const OpApplication& op, size_t operand, int v) {
    const std::vector<TensorType> types = OperandTypes(program_, op);
    auto dim_of = [](const Shape& shape, size_t d) { return shape.IsRanked() ? shape[d] : Dim::Dynamic(); };
    for (size_t other = 0; other < BroadcastOperandCount(Info(op.op)); ++other) {
      if (other == operand || !StandsFor(op.operands[other], v)) continue;
      const Shape& shape = types[other].shape;
      if (!shape.IsRanked()) return false;
      for (size_t d = 0; d < shape.rank(); ++d) {
        const Dim own = dim_of(types[operand].shape, d);
        const bool is_larger = own.IsStatic() && !own.Is(1);
        if (!shape[d].Is(1) && !is_larger && dim_of(op.result.shape, d).IsDynamic()) return false;
      }
    }
    return true;
  }

  // Checks the lowering strategy itself. `v` is a linalg.generic, or a cast of one.
  std::optional<Breach> IsLoweredTo(const OpApplication& op, int v) {
    const LoweringPrediction predicted(program_, op);
    if (!predicted.ranked())
      return BreachOf(RuleId::kContractUnranked, "no lowering of unranked tensors", Describe(Value(v)));
    const TensorType inferred{predicted.inferred(), op.result.element_type};
    if (auto breach = CheckCast(v, inferred, op.result)) return breach;
    const LoweredValue& result = Value(BelowCast(ir_, v));
    const Generic& generic = *result.generic;
    if (auto breach = CheckInputs(op, predicted, result)) return breach;
    Trace trace;
    if (auto breach = TraceOperands(op, predicted, result, &trace)) return breach;
    std::optional<Breach> pairs = CheckPairs(op, trace.broadcasts);
    if (pairs && pairs->rule != kSuperfluous) return pairs;
    const std::vector<LargestOf> extents = Extents(predicted, trace.origins);
    for (const auto& [broadcast, x] : trace.broadcasts) {
      const size_t dim = static_cast<size_t>(broadcast.dim);
      if (auto breach = CheckBroadcast(Value(x), dim, predicted.inferred(), extents)) return breach;
    }
    for (size_t i = 0; i < predicted.operands().size(); ++i) {
      const IndexingMap wanted = predicted.MapOf(i);
      const IndexingMap actual = WithoutChoice(predicted, predicted.operands()[i], wanted, generic.maps[i]);
      if (auto breach = CheckMap(absl::StrCat("operand ", i), wanted, actual)) return breach;
    }
    if (auto breach = CheckMap("result", IdentityMap(predicted.inferred().rank()), generic.maps.back())) return breach;
    if (auto breach = CheckSizes(result, inferred, extents)) return breach;
    return pairs;  // a broadcast too many, the least of all: known of MLIR 22, and to hide nothing else
  }

  // Policy "operands known at run time": behind those that broadcast, read at 0.
  std::optional<Breach> CheckInputs(const OpApplication& op, const LoweringPrediction& predicted,
                                    const LoweredValue& result) {
    const size_t count = predicted.operands().size();
    const size_t inputs = static_cast<size_t>(result.generic->inputs);
    size_t i = count;
    for (; i < inputs; ++i) {
      const bool is_operand = absl::c_any_of(absl::MakeConstSpan(op.operands).subspan(count), [&](ValueRef ref) {
        return ref.kind != ValueRef::Kind::kConstant && !StandsFor(ref, result.operands[i]);
      });
      if (!is_operand) break;
      const IndexingMap wanted = {kZeroIndex};
      const IndexingMap actual = WithoutChoice(predicted, Shape({Dim::Static(1)}), wanted, result.generic->maps[i]);
      if (auto breach = CheckMap(absl::StrCat("input ", i), wanted, actual)) return breach;
    }
    if (i == inputs) return std::nullopt;
    return BreachOf(RuleId::kContractOperands, Counted(count, "input"), Counted(inputs, "input"));
  }

  struct Trace {                                               // where the inputs of a linalg.generic come from
    std::vector<int> origins;                                  // the operands, of equal rank
    std::vector<std::pair<RuntimeBroadcast, int>> broadcasts;  // with the scf.if that does it
  };

  // Follows the inputs back through the scf.ifs to the operands.
  std::optional<Breach> TraceOperands(const OpApplication& op, const LoweringPrediction& predicted,
                                      const LoweredValue& result, Trace* trace) {
    for (size_t i = 0; i < predicted.operands().size(); ++i) {
      int x = result.operands[i];
      for (; Value(x).kind == Kind::kIf; x = Value(x).operands[2]) {
        const int dim = ConditionDim(ir_, Value(x));
        if (dim < 0) {
          return BreachOf(kBroadcastForm, "if a dimension of the operand is 1, else the operand", "another scf.if");
        }
        trace->broadcasts.push_back({{static_cast<int>(i), dim}, x});
      }
      trace->origins.push_back(x);
      if (auto breach = CheckOrigin(op.operands[i], predicted.operands()[i], x)) return breach;
    }
    return std::nullopt;
  }

  std::vector<LargestOf> Extents(const LoweringPrediction& predicted, const std::vector<int>& origins) const {
    std::vector<LargestOf> extents(predicted.inferred().rank());
    for (size_t d = 0; d < extents.size(); ++d) {
      for (size_t i = 0; i < origins.size(); ++i) {
        if (!predicted.operands()[i][d].IsDynamic()) continue;
        extents[d] = Merged(std::move(extents[d]), {SizeOf(ir_, origins[i], d)});
      }
    }
    return extents;
  }

  // Policy "map of a 1": where the result is 1 by inference or declaration, a static 1 may have its loop or a 0.
  IndexingMap WithoutChoice(const LoweringPrediction& predicted, const Shape& operand, const IndexingMap& wanted,
                            IndexingMap map) {
    for (size_t d = 0; d < map.size() && d < wanted.size(); ++d) {
      const bool is_choice = map[d] != wanted[d] && (map[d] == kZeroIndex || map[d] == LoopIndex(d));
      if (!is_choice || !operand[d].Is(1) || !predicted.IsOne(d)) continue;
      map[d] = wanted[d];
      notes_.insert(RuleId::kContractMapOfOne);
    }
    return map;
  }

  // Checks the way from a value of type `actual` to `v` of type `wanted`: a tensor.cast if the types differ.
  std::optional<Breach> CheckCast(int v, const TensorType& actual, const TensorType& wanted) const {
    const bool is_cast = Value(v).kind == Kind::kCast;
    if (is_cast == (actual != wanted)) return std::nullopt;
    const std::string cast = absl::StrCat("a tensor.cast to ", ToString(wanted)), none = "no tensor.cast";
    return BreachOf(RuleId::kContractCast, is_cast ? none : cast, is_cast ? cast : none);
  }

  // Whether `x` is the operand, expanded to `shape` if its rank is lower.
  std::optional<Breach> CheckOrigin(ValueRef ref, const Shape& shape, int x) {
    const LoweredValue& value = Value(x);
    const LoweredValue& producer = Value(BelowCast(ir_, x));
    const std::optional<LoweredCopy> copy = CopyOf(ir_, producer);
    if (copy && StandsFor(ref, x) && !StandsFor(ref, copy->of)) {
      return BreachOf(RuleId::kContractMaterialised, "the operand itself", Describe(producer));
    }
    const bool expands = TypeOf(program_, ref).shape != shape;
    const bool is_expanded = value.kind == Kind::kExpandShape && value.type->shape == shape;
    if (expands != is_expanded || value.kind == Kind::kCollapseShape) {
      return BreachOf(RuleId::kContractReshape, expands ? "a tensor.expand_shape to " + ToString(shape) : "no reshape",
                      Describe(value));
    }
    return StandsFor(ref, is_expanded ? value.operands[0] : x);
  }

  std::optional<Breach> CheckPairs(const OpApplication& op,
                                   const std::vector<std::pair<RuntimeBroadcast, int>>& broadcasts) const {
    const std::vector<RuntimeBroadcast> expected = PredictRuntimeBroadcasts(program_, op);
    std::vector<RuntimeBroadcast> actual;
    for (const auto& [broadcast, x] : broadcasts) actual.push_back(broadcast);
    absl::c_sort(actual);
    if (actual == expected) return std::nullopt;
    const bool all_there = absl::c_includes(actual, expected);
    return BreachOf(all_there ? kSuperfluous : kMissing, "at run time: " + ToString(expected),
                    Compared(expected, actual));
  }

  static std::optional<Breach> CheckMap(absl::string_view whose, const IndexingMap& expected,
                                        const IndexingMap& actual) {
    if (actual == expected) return std::nullopt;
    return BreachOf(RuleId::kContractMap, absl::StrCat(whose, ": ", ToString(expected)), ToString(actual));
  }

  // The then branch: the else branch's tensor with dimension `dim` repeated up to the result's extent, "while making
  // sure that the sizes of all other dynamic dimensions are preserved in their current intermediate state".
  std::optional<Breach> CheckBroadcast(const LoweredValue& conditional, size_t dim, const Shape& inferred,
                                       std::vector<LargestOf> extents) const {
    const int x = conditional.operands[2];
    const TensorType& type = *Value(x).type;
    const LoweredValue& producer = Value(BelowCast(ir_, conditional.operands[1]));
    const std::optional<LoweredCopy> copy = CopyOf(ir_, producer);
    if (!copy || copy->of != x) {
      return BreachOf(kBroadcastForm, "a linalg.generic that repeats the operand", Describe(producer));
    }
    TensorType repeated = type;
    repeated.shape.mutable_dims()[dim] = inferred[dim];
    IndexingMap map = IdentityMap(inferred.rank());
    map[dim] = kZeroIndex;
    for (size_t d = 0; d < extents.size(); ++d) {
      if (d != dim) extents[d] = {SizeOf(ir_, x, d)};
    }
    const IndexingMap& of_result = producer.generic->maps[1];
    if (auto breach = CheckCast(conditional.operands[1], repeated, type)) return breach;
    if (auto breach = CheckMap("run-time broadcast", map, copy->map)) return breach;
    if (auto breach = CheckMap("run-time broadcast's result", IdentityMap(map.size()), of_result)) return breach;
    return CheckSizes(producer, repeated, extents);
  }

  // Whether the linalg.generic makes a tensor of this type, and its tensor.empty has these extents for the dynamic
  // dimensions.
  std::optional<Breach> CheckSizes(const LoweredValue& generic, const TensorType& type,
                                   const std::vector<LargestOf>& extents) const {
    if (generic.type != type) return BreachOf(RuleId::kContractExtent, ToString(type), Describe(generic));
    const LoweredValue& empty = Value(generic.operands.back());
    if (empty.kind != Kind::kEmpty) return BreachOf(RuleId::kContractExtent, "a tensor.empty", Describe(empty));
    auto size = empty.operands.begin();
    for (size_t d = 0; d < type.shape.rank(); ++d) {
      if (type.shape[d].IsStatic()) continue;
      const LargestOf actual = LargestOfSize(ir_, *size++);
      if (actual != extents[d]) {
        return BreachOf(RuleId::kContractExtent, absl::StrCat("dimension ", d, ": ", Describe(ir_, extents[d])),
                        Describe(ir_, actual));
      }
    }
    return std::nullopt;
  }

  const Program& program_;
  const LoweredIr& ir_;
  std::map<std::pair<int, int>, std::optional<Breach>> judged_;  // by op and value
  std::set<RuleId> notes_;
};

// Policy "apply_scale": mul's rounding shift stays a scalar op of the dialect, which tosa-to-arith lowers.
constexpr absl::string_view kApplyScale = "tosa.apply_scale";

// The op that dialect conversion leaves between types that no pattern converted.
constexpr absl::string_view kUnfinished = "builtin.unrealized_conversion_cast";

void CheckLeftovers(const LoweredIr& ir, ContractCheck* check) {
  auto left_over = [&](const std::string& op) {
    check->breaches.push_back({RuleId::kContractLeftover, "no op of the dialect but constants", op});
  };
  bool scales = false;
  for (const LoweredValue& value : ir.values) {
    if (absl::StartsWith(value.name, "tosa.") || value.name == kUnfinished) left_over(value.name);
    if (!value.generic) continue;
    for (const std::string& op : value.generic->payload.ops) {
      scales |= op == kApplyScale;
      if (absl::StartsWith(op, "tosa.") && op != kApplyScale) left_over(op);
    }
  }
  if (scales) check->notes.push_back(RuleId::kContractApplyScale);
}

}  // namespace

ContractCheck CheckContract(const Case& test_case, const LoweredIr& ir) {
  ContractCheck check;
  CheckLeftovers(ir, &check);
  const Program& program = test_case.program;
  if (ir.returned.size() != program.results.size()) {
    check.breaches.push_back({RuleId::kContractResult,
                              absl::StrCat(Counted(program.results.size(), "value"), " returned"),
                              absl::StrCat(ir.returned.size())});
    return check;
  }
  Contract contract(program, ir);
  for (size_t i = 0; i < ir.returned.size(); ++i) {
    if (auto breach = contract.StandsFor(program.results[i], ir.returned[i])) check.breaches.push_back(*breach);
  }
  check.notes.insert(check.notes.end(), contract.notes().begin(), contract.notes().end());
  for (Breach& breach : CheckLinalgProperties(ir)) check.breaches.push_back(std::move(breach));
  for (Breach& breach : CheckSizesOfRuns(test_case, ir)) check.breaches.push_back(std::move(breach));
  return check;
}

}  // namespace tosaic
