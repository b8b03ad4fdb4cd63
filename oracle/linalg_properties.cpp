// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/linalg_properties.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

bool IsLoop(const MapResult& result) { return result.kind == MapResult::Kind::kLoop; }

// The extent of each loop, determined by one operand after the other.
class IterationSpace {
 public:
  explicit IterationSpace(const Generic& generic) : extents_(generic.iterators.size()) {}

  // False if an earlier operand determines the loop differently; *why then says how.
  bool Determine(int64_t loop, Dim extent, size_t operand, std::string* why) {
    auto& known = extents_[static_cast<size_t>(loop)];
    if (!known || known->first.IsDynamic()) known = {extent, operand};
    if (extent.IsDynamic() || known->first == extent) return true;
    *why = absl::StrCat("d", loop, " is ", ToString(known->first), " by operand ", known->second, " and ",
                        ToString(extent), " by operand ", operand);
    return false;
  }

  // The first loop that no operand determines, or -1.
  int64_t Open() const {
    const auto open = std::find(extents_.begin(), extents_.end(), std::nullopt);
    return open == extents_.end() ? -1 : open - extents_.begin();
  }

 private:
  std::vector<std::optional<std::pair<Dim, size_t>>> extents_;
};

constexpr absl::string_view kOneExtent = "one extent for each loop, by all operands";

// ---- One linalg.generic by its types ----

class PropertyChecks {
 public:
  PropertyChecks(const LoweredIr& ir, const LoweredValue& op) : ir_(ir), op_(op), generic_(*op.generic) {}

  std::vector<Breach> Check() && {
    CheckIterationSpace();
    CheckMaps();
    CheckIterators();
    CheckRegion();
    CheckWholeOutput();
    return std::move(breaches_);
  }

 private:
  void Break(RuleId rule, absl::string_view expected, std::string actual) {
    breaches_.push_back({rule, std::string(expected), std::move(actual)});
  }
  const TensorType& TypeOf(size_t operand) const { return *ir_.values[op_.operands[operand]].type; }
  size_t inputs() const { return static_cast<size_t>(generic_.inputs); }

  void CheckIterationSpace() {
    IterationSpace space(generic_);
    std::string why;
    for (size_t i = 0; i < generic_.maps.size(); ++i) {
      for (size_t r = 0; r < generic_.maps[i].size(); ++r) {
        const MapResult result = generic_.maps[i][r];
        if (!IsLoop(result) || space.Determine(result.number, TypeOf(i).shape[r], i, &why)) continue;
        return Break(RuleId::kLinalgIterationSpace, kOneExtent, why);
      }
    }
    if (space.Open() >= 0) Break(RuleId::kLinalgIterationSpace, kOneExtent, absl::StrCat("none for d", space.Open()));
  }

  void CheckMaps() {
    for (const IndexingMap& map : generic_.maps) {
      std::set<int64_t> loops;
      const bool reversible = std::all_of(map.begin(), map.end(), [&](const MapResult& result) {
        return IsLoop(result) ? loops.insert(result.number).second : result == MapResult{MapResult::Kind::kConstant, 0};
      });
      if (!reversible) Break(RuleId::kLinalgReversibleMap, "loops, each once, and constants 0", ToString(map));
    }
  }

  void CheckIterators() {
    const auto& iterators = generic_.iterators;
    if (std::all_of(iterators.begin(), iterators.end(),
                    [](const std::string& iterator) { return iterator == "parallel"; }))
      return;
    Break(RuleId::kLinalgIterators, "parallel iterators", absl::StrJoin(iterators, ", "));
  }

  void CheckRegion() {
    const Payload& payload = generic_.payload;
    std::vector<std::string> types;
    for (size_t i = 0; i < op_.operands.size(); ++i) types.push_back(std::string(Name(TypeOf(i).element_type)));
    const std::vector<std::string> outputs(types.begin() + generic_.inputs, types.end());
    if (payload.arguments != types || payload.yields != outputs) {
      Break(RuleId::kLinalgRegion, absl::StrCat("(", absl::StrJoin(types, ", "), ") -> ", absl::StrJoin(outputs, ", ")),
            absl::StrCat("(", absl::StrJoin(payload.arguments, ", "), ") -> ", absl::StrJoin(payload.yields, ", ")));
    }
    for (const std::string& capture : payload.captures) {
      if (!absl::EndsWith(capture, ".constant")) Break(RuleId::kLinalgRegion, "only constants captured", capture);
    }
  }

  void CheckWholeOutput() {
    IndexingMap identity(generic_.iterators.size());
    for (size_t i = 0; i < identity.size(); ++i) identity[i].number = static_cast<int64_t>(i);
    for (size_t i = inputs(); i < generic_.maps.size(); ++i) {
      const IndexingMap& map = generic_.maps[i];
      if (std::is_permutation(map.begin(), map.end(), identity.begin(), identity.end())) continue;
      Break(RuleId::kLinalgWholeOutput, "an output indexed by all loops", ToString(map));
    }
    if (generic_.payload.reads_output)
      Break(RuleId::kLinalgWholeOutput, "a new value", "the output's old value is read");
    if (generic_.payload.nested) {
      Break(RuleId::kLinalgWholeOutput, "a perfect nest: scalar ops alone",
            absl::StrCat("regions or effects among ", absl::StrJoin(generic_.payload.ops, ", ")));
    }
  }

  const LoweredIr& ir_;
  const LoweredValue& op_;
  const Generic& generic_;
  std::vector<Breach> breaches_;
};

// ---- Sizes of a run ----

// The sizes of a tensor; for an index or a condition, its one value.
using KnownNumbers = std::optional<std::vector<int64_t>>;

class SizeWalk {
 public:
  SizeWalk(const LoweredIr& ir, const Run& run) : ir_(ir), run_(run), known_(ir.values.size()) {}

  const KnownNumbers& Of(int value) {
    std::optional<KnownNumbers>& known = known_[static_cast<size_t>(value)];
    if (!known) known = Compute(ir_.values[static_cast<size_t>(value)]);
    return *known;
  }
  std::vector<Breach> TakeBreaches() { return std::move(breaches_); }

 private:
  int64_t Number(int value) { return Of(value)->front(); }

  KnownNumbers Compute(const LoweredValue& value) {
    if (value.kind == Kind::kOther) return std::nullopt;
    // Follows only the branch of an scf.if that is taken.
    if (value.kind == Kind::kIf) {
      if (!Of(value.operands[0])) return std::nullopt;
      return Of(value.operands[Number(value.operands[0]) != 0 ? 1 : 2]);
    }
    for (const int operand : value.operands) {
      if (!Of(operand)) return std::nullopt;
    }
    return ComputeFrom(value.operands, value);
  }

  // REQUIRES: the operands are known.
  KnownNumbers ComputeFrom(const std::vector<int>& operands, const LoweredValue& value) {
    switch (value.kind) {
      case Kind::kArgument:
        return run_[static_cast<size_t>(value.number)].sizes();
      case Kind::kIndex:
        return {{value.number}};
      case Kind::kDim: {
        const auto index = static_cast<size_t>(Number(operands[1]));
        return index < Of(operands[0])->size() ? KnownNumbers({(*Of(operands[0]))[index]}) : std::nullopt;
      }
      case Kind::kMax:
        return {{std::max(Number(operands[0]), Number(operands[1]))}};
      case Kind::kEqual:
        return {{Number(operands[0]) == Number(operands[1]) ? 1 : 0}};
      case Kind::kConstant:
        return value.type->shape.IsStatic() ? FromType(value.type->shape, {}) : std::nullopt;
      case Kind::kEmpty:
        return FromType(value.type->shape, operands);
      case Kind::kCast:
        return Of(operands[0]);
      case Kind::kExpandShape:
        return Expand(value);
      case Kind::kCollapseShape:
        return Collapse(value);
      case Kind::kGeneric:
        return Iterate(value);
      case Kind::kIf:
      case Kind::kOther:
        break;
    }
    return std::nullopt;
  }

  KnownNumbers FromType(const Shape& shape, const std::vector<int>& dynamic) {
    std::vector<int64_t> sizes;
    auto next = dynamic.begin();
    for (const Dim dim : shape.dims()) sizes.push_back(dim.IsStatic() ? dim.size() : Number(*next++));
    return sizes;
  }

  KnownNumbers Collapse(const LoweredValue& value) {
    const std::vector<int64_t>& source = *Of(value.operands[0]);
    std::vector<int64_t> sizes;
    for (const std::vector<int>& group : value.groups) {
      sizes.push_back(std::accumulate(group.begin(), group.end(), int64_t{1}, [&](int64_t product, int dim) {
        return product * source[static_cast<size_t>(dim)];
      }));
    }
    return sizes;
  }

  // At most one dimension of each group is dynamic here. It has the elements that the static ones leave.
  KnownNumbers Expand(const LoweredValue& value) {
    const std::vector<int64_t>& source = *Of(value.operands[0]);
    std::vector<int64_t> sizes(value.type->shape.rank(), 1);
    for (size_t g = 0; g < value.groups.size(); ++g) {
      int64_t rest = source[g];
      int dynamic = -1;
      for (const int dim : value.groups[g]) {
        const Dim of_type = value.type->shape[static_cast<size_t>(dim)];
        if (of_type.IsDynamic()) {
          dynamic = dim;
        } else {
          sizes[static_cast<size_t>(dim)] = of_type.size();
          rest /= std::max<int64_t>(of_type.size(), 1);
        }
      }
      if (dynamic >= 0) sizes[static_cast<size_t>(dynamic)] = rest;
    }
    return sizes;
  }

  KnownNumbers Iterate(const LoweredValue& value) {
    IterationSpace space(*value.generic);
    std::string why;
    for (size_t i = 0; i < value.generic->maps.size(); ++i) {
      const IndexingMap& map = value.generic->maps[i];
      const std::vector<int64_t>& sizes = *Of(value.operands[i]);
      for (size_t r = 0; r < map.size(); ++r) {
        if (IsLoop(map[r])) {
          if (!space.Determine(map[r].number, Dim::Static(sizes[r]), i, &why)) {
            breaches_.push_back({RuleId::kLinalgIterationSpace, std::string(kOneExtent), why});
          }
        } else if (map[r].kind == MapResult::Kind::kConstant && sizes[r] != 1) {
          breaches_.push_back({RuleId::kLinalgReversibleMap, "a constant for a dimension of 1",
                               absl::StrCat(ToString(map), " for operand ", i, " of ", SizesToString(sizes))});
        }
      }
    }
    return Of(value.operands[static_cast<size_t>(value.generic->inputs)]);
  }

  const LoweredIr& ir_;
  const Run& run_;
  std::vector<std::optional<KnownNumbers>> known_;
  std::vector<Breach> breaches_;
};

}  // namespace

std::vector<Breach> CheckLinalgProperties(const LoweredIr& ir) {
  std::vector<Breach> breaches;
  for (const LoweredValue& value : ir.values) {
    if (value.kind != Kind::kGeneric) continue;
    std::vector<Breach> more = PropertyChecks(ir, value).Check();
    breaches.insert(breaches.end(), more.begin(), more.end());
  }
  return breaches;
}

LoweredSizes FollowSizes(const LoweredIr& ir, const Run& run) {
  SizeWalk walk(ir, run);
  LoweredSizes sizes;
  for (const int value : ir.returned) sizes.returned.push_back(walk.Of(value));
  sizes.breaches = walk.TakeBreaches();
  return sizes;
}

}  // namespace tosaic
