// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_properties.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/counted.h"
#include "model/routes.h"
#include "oracle/allowed_set.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_values.h"

namespace tosaic {
namespace {

// Whether the view has the operand's elements; elements of a dimension of size 1 may be repeated or not.
bool Holds(const Tensor& view, const Tensor& operand) {
  const std::vector<int64_t>& to = view.sizes();
  const std::vector<int64_t>& from = operand.sizes();
  if (view.element_type() != operand.element_type() || !BroadcastsTo(from, to)) return false;
  for (size_t i = 0; i < view.element_count(); ++i) {
    if (view.Bits(i) != operand.Bits(BroadcastIndex(i, to, from))) return false;
  }
  return true;
}

std::string Describe(const LibraryView& view) {
  return absl::StrCat("sizes ", SizesToString(view.tensor.sizes()), ", strides ", SizesToString(view.strides),
                      ", at byte ", view.offset, " of ", view.region, " (", view.region_bytes, " bytes)");
}

class CallChecker {
 public:
  CallChecker(const Case& test_case, size_t run, const RunObservation& observed, const Policies& policies)
      : case_(test_case),
        program_(test_case.program),
        run_(run),
        observed_(observed),
        policies_(policies),
        where_(absl::StrCat("run ", run, ", ")),
        known_(KnownOpResults(program_, observed)),
        counts_(program_.ops.size(), 0) {}

  RunCheck Check() {
    RunCheck check;
    check.breach = FindBreach();
    check.notes.assign(notes_.begin(), notes_.end());
    return check;
  }

 private:
  std::optional<Breach> FindBreach() {
    std::vector<const Tensor*> last(program_.ops.size(), nullptr);  // the result of an op's last call
    for (const LibraryCall& call : observed_.library_calls) {
      if (call.op < 0 || static_cast<size_t>(call.op) >= program_.ops.size()) {
        return Breach{RuleId::kLinalg5Call, "calls of the program's ops", where_ + "a call of none of them"};
      }
      if (call.is_copy) continue;
      last[static_cast<size_t>(call.op)] = &call.result.tensor;
      ++counts_[static_cast<size_t>(call.op)];
    }
    for (size_t op = 0; op < last.size(); ++op) {
      if (known_[op] == nullptr) known_[op] = last[op];
    }
    for (size_t op = program_.ops.size(); op-- > 0;) {
      if (std::optional<Breach> breach = CheckCount(op)) return breach;
    }
    for (const LibraryCall& call : observed_.library_calls) {
      for (const LibraryView& view : call.operands) {
        if (std::optional<Breach> breach = CheckView(call, view)) return breach;
      }
      if (std::optional<Breach> breach = CheckView(call, call.result)) return breach;
      if (std::optional<Breach> breach = CheckPlaces(call)) return breach;
      if (call.is_copy) continue;
      if (std::optional<Breach> breach = CheckOperands(call)) return breach;
      if (std::optional<Breach> breach = CheckResult(call)) return breach;
    }
    return std::nullopt;
  }

  const OpApplication& OpOf(const LibraryCall& call) const { return program_.ops[static_cast<size_t>(call.op)]; }
  std::string About(const LibraryCall& call) const {
    return absl::StrCat(where_, call.is_copy ? "a copy for %" : "%", call.op, ": ");
  }

  // The known value of an operand; null if it was folded away or is unknown.
  const Tensor* Known(ValueRef ref) const { return ValueIn(case_, run_, known_, ref); }

  // Ops that use this one come later. Their calls are counted whether they are right or wrong.
  bool IsNeeded(size_t op) const {
    const ValueRef self{ValueRef::Kind::kOp, static_cast<int>(op)};
    if (std::find(program_.results.begin(), program_.results.end(), self) != program_.results.end()) return true;
    for (size_t user = op + 1; user < program_.ops.size(); ++user) {
      const std::vector<ValueRef>& operands = program_.ops[user].operands;
      if (counts_[user] > 0 && std::find(operands.begin(), operands.end(), self) != operands.end()) return true;
    }
    return false;
  }

  // Whether a folder may apply: an operand is a constant or another op's result, the same value is used twice, the op
  // leaves its operand as it is (a cast to the same type, a clamp to all values), or another op computes the same.
  bool MayBeFolded(const OpApplication& op) const {
    if (op.op == OpKind::kIdentity || (op.op == OpKind::kClamp && BoundsAreEnds(op))) return true;
    const size_t count = BroadcastOperandCount(Info(op.op));
    for (size_t i = 0; i < count; ++i) {
      if (op.operands[i].kind != ValueRef::Kind::kArgument) return true;
      if (std::count(op.operands.begin(), op.operands.begin() + static_cast<ptrdiff_t>(count), op.operands[i]) > 1) {
        return true;
      }
    }
    if (op.op == OpKind::kCast && InputElementType(program_, op) == op.result.element_type) return true;
    return std::any_of(program_.ops.begin(), program_.ops.end(), [&](const OpApplication& other) {
      return &other != &op && other.op == op.op && other.operands == op.operands && other.attributes == op.attributes;
    });
  }

  static bool BoundsAreEnds(const OpApplication& clamp) {
    const ElementType type = clamp.result.element_type;
    const auto& min = clamp.attributes.min_val;
    const auto& max = clamp.attributes.max_val;
    return min && max && OrdinalOf(type, min->bits) == LeastOrdinal(type) &&
           OrdinalOf(type, max->bits) == GreatestOrdinal(type);
  }

  std::optional<Breach> CheckCount(size_t op) {
    if (counts_[op] == 1 || (counts_[op] == 0 && !IsNeeded(op))) return std::nullopt;
    // Passes of the user's may lower an op to something else than linalg.
    if (counts_[op] == 0 && (MayBeFolded(program_.ops[op]) || case_.route == kCustomRoute)) {
      notes_.insert(RuleId::kLinalg5Folded);
      return std::nullopt;
    }
    return Breach{RuleId::kLinalg5Call, "one call per op",
                  absl::StrCat(where_, counts_[op], " calls of %", op, ", ", Signature(program_, program_.ops[op]))};
  }

  std::optional<Breach> CheckView(const LibraryCall& call, const LibraryView& view) const {
    const std::vector<int64_t>& sizes = view.tensor.sizes();
    for (size_t d = 0; d < sizes.size(); ++d) {
      const MapResult& loop = view.map[d];
      int64_t expected = loop.kind == MapResult::Kind::kConstant && loop.number == 0 ? 1 : -1;
      for (size_t r = 0; loop.kind == MapResult::Kind::kLoop && r < call.result.map.size(); ++r) {
        if (call.result.map[r] == loop) expected = call.result.tensor.sizes()[r];
      }
      if (sizes[d] == expected) continue;
      return Breach{RuleId::kLinalg5Extents,
                    absl::StrCat(expected, " in dimension ", d, ", by the map ", ToString(view.map)),
                    About(call) + Describe(view)};
    }
    if (view.region == "unknown") {
      if (&view != &call.result && MayBeConstant(call)) return std::nullopt;
      return Breach{RuleId::kLinalg5Buffer, "a view of a buffer", About(call) + Describe(view)};
    }
    const int64_t width = StorageBytes(view.tensor.element_type());
    int64_t first = view.offset, last = view.offset;
    for (size_t d = 0; d < sizes.size(); ++d) {
      (view.strides[d] < 0 ? first : last) += (sizes[d] - 1) * view.strides[d] * width;
    }
    if (first >= 0 && last + width <= view.region_bytes) return std::nullopt;
    return Breach{RuleId::kLinalg5Buffer, "a view within its buffer", About(call) + Describe(view)};
  }

  bool MayBeConstant(const LibraryCall& call) const {
    const std::vector<ValueRef>& operands = OpOf(call).operands;
    return std::any_of(operands.begin(), operands.end(), [&](ValueRef ref) {
      return ref.kind == ValueRef::Kind::kConstant ||
             (ref.kind == ValueRef::Kind::kOp && counts_[static_cast<size_t>(ref.index)] == 0);
    });
  }

  // No two elements of the result may share memory.
  std::optional<Breach> CheckPlaces(const LibraryCall& call) const {
    const LibraryView& view = call.result;
    const std::vector<int64_t>& sizes = view.tensor.sizes();
    std::vector<std::pair<int64_t, int64_t>> steps;  // stride, extent
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] > 1) steps.emplace_back(std::abs(view.strides[d]), sizes[d]);
    }
    std::sort(steps.begin(), steps.end());
    int64_t span = 1;
    for (const auto& [stride, extent] : steps) {
      if (stride < span) {
        return Breach{RuleId::kLinalg5Result, "a place of its own for each element", About(call) + Describe(view)};
      }
      span = stride * (extent - 1) + span;
    }
    return std::nullopt;
  }

  // Whether the view has the value or, if that was folded away, what its op computes from its operands.
  bool Holds(const Tensor& view, ValueRef ref) const {
    if (const Tensor* known = Known(ref)) return tosaic::Holds(view, *known);
    const OpApplication& op = program_.ops[static_cast<size_t>(ref.index)];
    const std::vector<const Tensor*> operands = KnownOperands(op);
    if (operands.empty()) return true;  // unknown
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      if (!BroadcastsTo(operands[i]->sizes(), view.sizes())) return false;
    }
    return view.element_type() == op.result.element_type &&
           !CompareValues(program_, op, operands, view, policies_).first;
  }

  // Empty if one of them was folded away.
  std::vector<const Tensor*> KnownOperands(const OpApplication& op) const {
    return OperandsIn(case_, run_, known_, op);
  }

  // The first view that does not have its operand; order.size() if all do.
  size_t FirstWrong(const LibraryCall& call, const std::vector<size_t>& order) const {
    size_t i = 0;
    while (i < order.size() && Holds(call.operands[i].tensor, OpOf(call).operands[order[i]])) ++i;
    return i;
  }

  std::optional<Breach> CheckOperands(const LibraryCall& call) {
    const OpApplication& op = OpOf(call);
    const size_t count = BroadcastOperandCount(Info(op.op));
    const size_t views = call.operands.size();
    if (!call.computed || views < count || views > op.operands.size()) {
      return Breach{RuleId::kLinalg5Operand,
                    absl::StrCat("views of the ", Counted(count, "operand"), " of ", Signature(program_, op)),
                    absl::StrCat(About(call), Counted(views, "view"), " that the op cannot be computed from")};
    }
    std::vector<size_t> order(views);
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t wrong = FirstWrong(call, order);
    if (wrong == views) return std::nullopt;
    // Policy "operand order": an op counts as commutative if its values agree.
    if (count == 2) {
      std::swap(order[0], order[1]);
      if (FirstWrong(call, order) == views && IsSymmetric(call)) {
        notes_.insert(RuleId::kContractCommuted);
        return std::nullopt;
      }
    }
    return Breach{RuleId::kLinalg5Operand, absl::StrCat("the elements of ", ToString(op.operands[wrong])),
                  absl::StrCat(About(call), "others, or another shape: ", Describe(call.operands[wrong]))};
  }

  // Whether the operands in the op's order give the call's result as well.
  bool IsSymmetric(const LibraryCall& call) const {
    const std::vector<const Tensor*> operands = KnownOperands(OpOf(call));
    return operands.empty() || !CompareValues(program_, OpOf(call), operands, call.result.tensor, policies_).first;
  }

  std::optional<Breach> CheckResult(const LibraryCall& call) const {
    const OpApplication& op = OpOf(call);
    std::vector<std::vector<int64_t>> sizes;
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      if (const Tensor* known = Known(op.operands[i]); known != nullptr) {
        sizes.push_back(known->sizes());
        continue;
      }
      // An operand that no call computed is known only by its view, which is not the i-th if the operands come in
      // another order.
      for (const LibraryView& view : call.operands) sizes.push_back(view.tensor.sizes());
    }
    const RuntimeShape expected = ResultSizes(op, sizes);
    if (!expected.defined || call.result.tensor.sizes() == expected.sizes) return std::nullopt;
    return Breach{RuleId::kLinalg5Result, absl::StrCat("sizes ", SizesToString(expected.sizes)),
                  About(call) + Describe(call.result)};
  }

  const Case& case_;
  const Program& program_;
  size_t run_;
  const RunObservation& observed_;
  const Policies& policies_;
  std::string where_;
  std::vector<const Tensor*> known_;  // by op: what the program returns, else the result of its call
  std::vector<int> counts_;           // calls, by op
  std::set<RuleId> notes_;
};

// An element of i48 takes eight bytes, and six of them are stored. A buffer of unsigned integers has room for one
// element more, because MLIR aligns it by itself (memref.alloc of what is neither signless nor a float).
bool FillsItsBuffers(const Program& program) {
  const auto fills = [](const TensorType& type) {
    const ElementType element = type.element_type;
    return (BitWidth(element) + 7) / 8 == StorageBytes(element) && !IsUnsigned(element);
  };
  return std::all_of(program.arguments.begin(), program.arguments.end(), fills) &&
         std::all_of(program.ops.begin(), program.ops.end(), [&](const OpApplication& op) { return fills(op.result); });
}

}  // namespace

RunCheck CheckLibraryCalls(const Case& test_case, size_t run, const RunObservation& observed,
                           const Policies& policies) {
  return CallChecker(test_case, run, observed, policies).Check();
}

std::optional<Breach> CheckStores(const Program& program, const RunObservation& observed, bool may_reuse_buffers) {
  constexpr RuleId kRule = RuleId::kLinalg6Once;
  const uint64_t allowed = may_reuse_buffers ? program.ops.size() : 1;
  const std::string how_often = allowed == 1 ? "one store" : absl::StrCat("one to ", allowed, " stores");
  bool has_gaps = false;
  for (size_t i = 0; i < observed.results.size(); ++i) {
    const ResultObservation& result = observed.results[i];
    has_gaps |= !result.unwritten.empty();
    for (const StoreCount& count : result.not_stored_once) {
      const std::vector<uint64_t>& unwritten = result.unwritten;
      if (count.stores == 0 && std::find(unwritten.begin(), unwritten.end(), count.element) != unwritten.end())
        continue;
      if (count.stores > 0 && count.stores <= allowed) continue;
      return Breach{kRule, how_often + " to each element",
                    absl::StrCat(ToString(program.results[i]), ": ", Counted(count.stores, "store"), " to element ",
                                 count.element, ", and ", Counted(result.not_stored_once.size(), "element"),
                                 " not stored to once")};
    }
  }
  for (const UnevenStores& buffer : observed.uneven_stores) {
    // A buffer that nothing is stored to is not an output.
    const bool has_gap = buffer.never > 0 && buffer.never < buffer.region_bytes && !has_gaps && !may_reuse_buffers;
    if (buffer.most <= static_cast<int64_t>(allowed) && (!has_gap || !FillsItsBuffers(program))) continue;
    return Breach{kRule, how_often + " to each byte of an output",
                  absl::StrCat(buffer.region, " of ", buffer.region_bytes, " bytes: ", buffer.never,
                               " never stored to, ", buffer.repeated, " repeatedly",
                               buffer.repeated > 0 ? absl::StrCat(", the first at ", buffer.first_repeated) : "")};
  }
  return std::nullopt;
}

}  // namespace tosaic
