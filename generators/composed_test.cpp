// Chains, graphs and identities: what GenerateCase makes of them, over many seeds.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/chains.h"
#include "generators/element_bits.h"
#include "generators/generator.h"
#include "generators/graph.h"
#include "generators/identities.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

std::string Text(absl::string_view view) { return std::string(view.data(), view.size()); }

enum class What { kChains, kGraphs, kIdentities };

GeneratorOptions Only(What what) {
  GeneratorOptions options;
  options.illegal_percent = options.beyond_spec_percent = 0;
  options.chain_percent = what == What::kChains ? 100 : 0;
  options.graph_percent = what == What::kGraphs ? 100 : 0;
  options.identity_percent = what == What::kIdentities ? 100 : 0;
  return options;
}

std::vector<Case> Cases(uint64_t seed, uint64_t count, const GeneratorOptions& options) {
  std::vector<Case> cases;
  for (uint64_t i = 0; i < count; ++i) cases.push_back(GenerateCase(seed, i, options));
  return cases;
}

const std::vector<Case>& TwoThousand(What what) {
  static auto& all = *new std::map<What, std::vector<Case>>;
  if (all.count(what) == 0) all[what] = Cases(21, 2000, Only(what));
  return all[what];
}

// "chain/clamp-clamp", "graph".
std::string Origin(const Case& generated) { return generated.origin.substr(generated.origin.find("intent=") + 7); }

// The sizes that every op of a run has; a failure if operands do not broadcast, or a declared type does not admit them.
std::vector<std::vector<int64_t>> SizesOfOps(const Case& generated, const Run& run) {
  std::vector<std::vector<int64_t>> ops;
  for (const OpApplication& op : generated.program.ops) {
    std::vector<int64_t> result;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const ValueRef ref = op.operands[k];
      const std::vector<int64_t> sizes = ref.kind == Kind::kOp         ? ops[ref.index]
                                         : ref.kind == Kind::kArgument ? run[ref.index].sizes()
                                                                       : generated.program.constants[ref.index].sizes();
      if (k == 0) result.assign(sizes.size(), 1);
      EXPECT_EQ(sizes.size(), result.size());
      for (size_t d = 0; d < sizes.size(); ++d) {
        EXPECT_TRUE(sizes[d] == 1 || result[d] == 1 || sizes[d] == result[d]) << CaseToText(generated);
        result[d] = std::max(result[d], sizes[d]);
      }
    }
    EXPECT_TRUE(Admits(op.result.shape, result)) << CaseToText(generated);
    ops.push_back(std::move(result));
  }
  return ops;
}

TEST(Composed, IsWellFormedBoundedAndFits) {
  for (What what : {What::kChains, What::kGraphs, What::kIdentities}) {
    for (const Case& generated : TwoThousand(what)) {
      ASSERT_TRUE(CheckWellFormed(generated).ok()) << CheckWellFormed(generated).ToString();
      EXPECT_LE(generated.program.arguments.size(), 14u);  // the executor has 16 slots
      for (const auto& run : generated.runs) {
        for (const auto& sizes : SizesOfOps(generated, run)) ASSERT_LE(ElementCount(sizes), 4096);
      }
    }
  }
}

TEST(Composed, MaxElementsHolds) {
  for (What what : {What::kChains, What::kGraphs, What::kIdentities}) {
    GeneratorOptions options = Only(what);
    options.max_elements = 10;
    for (const Case& generated : Cases(22, 500, options)) {
      for (const Tensor& constant : generated.program.constants) ASSERT_LE(constant.element_count(), 10u);
      for (const auto& run : generated.runs) {
        for (const auto& sizes : SizesOfOps(generated, run)) ASSERT_LE(ElementCount(sizes), 10);
      }
    }
  }
}

TEST(Composed, HalfReturnsEverythingAndHalfTheLastValue) {
  int all = 0, last = 0, several = 0;
  for (const Case& generated : TwoThousand(What::kGraphs)) {
    const Program& program = generated.program;
    ASSERT_EQ(program.results.back(), (ValueRef{Kind::kOp, static_cast<int>(program.ops.size()) - 1}));
    all += program.results.size() == program.ops.size() ? 1 : 0;
    last += program.results.size() == 1 ? 1 : 0;
    ++several;
  }
  EXPECT_EQ(all + last, several);
  EXPECT_NEAR(all, several / 2, several / 20);
}

TEST(Composed, ForTheValidatorHalfIsStatic) {
  GeneratorOptions options = Only(What::kGraphs);
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

TEST(Chains, EachAppears) {
  std::map<std::string, int> seen;
  for (const Case& generated : TwoThousand(What::kChains)) ++seen[Origin(generated)];
  for (const Chain& chain : AllChains()) EXPECT_GT(seen["chain/" + Text(chain.name)], 100) << chain.name;
  EXPECT_EQ(seen.size(), AllChains().size());
}

// The ranges of clamp-clamp stand to each other in every way, in both orders.
TEST(Chains, ClampRangesAreDisjointTouchOverlapAndNest) {
  std::set<std::string> ways;
  for (const Case& generated : TwoThousand(What::kChains)) {
    if (Origin(generated) != "chain/clamp-clamp") continue;
    ASSERT_EQ(generated.program.ops.size(), 2u);
    const Attributes& first = generated.program.ops[0].attributes;
    const Attributes& second = generated.program.ops[1].attributes;
    const ElementType type = first.min_val->type;
    auto less = [&](const auto& a, const auto& b) { return LessValue(type, a->bits, b->bits); };
    ASSERT_FALSE(less(first.max_val, first.min_val) || less(second.max_val, second.min_val));
    if (less(first.max_val, second.min_val)) ways.insert("below");
    if (less(second.max_val, first.min_val)) ways.insert("above");
    if (first.max_val == second.min_val && less(second.min_val, second.max_val)) ways.insert("touches below");
    if (second.max_val == first.min_val && less(second.min_val, second.max_val)) ways.insert("touches above");
    if (less(first.min_val, second.min_val) && less(second.max_val, first.max_val)) ways.insert("outside");
    if (less(second.min_val, first.min_val) && less(first.max_val, second.max_val)) ways.insert("inside");
    if (less(first.min_val, second.min_val) && less(second.min_val, first.max_val) &&
        less(first.max_val, second.max_val)) {
      ways.insert("overlaps");
    }
  }
  EXPECT_EQ(ways.size(), 7u);
}

TEST(Graphs, HaveTwoToEightOpsAndAllCountsAppear) {
  std::map<size_t, int> counts;
  for (const Case& generated : TwoThousand(What::kGraphs)) ++counts[generated.program.ops.size()];
  EXPECT_EQ(counts.begin()->first, 2u);
  EXPECT_EQ(counts.rbegin()->first, static_cast<size_t>(kMostGraphOps));
  EXPECT_EQ(counts.size(), static_cast<size_t>(kMostGraphOps) - 1);
}

TEST(Graphs, ShareValuesMixTypesAndBroadcastAtSeveralPlaces) {
  int shared = 0, mixed = 0, broadcasts = 0, comparisons = 0, declared_otherwise = 0;
  std::set<OpKind> ops;
  for (const Case& generated : TwoThousand(What::kGraphs)) {
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
        compared |= ref.kind == Kind::kOp && TypeOf(program, ref).element_type == ElementType::kI1;
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
  EXPECT_GT(broadcasts, 3000);  // of 16,000 runs
}

// What can trap on an intermediate never gets one; nor what shifts by it.
TEST(Graphs, DivisorsAndShiftAmountsAreNoIntermediates) {
  for (What what : {What::kChains, What::kGraphs}) {
    for (const Case& generated : TwoThousand(what)) {
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
  int weakened = 0, dynamic = 0, ones = 0;
  for (const Case& generated : TwoThousand(What::kIdentities)) {
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
      const uint64_t bits = constant->Bits(0);
      bool splat = true;
      for (size_t i = 0; i < constant->element_count(); ++i) splat &= constant->Bits(i) == bits;
      const bool is_power = name == "power-of-two" && bits != 0 && (bits & (bits - 1)) == 0;
      found |= splat && (is_power || bits == identity->bits(constant->element_type()));
      ones += constant->element_count() == 1 && constant->sizes().size() > 1 ? 1 : 0;
    }
    EXPECT_TRUE(found) << CaseToText(generated);
  }
  for (const Identity& identity : AllIdentities()) EXPECT_GT(seen[Text(identity.name)], 50) << identity.name;
  EXPECT_EQ(seen.size(), AllIdentities().size());
  EXPECT_GT(weakened, 200);
  EXPECT_GT(dynamic, 1000);
  EXPECT_GT(ones, 300);
}

// 1 << shift against a product that is shifted right by as much.
TEST(Identities, MulMeetsItsShift) {
  int met = 0;
  for (const Case& generated : TwoThousand(What::kIdentities)) {
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
  GeneratorOptions options = Only(What::kIdentities);
  options.ops = {OpKind::kExp};
  for (const Case& generated : Cases(25, 100, options)) EXPECT_EQ(Origin(generated), "plain");
  options = Only(What::kChains);
  options.ops = {OpKind::kEqual};
  for (const Case& generated : Cases(25, 100, options)) EXPECT_EQ(Origin(generated), "plain");
}

}  // namespace
}  // namespace tosaic
