// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains, graphs and identities: what GenerateCase makes of them, over many seeds.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/composed_testing.h"
#include "generators/generator.h"
#include "generators/identities.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

TEST(Composed, IsWellFormedBoundedAndFits) {
  for (Composition composition : {Composition::kChains, Composition::kGraphs, Composition::kIdentities}) {
    for (const Case& generated : TwoThousand(composition)) {
      ASSERT_TRUE(CheckWellFormed(generated).ok()) << CheckWellFormed(generated).ToString();
      EXPECT_LE(generated.program.arguments.size(), 14u);  // the executor has 16 slots
      for (const auto& run : generated.runs) {
        for (const auto& sizes : SizesOfOps(generated, run)) ASSERT_LE(ElementCount(sizes), 8 * 4096);
      }
    }
  }
}

TEST(Composed, MaxElementsHolds) {
  for (Composition composition : {Composition::kChains, Composition::kGraphs, Composition::kIdentities}) {
    GeneratorOptions options = Only(composition);
    options.max_elements = 10;
    for (const Case& generated : Cases(22, 500, options)) {
      for (const OpApplication& op : generated.program.ops) {
        for (size_t k = 0; k < op.operands.size(); ++k) {
          const Tensor* constant = AsConstant(generated.program, op.operands[k]);
          const bool is_table = Info(op.op).operands[k] == OperandRole::kTable;
          if (constant != nullptr && !is_table) ASSERT_LE(constant->element_count(), 10u);
        }
      }
      for (const auto& run : generated.runs) {
        for (const auto& sizes : SizesOfOps(generated, run)) ASSERT_LE(ElementCount(sizes), 10);
      }
    }
  }
}

// The ops whose results no op uses.
std::vector<ValueRef> LastValues(const Program& program) {
  std::vector<ValueRef> last;
  for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
    const ValueRef self = {Kind::kOp, i};
    if (absl::c_none_of(program.ops,
                        [&](const OpApplication& op) { return absl::c_linear_search(op.operands, self); })) {
      last.push_back(self);
    }
  }
  return last;
}

TEST(Composed, SomeReturnEverythingAndMoreTheLastValues) {
  int all = 0, several = 0, passed_on = 0;
  for (Composition composition : {Composition::kChains, Composition::kGraphs}) {
    for (const Case& generated : TwoThousand(composition)) {
      const Program& program = generated.program;
      std::vector<ValueRef> results = program.results;
      passed_on += std::erase_if(results, [](ValueRef ref) { return ref.kind == Kind::kArgument; }) == 1 ? 1 : 0;
      const std::vector<ValueRef> last = LastValues(program);
      all += results.size() == program.ops.size() ? 1 : 0;
      if (results.size() < program.ops.size()) EXPECT_EQ(results, last) << CaseToText(generated);
      several += last.size() < program.ops.size() ? 1 : 0;
    }
  }
  const int return_all = all - (4000 - several);  // of those that hide something otherwise
  EXPECT_NEAR(return_all, several / 4, several / 20);
  EXPECT_NEAR(passed_on, 4000 / 16, 60);
}

// The groups that values fall into when operands and results of an op are in one.
std::vector<size_t> GroupsOfOps(const Program& program) {
  std::vector<size_t> groups(program.ops.size());
  for (size_t i = 0; i < groups.size(); ++i) groups[i] = i;
  for (size_t changes = 1; changes > 0;) {
    changes = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const std::vector<ValueRef>&a = program.ops[i].operands, &b = program.ops[j].operands;
        const bool shared =
            absl::c_linear_search(a, ValueRef{Kind::kOp, static_cast<int>(j)}) ||
            absl::c_any_of(a, [&](ValueRef ref) { return ref.kind != Kind::kOp && absl::c_linear_search(b, ref); });
        if (!shared || groups[i] == groups[j]) continue;
        groups[i] = groups[j] = std::min(groups[i], groups[j]);
        ++changes;
      }
    }
  }
  return groups;
}

TEST(Composed, GroupsOfOneFunctionHaveRanksAndSizesOfTheirOwn) {
  int several = 0, other_rank = 0;
  for (const Case& generated : TwoThousand(Composition::kChains)) {
    const std::vector<size_t> groups = GroupsOfOps(generated.program);
    several += absl::c_any_of(groups, [](size_t group) { return group > 0; }) ? 1 : 0;
    if (generated.runs.empty()) continue;
    std::set<size_t> ranks;
    for (const auto& sizes : SizesOfOps(generated, generated.runs.front())) ranks.insert(sizes.size());
    other_rank += ranks.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 600);
  EXPECT_GT(other_rank, 350);
}

// Compilers cut vector loops, tiles and stack buffers at these extents; these ranks are above those of the levels.
TEST(Composed, LargeAndOddExtentsAppear) {
  GeneratorOptions options;
  options.runs = 2;
  std::map<int64_t, int> beside;
  int large = 0, ranks_above = 0, multiples = 0;
  constexpr uint64_t kCount = 20000;
  for (const Case& generated : Cases(26, kCount, options)) {
    std::set<int64_t> sizes;
    bool is_large = false, is_above = false;
    for (const auto& run : generated.runs) {
      for (const Tensor& tensor : run) {
        sizes.insert(tensor.sizes().begin(), tensor.sizes().end());
        is_large |= tensor.element_count() > 4096;
        is_above |= tensor.sizes().size() > 6;
      }
    }
    for (int64_t lane : {32, 64, 128, 256}) {
      for (int64_t size : {lane - 1, lane, lane + 1}) beside[size] += static_cast<int>(sizes.count(size));
    }
    large += is_large ? 1 : 0;
    ranks_above += is_above ? 1 : 0;
    multiples += absl::c_any_of(sizes, [](int64_t size) { return size % 64 == 0; }) ? 1 : 0;
  }
  for (const auto& [size, count] : beside) EXPECT_GT(count, 15) << size;
  EXPECT_GT(large, kCount / 700);
  EXPECT_LT(large, kCount / 100);
  EXPECT_GT(ranks_above, kCount / 70);
  EXPECT_GT(multiples, kCount / 60);
}

TEST(Composed, ForTheValidatorHalfIsStatic) {
  GeneratorOptions options = Only(Composition::kGraphs);
  options.for_validator = true;
  int is_static = 0;
  for (const Case& generated : Cases(23, 1000, options)) {
    bool all = true;
    for (const TensorType& argument : generated.program.arguments) all &= argument.shape.IsStatic();
    for (const OpApplication& op : generated.program.ops) all &= op.result.shape.IsStatic();
    is_static += all ? 1 : 0;
  }
  EXPECT_GT(is_static, 500);
  EXPECT_LT(is_static, 800);
}

TEST(Graphs, HaveTwoToThirtyOpsMostlyFew) {
  std::map<size_t, int> counts;
  for (const Case& generated : TwoThousand(Composition::kGraphs)) ++counts[generated.program.ops.size()];
  EXPECT_EQ(counts.begin()->first, 2u);
  for (size_t ops = 2; ops <= 8; ++ops) EXPECT_GT(counts[ops], 40) << ops;
  EXPECT_GT(counts.rbegin()->first, 25u);
  int many = 0;
  for (const auto& [ops, count] : counts) many += ops > 16 ? count : 0;
  EXPECT_LT(many, 60);
}

TEST(Graphs, ShareValuesMixTypesAndBroadcastAtSeveralPlaces) {
  int shared = 0, mixed = 0, broadcasts = 0, comparisons = 0, declared_otherwise = 0;
  std::set<OpKind> ops;
  for (const Case& generated : Cases(21, 2100, Only(Composition::kGraphs))) {
    const Program& program = generated.program;
    std::map<std::pair<int, int>, int> uses;
    std::set<ElementType> types;
    bool compared = false, general = false;
    for (const OpApplication& op : program.ops) {
      ops.insert(op.op);
      types.insert(op.result.element_type);
      bool all_static = true;
      for (ValueRef ref : op.operands) {
        ++uses[{static_cast<int>(ref.kind), ref.index}];
        compared |= ref.kind == Kind::kOp && ElementTypeOf(program, ref) == ElementType::kI1;
        all_static &= TypeOf(program, ref).shape.IsStatic();
      }
      general |= all_static && !op.result.shape.IsStatic();
    }
    shared += std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.second > 1; }) ? 1 : 0;
    mixed += types.size() > 1 ? 1 : 0;
    comparisons += compared ? 1 : 0;
    declared_otherwise += general ? 1 : 0;
    for (const auto& run : generated.runs) {
      const auto sizes = SizesOfOps(generated, run);
      const std::set<std::vector<int64_t>> different(sizes.begin(), sizes.end());
      broadcasts += different.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_EQ(ops.size(), AllOps().size());
  EXPECT_GT(shared, 1000);
  EXPECT_GT(mixed, 1000);
  EXPECT_GT(comparisons, 200);
  EXPECT_GT(declared_otherwise, 200);
  EXPECT_GT(broadcasts, 2800);  // of 16,800 runs
}

// An op that can trap never gets an intermediate as divisor, and no op shifts by one.
TEST(Graphs, DivisorsAndShiftAmountsAreNoIntermediates) {
  for (Composition composition : {Composition::kChains, Composition::kGraphs}) {
    for (const Case& generated : TwoThousand(composition)) {
      for (const OpApplication& op : generated.program.ops) {
        const Unpredictable kind = Info(op.op).unpredictable;
        if (kind != Unpredictable::kDivision && kind != Unpredictable::kShiftAmount) continue;
        ASSERT_NE(op.operands[1].kind, Kind::kOp) << CaseToText(generated);
        for (const auto& run : generated.runs) {
          const ValueRef ref = op.operands[1];
          const Tensor& tensor = ref.kind == Kind::kArgument ? run[ref.index] : generated.program.constants[ref.index];
          for (size_t i = 0; i < tensor.element_count(); ++i) {
            if (kind == Unpredictable::kShiftAmount) {
              ASSERT_LT(tensor.Bits(i), static_cast<uint64_t>(BitWidth(tensor.element_type())));
              continue;
            }
            ASSERT_NE(tensor.Bits(i), 0u);
            if (op.operands[0].kind == Kind::kOp) {
              ASSERT_NE(tensor.Bits(i), BitMask(tensor.element_type()));
            }
          }
        }
      }
    }
  }
}

// The constants that an op takes directly, or behind one op that weakens them.
std::vector<const Tensor*> ConstantsOf(const Program& program) {
  std::vector<const Tensor*> constants;
  for (ValueRef ref : program.ops.back().operands) {
    if (ref.kind == Kind::kOp) ref = program.ops[ref.index].operands[0];
    if (const Tensor* constant = AsConstant(program, ref)) constants.push_back(constant);
  }
  return constants;
}

TEST(Identities, EachAppearsWithItsConstantWhateverRepairDoes) {
  std::map<std::string, int> seen;
  int weakened = 0, dynamic = 0, ones = 0, nearly = 0;
  for (const Case& generated : TwoThousand(Composition::kIdentities)) {
    const Program& program = generated.program;
    const std::string name = Origin(generated).substr(std::string("identity/").size());
    ++seen[name];
    weakened += program.ops.size() == 2 ? 1 : 0;
    dynamic += std::any_of(program.arguments.begin(), program.arguments.end(),
                           [](const TensorType& type) { return !type.shape.IsStatic(); });
    const auto identity = std::find_if(AllIdentities().begin(), AllIdentities().end(),
                                       [&](const Identity& row) { return Text(row.name) == name; });
    ASSERT_NE(identity, AllIdentities().end()) << name;
    bool found = false;
    for (const Tensor* constant : ConstantsOf(program)) {
      // But for one place, at times, which may be the first.
      const size_t count = constant->element_count();
      const uint64_t bits = constant->Bits(count > 2 && constant->Bits(0) != constant->Bits(1) ? 2 : 0);
      size_t others = 0;
      for (size_t i = 0; i < count; ++i) others += constant->Bits(i) != bits ? 1 : 0;
      const bool splat = others == 0 || (count > 2 && others == 1);
      nearly += others > 0 && splat ? 1 : 0;
      const bool is_power = name == "power-of-two" && bits != 0 && (bits & (bits - 1)) == 0;
      found |= splat && (is_power || bits == identity->bits(constant->element_type()));
      ones += constant->element_count() == 1 && constant->sizes().size() > 1 ? 1 : 0;
    }
    EXPECT_TRUE(found) << CaseToText(generated);
  }
  for (const Identity& identity : AllIdentities()) EXPECT_GT(seen[Text(identity.name)], 35) << identity.name;
  EXPECT_EQ(seen.size(), AllIdentities().size());
  EXPECT_GT(weakened, 200);
  EXPECT_GT(dynamic, 800);
  EXPECT_GT(ones, 200);
  EXPECT_GT(nearly, 100);
}

// 1 << shift against a product that is shifted right by as much.
TEST(Identities, MulMeetsItsShift) {
  int met = 0;
  for (const Case& generated : TwoThousand(Composition::kIdentities)) {
    const Program& program = generated.program;
    const OpApplication& op = program.ops.back();
    if (Origin(generated) != "identity/power-of-two" || op.op != OpKind::kMul) continue;
    const std::vector<const Tensor*> constants = ConstantsOf(program);
    const uint64_t shift = constants.back()->Bits(0);
    met += shift > 0 && std::any_of(constants.begin(), constants.end() - 1,
                                    [&](const Tensor* c) { return c->Bits(0) == uint64_t{1} << shift; })
               ? 1
               : 0;
  }
  EXPECT_GT(met, 0);
}

TEST(Composed, FiltersHoldForEveryOp) {
  const std::vector<std::vector<OpKind>> op_sets = {{OpKind::kAdd},
                                                    {OpKind::kAdd, OpKind::kCast},
                                                    {OpKind::kExp, OpKind::kLog},
                                                    {OpKind::kClz},
                                                    {OpKind::kIntdiv, OpKind::kGreater, OpKind::kSelect},
                                                    {}};
  const std::vector<std::vector<ElementType>> type_sets = {{}, {ElementType::kI32}, {ElementType::kF32}};
  for (const auto& ops : op_sets) {
    for (const auto& types : type_sets) {
      GeneratorOptions options;
      options.ops = ops;
      options.types = types;
      options.illegal_percent = options.beyond_spec_percent = 0;
      options.chain_percent = 40;
      options.graph_percent = 40;
      options.identity_percent = 20;
      options.runs = 1;
      if (!CheckOptions(options).ok()) continue;
      for (const Case& generated : Cases(24, 200, options)) {
        for (const OpApplication& op : generated.program.ops) {
          EXPECT_TRUE(ops.empty() || std::find(ops.begin(), ops.end(), op.op) != ops.end()) << Name(op.op);
          const ElementType input = InputElementType(generated.program, op);
          const ElementType result = op.result.element_type;
          EXPECT_TRUE(types.empty() || types[0] == input || types[0] == result) << CaseToText(generated);
        }
      }
    }
  }
}

TEST(Composed, WhereTheFilterLeavesNothingCasesArePlain) {
  GeneratorOptions options = Only(Composition::kIdentities);
  options.ops = {OpKind::kExp};
  for (const Case& generated : Cases(25, 100, options)) EXPECT_EQ(Origin(generated), "plain");
  options = Only(Composition::kChains);
  options.ops = {OpKind::kCast};
  options.types = {ElementType::kF8E4M3FN};
  for (const Case& generated : Cases(25, 100, options)) EXPECT_EQ(Origin(generated), "plain");
}

}  // namespace
}  // namespace tosaic
