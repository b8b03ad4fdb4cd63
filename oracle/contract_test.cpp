// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The RFC's examples of lowerings as literals, and each of them spoiled in one way per rule.
#include "oracle/contract.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "oracle/explain.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

using Lowered = LoweredValue::Kind;

TensorType Type(absl::string_view text) { return ParseTensorType(text).value(); }

// "d0 0": a result per word.
IndexingMap Map(absl::string_view text) {
  IndexingMap map;
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const bool is_loop = word[0] == 'd';
    map.push_back({is_loop ? MapResult::Kind::kLoop : MapResult::Kind::kConstant, word.back() - '0'});
  }
  return map;
}

// A lowered function, op by op.
struct Ir : LoweredIr {
  int Add(LoweredValue value) {
    values.push_back(std::move(value));
    return static_cast<int>(values.size()) - 1;
  }
  int Argument(int number, absl::string_view type) {
    return Add({.kind = Lowered::kArgument, .type = Type(type), .number = number});
  }
  int Index(int64_t number) { return Add({.kind = Lowered::kIndex, .number = number}); }
  int Dim(int tensor, int64_t dim) {
    const int index = Index(dim);
    return Add({.kind = Lowered::kDim, .operands = {tensor, index}});
  }
  int Max(int left, int right) { return Add({.kind = Lowered::kMax, .operands = {left, right}}); }
  int Empty(absl::string_view type, std::vector<int> sizes = {}) {
    return Add({.kind = Lowered::kEmpty, .operands = std::move(sizes), .type = Type(type)});
  }
  int Cast(int source, absl::string_view type) {
    return Add({.kind = Lowered::kCast, .operands = {source}, .type = Type(type)});
  }
  int Reshape(Lowered kind, int source, absl::string_view type, std::vector<std::vector<int>> groups) {
    return Add({.kind = kind, .operands = {source}, .type = Type(type), .groups = std::move(groups)});
  }
  // `inputs` inputs and an output; all loops are parallel.
  int Generic(std::vector<int> operands, const std::vector<absl::string_view>& maps,
              std::vector<std::string> payload = {"arith.addf"}) {
    tosaic::Generic generic;
    generic.inputs = static_cast<int>(operands.size()) - 1;
    for (absl::string_view map : maps) generic.maps.push_back(Map(map));
    generic.iterators.assign(generic.maps.back().size(), "parallel");
    for (const int operand : operands) {
      generic.payload.arguments.push_back(std::string(Name(values[operand].type->element_type)));
    }
    generic.payload.yields = {generic.payload.arguments.back()};
    generic.payload.ops = std::move(payload);
    const auto type = values[operands.back()].type;
    return Add(
        {.kind = Lowered::kGeneric, .operands = std::move(operands), .type = type, .generic = std::move(generic)});
  }
  // Repeats a dimension of `x` if it is 1.
  int Broadcast(int x, int64_t dim, absl::string_view type, const std::vector<int>& sizes, absl::string_view map,
                absl::string_view identity) {
    const int size = Dim(x, dim), one = Index(1);
    const int condition = Add({.kind = Lowered::kEqual, .operands = {size, one}});
    const int empty = Empty(type, sizes);
    int copy = Generic({x, empty}, {map, identity}, {});
    if (Type(type) != *values[x].type) copy = Cast(copy, ToString(*values[x].type));
    return Add({.kind = Lowered::kIf, .operands = {condition, copy, x}, .type = values[x].type});
  }
  Ir& Return(int value) {
    returned = {value};
    return *this;
  }
};

struct Lowering {
  Case test_case;
  Ir ir;
};

Lowering Of(absl::string_view signature, const std::function<int(Ir&)>& build) {
  Lowering example;
  example.test_case.program = ParseSignature(signature).value();
  const std::vector<TensorType>& arguments = example.test_case.program.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) example.ir.Argument(static_cast<int>(i), ToString(arguments[i]));
  const int result = build(example.ir);
  example.ir.Return(result);
  return example;
}

// Gives the arguments these sizes in one more run.
Lowering Running(Lowering example, const std::vector<std::vector<int64_t>>& sizes) {
  Run run;
  for (size_t i = 0; i < sizes.size(); ++i) {
    run.push_back(Tensor(example.test_case.program.arguments[i].element_type, sizes[i]));
  }
  example.test_case.runs.push_back(std::move(run));
  return example;
}

// ---- The RFC's examples ("Lowering strategy"), in its order; values 0, 1, 2 are the arguments ----

Lowering MatchingStatic() {
  return Of("add(tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>",
            [](Ir& ir) { return ir.Generic({0, 1, ir.Empty("tensor<3xf32>")}, {"d0", "d0", "d0"}); });
}
Lowering DynamicUnary() {
  return Running(Of("abs(tensor<?xf32>) -> tensor<?xf32>",
                    [](Ir& ir) {
                      const int size = ir.Dim(0, 0);
                      return ir.Generic({0, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0"});
                    }),
                 {{4}});
}
Lowering OneElement() {
  return Of("abs(tensor<1xf32>) -> tensor<1xf32>",
            [](Ir& ir) { return ir.Generic({0, ir.Empty("tensor<1xf32>")}, {"d0", "d0"}); });
}
Lowering Unranked() {
  return Of("abs(tensor<*xf32>) -> tensor<*xf32>", [](Ir&) { return 0; });
}
Lowering CastResult() {
  return Of("abs(tensor<5xf32>) -> tensor<?xf32>",
            [](Ir& ir) { return ir.Cast(ir.Generic({0, ir.Empty("tensor<5xf32>")}, {"d0", "d0"}), "tensor<?xf32>"); });
}
Lowering StaticBroadcast() {
  return Of("add(tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>",
            [](Ir& ir) { return ir.Generic({0, 1, ir.Empty("tensor<3xf32>")}, {"0", "d0", "d0"}); });
}
Lowering DynamicToStatic() {
  const Lowering example = Of("add(tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32>", [](Ir& ir) {
    const int x = ir.Broadcast(1, 0, "tensor<5xf32>", {}, "0", "d0");
    return ir.Generic({0, x, ir.Empty("tensor<5xf32>")}, {"d0", "d0", "d0"});
  });
  return Running(Running(example, {{5}, {1}}), {{5}, {5}});
}
Lowering StaticToDynamic() {
  return Running(Of("add(tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>",
                    [](Ir& ir) {
                      const int size = ir.Dim(1, 0);
                      return ir.Generic({0, 1, ir.Empty("tensor<?xf32>", {size})}, {"0", "d0", "d0"});
                    }),
                 {{1}, {3}});
}
Lowering AllDynamic() {
  const Lowering example = Of("add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>", [](Ir& ir) {
    const int size = ir.Max(ir.Dim(0, 0), ir.Dim(1, 0));
    const int x = ir.Broadcast(0, 0, "tensor<?xf32>", {size}, "0", "d0");
    const int y = ir.Broadcast(1, 0, "tensor<?xf32>", {size}, "0", "d0");
    return ir.Generic({x, y, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0", "d0"});
  });
  return Running(Running(Running(example, {{1}, {3}}), {{3}, {1}}), {{3}, {3}});
}
Lowering AllDynamic2d() {
  const Lowering example = Of("add(tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>", [](Ir& ir) {
    const int size0 = ir.Max(ir.Dim(0, 0), ir.Dim(1, 0)), size1 = ir.Max(ir.Dim(0, 1), ir.Dim(1, 1));
    std::vector<int> inputs;
    for (int argument : {0, 1}) {
      const int x = ir.Broadcast(argument, 0, "tensor<?x?xf32>", {size0, ir.Dim(argument, 1)}, "0 d1", "d0 d1");
      inputs.push_back(ir.Broadcast(x, 1, "tensor<?x?xf32>", {ir.Dim(x, 0), size1}, "d0 0", "d0 d1"));
    }
    inputs.push_back(ir.Empty("tensor<?x?xf32>", {size0, size1}));
    return ir.Generic(inputs, {"d0 d1", "d0 d1", "d0 d1"});
  });
  return Running(Running(example, {{1, 3}, {2, 1}}), {{2, 3}, {1, 1}});
}
Lowering Rank0() {
  return Of("add(tensor<f32>, tensor<f32>) -> tensor<f32>",
            [](Ir& ir) { return ir.Generic({0, 1, ir.Empty("tensor<f32>")}, {"", "", ""}); });
}
Lowering RankExpansion() {
  return Of("add(tensor<3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>", [](Ir& ir) {
    const int expanded = ir.Reshape(Lowered::kExpandShape, 0, "tensor<1x3x4xf32>", {{0, 1}, {2}});
    return ir.Generic({expanded, 1, ir.Empty("tensor<2x3x4xf32>")}, {"0 d1 d2", "d0 d1 d2", "d0 d1 d2"});
  });
}
Lowering Select() {
  return Of("select(tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>", [](Ir& ir) {
    const int size = ir.Max(ir.Max(ir.Dim(0, 1), ir.Dim(1, 1)), ir.Dim(2, 1));
    std::vector<int> operands;
    for (int argument : {0, 1, 2}) {
      const std::string type = ToString(*ir.values[argument].type);
      operands.push_back(ir.Broadcast(argument, 1, type, {size}, "d0 0", "d0 d1"));
    }
    operands.push_back(ir.Empty("tensor<2x?xf32>", {size}));
    return ir.Generic(operands, {"d0 d1", "d0 d1", "d0 d1", "d0 d1"}, {"arith.select"});
  });
}

const std::vector<std::pair<const char*, Lowering (*)()>> kRfcLowerings = {
    {"test_add_1d_matching_static", MatchingStatic},
    {"test_abs_1d_dynamic", DynamicUnary},
    {"test_abs_1d_cast_result", CastResult},
    {"test_add_1d_broadcast_static_to_static", StaticBroadcast},
    {"test_add_1d_broadcast_dynamic_to_static", DynamicToStatic},
    {"test_add_1d_broadcast_static_to_dynamic", StaticToDynamic},
    {"test_add_1d_all_dynamic", AllDynamic},
    {"test_add_2d_all_dynamic", AllDynamic2d},
    {"test_add_0d", Rank0},
    {"test_add_2d_different_ranks", RankExpansion},
    {"test_select_2d_one_dynamic", Select},
};

std::vector<RuleId> Rules(const Lowering& example) {
  std::vector<RuleId> rules;
  for (const Breach& breach : CheckContract(example.test_case, example.ir).breaches) {
    rules.push_back(breach.rule);
  }
  return rules;
}

TEST(ContractTest, TheRfcsExamplesKeepEveryRule) {
  for (const auto& [name, make] : kRfcLowerings) {
    const ContractCheck check = CheckContract(make().test_case, make().ir);
    for (const Breach& b : check.breaches) ADD_FAILURE() << name << ": " << b.rule << ": " << b.expected << b.actual;
    EXPECT_TRUE(check.notes.empty()) << name;
  }
}

// ---- One spoiled example per rule ----

struct Spoiled {
  RuleId rule;
  Lowering (*example)();
  void (*spoil)(Ir& ir);
};

LoweredValue& Last(Ir& ir, Lowered kind) {
  for (size_t i = ir.values.size(); i-- > 0;) {
    if (ir.values[i].kind == kind) return ir.values[i];
  }
  ADD_FAILURE() << "no " << Name(kind);
  return ir.values[0];
}
LoweredValue& Result(Ir& ir) { return ir.values[ir.returned[0]]; }
Generic& LastGeneric(Ir& ir) { return *Last(ir, Lowered::kGeneric).generic; }
// The linalg.generic of the first run-time broadcast.
LoweredValue& Copy(Ir& ir) {
  for (LoweredValue& value : ir.values) {
    if (value.kind == Lowered::kGeneric) return value;
  }
  return ir.values[0];
}

const Spoiled kSpoiled[] = {
    {RuleId::kContractLeftover, MatchingStatic,
     [](Ir& ir) { ir.Add({.kind = Lowered::kOther, .name = "tosa.reshape"}); }},
    {RuleId::kContractLeftover, MatchingStatic, [](Ir& ir) { LastGeneric(ir).payload.ops = {"tosa.rescale"}; }},
    {RuleId::kContractLeftover, MatchingStatic,
     [](Ir& ir) { ir.Add({.kind = Lowered::kOther, .name = "builtin.unrealized_conversion_cast"}); }},
    {RuleId::kContractResult, MatchingStatic, [](Ir& ir) { ir.returned = {}; }},
    {RuleId::kContractOperands, MatchingStatic, [](Ir& ir) { Result(ir).operands[0] = 1; }},
    {RuleId::kContractOperands, MatchingStatic, [](Ir& ir) { Result(ir).generic->inputs = 1; }},
    {RuleId::kContractFoldedExtents, AllDynamic, [](Ir& ir) { ir.returned = {0}; }},
    {RuleId::kContractUnranked, Unranked,
     [](Ir& ir) {
       const int generic = ir.Generic({ir.Cast(0, "tensor<3xf32>"), ir.Empty("tensor<3xf32>")}, {"d0", "d0"});
       ir.Return(ir.Cast(generic, "tensor<*xf32>"));
     }},
    {RuleId::kContractFoldedConstant, DynamicUnary,
     [](Ir& ir) { ir.Return(ir.Add({.kind = Lowered::kConstant, .type = Type("tensor<?xf32>")})); }},
    {RuleId::kContractFoldedValue, DynamicToStatic, [](Ir& ir) { ir.returned = {ir.Empty("tensor<5xf32>")}; }},
    {RuleId::kContractRuntimeBroadcastMissing, DynamicToStatic, [](Ir& ir) { Result(ir).operands[1] = 1; }},
    {RuleId::kContractRuntimeBroadcastMissing, AllDynamic, [](Ir& ir) { Result(ir).operands[0] = 0; }},
    {RuleId::kContractRuntimeBroadcastSuperfluous, DynamicUnary,
     [](Ir& ir) {
       const int size = ir.Dim(0, 0);
       const int x = ir.Broadcast(0, 0, "tensor<?xf32>", {size}, "0", "d0");
       ir.Return(ir.Generic({x, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0"}));
     }},
    {RuleId::kContractRuntimeBroadcastSuperfluous, StaticToDynamic,
     [](Ir& ir) {
       const int size = ir.Dim(1, 0);
       const int x = ir.Broadcast(1, 0, "tensor<?xf32>", {size}, "0", "d0");
       ir.Return(ir.Generic({0, x, ir.Empty("tensor<?xf32>", {size})}, {"0", "d0", "d0"}));
     }},
    {RuleId::kContractRuntimeBroadcastForm, AllDynamic,
     [](Ir& ir) {  // asks whether the dimension is 2
       for (LoweredValue& value : ir.values) {
         if (value.kind == Lowered::kEqual) ir.values[value.operands[1]].number = 2;
       }
     }},
    {RuleId::kContractRuntimeBroadcastForm, AllDynamic, [](Ir& ir) { Copy(ir).generic->payload.ops = {"arith.negf"}; }},
    {RuleId::kContractExtent, MatchingStatic,
     [](Ir& ir) {
       const int size = ir.Dim(0, 0);
       const int generic = ir.Generic({0, 1, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0", "d0"});
       ir.Return(generic);
     }},
    {RuleId::kContractExtent, AllDynamic,
     [](Ir& ir) { Last(ir, Lowered::kEmpty).operands[0] = ir.Dim(0, 0); }},  // of one operand where two may decide
    {RuleId::kContractExtent, StaticToDynamic, [](Ir& ir) { Last(ir, Lowered::kEmpty).operands[0] = ir.Dim(0, 0); }},
    {RuleId::kContractExtent, AllDynamic2d,
     [](Ir& ir) {  // the other dimension not kept in its intermediate state
       LoweredValue& empty = ir.values[Copy(ir).operands[1]];
       empty.operands[1] = ir.values[ir.values[ir.returned[0]].operands[2]].operands[1];
     }},
    {RuleId::kContractMap, StaticBroadcast, [](Ir& ir) { Result(ir).generic->maps[0] = Map("d0"); }},
    {RuleId::kContractMap, AllDynamic, [](Ir& ir) { Copy(ir).generic->maps[0] = Map("d0"); }},
    {RuleId::kContractMaterialised, StaticBroadcast,
     [](Ir& ir) {
       const int copy = ir.Generic({0, ir.Empty("tensor<3xf32>")}, {"0", "d0"}, {});
       ir.Return(ir.Generic({copy, 1, ir.Empty("tensor<3xf32>")}, {"d0", "d0", "d0"}));
     }},
    {RuleId::kContractCast, CastResult, [](Ir& ir) { ir.returned = Result(ir).operands; }},
    {RuleId::kContractCast, MatchingStatic, [](Ir& ir) { ir.Return(ir.Cast(ir.returned[0], "tensor<3xf32>")); }},
    {RuleId::kContractReshape, RankExpansion,
     [](Ir& ir) {
       Result(ir).operands[0] = 0;
       Result(ir).generic->maps[0] = Map("d1 d2");
     }},
    {RuleId::kContractReshape, StaticBroadcast,
     [](Ir& ir) {  // as before the RFC
       const int collapsed = ir.Reshape(Lowered::kCollapseShape, 0, "tensor<f32>", {});
       ir.Return(ir.Generic({collapsed, 1, ir.Empty("tensor<3xf32>")}, {"", "d0", "d0"}));
     }},
    {RuleId::kLinalgIterationSpace, MatchingStatic, [](Ir& ir) { ir.values[1].type = Type("tensor<2xf32>"); }},
    {RuleId::kLinalgIterationSpace, MatchingStatic,
     [](Ir& ir) { Result(ir).generic->maps = {Map("0"), Map("0"), Map("0")}; }},
    {RuleId::kLinalgReversibleMap, MatchingStatic, [](Ir& ir) { Result(ir).generic->maps[0] = Map("1"); }},
    {RuleId::kLinalgReversibleMap, AllDynamic2d, [](Ir& ir) { Result(ir).generic->maps[0] = Map("d1 d1"); }},
    {RuleId::kLinalgReversibleMap, StaticToDynamic, [](Ir& ir) { Result(ir).generic->maps[1] = Map("0"); }},
    {RuleId::kLinalgIterators, MatchingStatic, [](Ir& ir) { Result(ir).generic->iterators = {"reduction"}; }},
    {RuleId::kLinalgRegion, MatchingStatic, [](Ir& ir) { Result(ir).generic->payload.arguments[0] = "f64"; }},
    {RuleId::kLinalgRegion, MatchingStatic, [](Ir& ir) { Result(ir).generic->payload.yields = {"i1"}; }},
    {RuleId::kLinalgRegion, MatchingStatic, [](Ir& ir) { Result(ir).generic->payload.captures = {"tensor.extract"}; }},
    {RuleId::kLinalgWholeOutput, MatchingStatic, [](Ir& ir) { Result(ir).generic->maps[2] = Map("0"); }},
    {RuleId::kLinalgWholeOutput, MatchingStatic, [](Ir& ir) { Result(ir).generic->payload.reads_output = true; }},
    {RuleId::kLinalgWholeOutput, MatchingStatic, [](Ir& ir) { Result(ir).generic->payload.nested = true; }},
};

TEST(ContractTest, EveryRuleIsBrokenByASpoiledExample) {
  for (const Spoiled& spoiled : kSpoiled) {
    Lowering example = spoiled.example();
    spoiled.spoil(example.ir);
    const std::vector<RuleId> rules = Rules(example);
    const bool is_found = std::find(rules.begin(), rules.end(), spoiled.rule) != rules.end();
    EXPECT_TRUE(is_found) << spoiled.rule << ", found " << (rules.empty() ? RuleId::kNone : rules[0]);
    const bool is_about_linalg = FamilyOf(spoiled.rule) == RuleFamily::kLinalg;
    if (!is_about_linalg && is_found) EXPECT_EQ(rules[0], spoiled.rule) << "the one to report";
  }
}

TEST(ContractTest, ABreachOfBroadcastsSaysWhatIsThere) {
  const auto breach = [](Lowering example, void (*spoil)(Ir&)) {
    spoil(example.ir);
    const std::vector<Breach> breaches = CheckContract(example.test_case, example.ir).breaches;
    return breaches.empty() ? "" : absl::StrCat(breaches[0].expected, " | ", breaches[0].actual);
  };
  EXPECT_EQ(breach(DynamicUnary(),
                   [](Ir& ir) {
                     const int size = ir.Dim(0, 0);
                     const int x = ir.Broadcast(0, 0, "tensor<?xf32>", {size}, "0", "d0");
                     ir.Return(ir.Generic({x, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0"}));
                   }),
            "at run time: none | "
            "at run time: (operand 0, dimension 0); needless: (operand 0, dimension 0)");
  EXPECT_EQ(breach(DynamicToStatic(), [](Ir& ir) { Result(ir).operands[1] = 1; }),
            "at run time: (operand 1, dimension 0) | "
            "at run time: none; missing: (operand 1, dimension 0)");
}

// ---- Policies (docs/policies.md), each with its note ----

std::vector<RuleId> Notes(const Lowering& example) {
  const ContractCheck check = CheckContract(example.test_case, example.ir);
  for (const Breach& breach : check.breaches) ADD_FAILURE() << breach.rule << ": " << breach.actual;
  return check.notes;
}

TEST(ContractTest, AnOpMayBeFoldedToAnOperandThatDecidesItsExtents) {
  auto folded = [](absl::string_view signature) { return Of(signature, [](Ir&) { return 0; }); };
  EXPECT_EQ(Notes(folded("abs(tensor<?xf32>) -> tensor<?xf32>")), (std::vector<RuleId>{RuleId::kContractFolded}));
  EXPECT_EQ(Notes(folded("add(tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>")).size(), 1u);
  EXPECT_EQ(Notes(folded("add(tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>")).size(), 1u);
  EXPECT_EQ(Notes(folded("add(tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>")).size(), 1u) << "declared";
  EXPECT_EQ(Rules(folded("add(tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>"))[0], RuleId::kContractFoldedExtents);
  auto constant = [](absl::string_view type) {
    return Of(absl::StrCat("abs(tensor<2xf32>) -> ", type),
              [&](Ir& ir) { return ir.Add({.kind = Lowered::kConstant, .type = Type(type)}); });
  };
  EXPECT_EQ(Notes(constant("tensor<2xf32>")).size(), 1u);
  EXPECT_EQ(Rules(constant("tensor<?xf32>"))[0], RuleId::kContractFoldedConstant)
      << "no constant has a dynamic dimension";
  EXPECT_EQ(Rules(folded("add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"))[0], RuleId::kContractFoldedExtents);
}

// The freedoms that a policy leaves.
const Spoiled kAllowed[] = {
    {RuleId::kContractFolded, DynamicUnary, [](Ir& ir) { ir.returned = {0}; }},
    {RuleId::kContractCommuted, StaticBroadcast,
     [](Ir& ir) {
       std::swap(Result(ir).operands[0], Result(ir).operands[1]);
       std::swap(Result(ir).generic->maps[0], Result(ir).generic->maps[1]);
     }},
    {RuleId::kContractMapOfOne, OneElement, [](Ir& ir) { Result(ir).generic->maps[0] = Map("0"); }},
    {RuleId::kContractApplyScale, MatchingStatic,
     [](Ir& ir) { Result(ir).generic->payload.ops = {"tosa.apply_scale"}; }},
};

TEST(ContractTest, AFreedomIsANote) {
  for (const Spoiled& allowed : kAllowed) {
    Lowering example = allowed.example();
    allowed.spoil(example.ir);
    EXPECT_EQ(Notes(example), std::vector<RuleId>{allowed.rule});
  }
}

TEST(ContractTest, AStaticOneMayHaveEitherMapWhereTheResultIsOne) {
  const Lowering inferred = Of("abs(tensor<1xf32>) -> tensor<?xf32>", [](Ir& ir) {
    return ir.Cast(ir.Generic({0, ir.Empty("tensor<1xf32>")}, {"0", "d0"}), "tensor<?xf32>");
  });
  EXPECT_EQ(Notes(inferred), (std::vector<RuleId>{RuleId::kContractMapOfOne}));
  const Lowering declared = Of("add(tensor<1xf32>, tensor<?xf32>) -> tensor<1xf32>", [](Ir& ir) {
    const int size = ir.Dim(1, 0);
    return ir.Cast(ir.Generic({0, 1, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0", "d0"}), "tensor<1xf32>");
  });
  EXPECT_EQ(Notes(declared), (std::vector<RuleId>{RuleId::kContractMapOfOne}));
}

TEST(ContractTest, WhatIsKnownAtRunTimeAloneIsAnInput) {
  const auto mul = [](std::vector<int> inputs, std::vector<absl::string_view> maps) {
    return Of("mul(tensor<2x3xi32>, tensor<2x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>", [&](Ir& ir) {
      inputs.push_back(ir.Empty("tensor<2x3xi32>"));
      maps.insert(maps.begin(), {"d0 d1", "d0 d1"});
      maps.emplace_back("d0 d1");
      return ir.Generic(inputs, maps, {"arith.muli"});
    });
  };
  EXPECT_EQ(Rules(mul({0, 1}, {})), std::vector<RuleId>()) << "its values show whether it needs the shift";
  EXPECT_EQ(Rules(mul({0, 1, 2}, {"0"})), std::vector<RuleId>());
  EXPECT_EQ(Rules(mul({0, 1, 2}, {"d1"}))[0], RuleId::kContractMap);
  EXPECT_EQ(Rules(mul({0, 1, 1}, {"d0 d1"}))[0], RuleId::kContractOperands);
  const Lowering of_one = Of("mul(tensor<1xi32>, tensor<1xi32>, tensor<1xi8>) -> tensor<1xi32>", [](Ir& ir) {
    return ir.Generic({0, 1, 2, ir.Empty("tensor<1xi32>")}, {"d0", "d0", "d0", "d0"}, {"arith.muli"});
  });
  EXPECT_EQ(Notes(of_one), std::vector<RuleId>{RuleId::kContractMapOfOne}) << "the loop and 0 are one index";
  EXPECT_EQ(Rules(mul({0, 1, 2, 1}, {"0", "d0 d1"}))[0], RuleId::kContractOperands);
  Lowering constant = mul({0, 1, 2}, {"0"});
  Program& program = constant.test_case.program;
  program.ops[0].operands[2] = {ValueRef::Kind::kConstant, 0};
  program.constants.emplace_back(ElementType::kI8, std::vector<int64_t>{1});
  EXPECT_EQ(Rules(constant)[0], RuleId::kContractOperands);
}

TEST(ContractTest, CapturedConstantsAreAllowed) {
  Lowering example = MatchingStatic();
  Result(example.ir).generic->payload.captures = {"arith.constant"};
  EXPECT_TRUE(Rules(example).empty());
}

// ---- IR that later passes fold, and that has other linalg ops ----

// abs of abs, the first of which a cast opens: whoever folds has a number for each size, and for each condition.
TEST(ContractTest, SizesBelowACastMayBeFolded) {
  enum class Size : uint8_t { kOfCast, kOfSource, kNumber, kWrong };
  auto chain = [](Size asked) {
    Lowering example;
    example.test_case.program = ParseSignature("abs(tensor<1xf32>) -> tensor<?xf32>").value();
    Program& program = example.test_case.program;
    program.ops.push_back({OpKind::kAbs, {{ValueRef::Kind::kOp, 0}}, {}, Type("tensor<?xf32>")});
    program.results = {{ValueRef::Kind::kOp, 1}};
    Ir& ir = example.ir;
    ir.Argument(0, "tensor<1xf32>");
    const int first = ir.Generic({0, ir.Empty("tensor<1xf32>")}, {"d0", "d0"}, {"math.absf"});
    const int cast = ir.Cast(first, "tensor<?xf32>");
    const int size = asked == Size::kOfCast     ? ir.Dim(cast, 0)
                     : asked == Size::kOfSource ? ir.Dim(first, 0)
                                                : ir.Index(asked == Size::kNumber ? 1 : 2);
    ir.Return(ir.Generic({cast, ir.Empty("tensor<?xf32>", {size})}, {"d0", "d0"}, {"math.absf"}));
    return Rules(example);
  };
  EXPECT_EQ(chain(Size::kOfCast), std::vector<RuleId>());
  EXPECT_EQ(chain(Size::kOfSource), std::vector<RuleId>());
  EXPECT_EQ(chain(Size::kNumber), std::vector<RuleId>());
  EXPECT_EQ(chain(Size::kWrong), std::vector<RuleId>{RuleId::kContractExtent});
}

// add of an abs that a cast opens: is its size 1? `text` of the operand, and the condition as a number.
std::vector<RuleId> RulesOfFoldedCondition(absl::string_view text, int64_t condition, absl::string_view map) {
  Lowering example;
  Program& program = example.test_case.program;
  program = ParseSignature(absl::StrCat("abs(", text, ") -> tensor<?xf32>")).value();
  program.arguments.push_back(Type("tensor<3xf32>"));
  const ValueRef abs{ValueRef::Kind::kOp, 0}, other{ValueRef::Kind::kArgument, 1};
  program.ops.push_back({OpKind::kAdd, {abs, other}, {}, Type("tensor<3xf32>")});
  program.results = {{ValueRef::Kind::kOp, 1}};
  Ir& ir = example.ir;
  ir.Argument(0, text);
  ir.Argument(1, "tensor<3xf32>");
  const int first = ir.Generic({0, ir.Empty(text)}, {"d0", "d0"}, {"math.absf"});
  const int x = ir.Broadcast(ir.Cast(first, "tensor<?xf32>"), 0, "tensor<3xf32>", {}, map, "d0");
  ir.values[ir.values[x].operands[0]] = {.kind = Lowered::kIndex, .number = condition};
  ir.Return(ir.Generic({x, 1, ir.Empty("tensor<3xf32>")}, {"d0", "d0", "d0"}));
  return Rules(example);
}

TEST(ContractTest, AConditionMayBeFolded) {
  EXPECT_EQ(RulesOfFoldedCondition("tensor<1xf32>", 1, "0"), std::vector<RuleId>());
  EXPECT_EQ(RulesOfFoldedCondition("tensor<3xf32>", 0, "0"), std::vector<RuleId>());
  const std::vector<RuleId> form = {RuleId::kContractRuntimeBroadcastForm};
  EXPECT_EQ(RulesOfFoldedCondition("tensor<1xf32>", 0, "0"), form) << "it is 1";
  EXPECT_EQ(RulesOfFoldedCondition("tensor<3xf32>", 1, "0"), form) << "it is 3";
  EXPECT_EQ(RulesOfFoldedCondition("tensor<?xf32>", 1, "0"), form) << "nobody knows";
  EXPECT_EQ(RulesOfFoldedCondition("tensor<1xf32>", 1, "d0"), form) << "nothing is repeated";
}

// The run-time broadcast of dimension 0 as a linalg.broadcast, whose operand lacks that dimension. `made_one`: the type
// that is collapsed; `map`: where the result has the dimension that is left.
Lowering RepeatedByLinalgBroadcast(absl::string_view made_one, absl::string_view map) {
  return Of("add(tensor<?x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>", [&](Ir& ir) {
    const int size1 = ir.Max(ir.Dim(0, 1), ir.Dim(1, 1));
    const int size = ir.Dim(0, 0), one = ir.Index(1);
    const int is_one = ir.Add({.kind = Lowered::kEqual, .operands = {size, one}});
    const int row = ir.Reshape(Lowered::kCollapseShape, ir.Cast(0, made_one), "tensor<?xf32>", {{0, 1}});
    const int copy = ir.Generic({row, ir.Empty("tensor<4x?xf32>", {ir.Dim(0, 1)})}, {map, "d0 d1"}, {});
    const int repeated = ir.Cast(copy, "tensor<?x?xf32>");
    int x = ir.Add({.kind = Lowered::kIf, .operands = {is_one, repeated, 0}, .type = Type("tensor<?x?xf32>")});
    x = ir.Broadcast(x, 1, "tensor<?x?xf32>", {ir.Dim(x, 0), size1}, "d0 0", "d0 d1");
    const int y = ir.Broadcast(1, 1, "tensor<4x?xf32>", {size1}, "d0 0", "d0 d1");
    return ir.Generic({x, y, ir.Empty("tensor<4x?xf32>", {size1})}, {"d0 d1", "d0 d1", "d0 d1"});
  });
}

TEST(ContractTest, ALinalgBroadcastRepeatsAtRunTime) {
  EXPECT_EQ(Rules(RepeatedByLinalgBroadcast("tensor<1x?xf32>", "d1")), std::vector<RuleId>());
  EXPECT_EQ(Rules(RepeatedByLinalgBroadcast("tensor<1x?xf32>", "d0"))[0], RuleId::kContractMap) << "wrong dimension";
  EXPECT_EQ(Rules(RepeatedByLinalgBroadcast("tensor<?x1xf32>", "d1"))[0], RuleId::kContractMap) << "another is 1";
  EXPECT_EQ(Rules(RepeatedByLinalgBroadcast("tensor<?x?xf32>", "d1"))[0], RuleId::kContractRuntimeBroadcastForm)
      << "two dimensions become one";
  EXPECT_EQ(Rules(RepeatedByLinalgBroadcast("tensor<1x5xf32>", "d1"))[0], RuleId::kContractRuntimeBroadcastForm)
      << "5 is not known";
}

// An op may read an operand by way of linalg.broadcast, linalg.transpose or linalg.map, which copy it first.
TEST(ContractTest, ACopyOfAnOperandIsMaterialised) {
  auto reads = [](absl::string_view signature, absl::string_view type, const std::function<int(Ir&)>& operand,
                  absl::string_view map) {
    return Rules(Of(signature, [&](Ir& ir) {
      const int x = operand(ir);
      return ir.Generic({x, 1, ir.Empty(type)}, {map, "d0 d1", "d0 d1"});
    }))[0];
  };
  EXPECT_EQ(reads(
                "add(tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>", "tensor<3x3xf32>",
                [](Ir& ir) {
                  const int row = ir.Reshape(Lowered::kCollapseShape, 0, "tensor<3xf32>", {{0, 1}});
                  return ir.Generic({row, ir.Empty("tensor<3x3xf32>")}, {"d1", "d0 d1"}, {});
                },
                "d0 d1"),
            RuleId::kContractMaterialised)
      << "linalg.broadcast";
  EXPECT_EQ(reads(
                "add(tensor<3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>", "tensor<3x3xf32>",
                [](Ir& ir) { return ir.Generic({0, ir.Empty("tensor<3x3xf32>")}, {"d1", "d0 d1"}, {}); }, "d0 d1"),
            RuleId::kContractMaterialised)
      << "linalg.broadcast of another rank";
  EXPECT_EQ(reads(
                "add(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>", "tensor<2x3xf32>",
                [](Ir& ir) { return ir.Generic({0, ir.Empty("tensor<3x2xf32>")}, {"d1 d0", "d0 d1"}, {}); }, "d1 d0"),
            RuleId::kContractMaterialised)
      << "linalg.transpose, there and back";
}

// A copy yields what it reads: a constant, its own output or something computed is none.
TEST(ContractTest, WhatYieldsSomethingElseIsNoCopy) {
  void (*const kPayloads[])(Payload&) = {[](Payload& p) { p.ops = {"arith.negf"}; },
                                         [](Payload& p) { p.captures = {"arith.constant"}; },
                                         [](Payload& p) { p.reads_output = true; }};
  for (const auto spoil : kPayloads) {
    Lowering example = AllDynamic();
    spoil(Copy(example.ir).generic->payload);
    EXPECT_EQ(Rules(example)[0], RuleId::kContractRuntimeBroadcastForm);
  }
}

// ---- The combinations that the RFC calls incorrect, as they were lowered before it ----

TEST(ContractTest, TheRfcsIncorrectCombinationsHaveNoIterationSpace) {
  // <2x?>, <?x?>: d1 is 2n by the collapsed operand and n by the other.
  const Lowering first = Running(Of("add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
                                    [](Ir& ir) {
                                      const int size1 = ir.Dim(0, 1), size0 = ir.Dim(1, 0);
                                      const int empty = ir.Empty("tensor<?x?xf32>", {size0, size1});
                                      const int flat =
                                          ir.Reshape(Lowered::kCollapseShape, 0, "tensor<?xf32>", {{0, 1}});
                                      return ir.Generic({flat, 1, empty}, {"d1", "d0 d1", "d0 d1"});
                                    }),
                                 {{2, 3}, {2, 3}});
  // <2x2>, <?x?>: the tosa.reshape of four elements into one did not verify; what it was to feed.
  const Lowering second = Running(Of("add(tensor<2x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
                                     [](Ir& ir) {
                                       const int size0 = ir.Dim(1, 0), size1 = ir.Dim(1, 1);
                                       const int empty = ir.Empty("tensor<?x?xf32>", {size0, size1});
                                       const int flat =
                                           ir.Reshape(Lowered::kCollapseShape, 0, "tensor<4xf32>", {{0, 1}});
                                       return ir.Generic({flat, 1, empty}, {"d0", "d0 d1", "d0 d1"});
                                     }),
                                  {{2, 2}, {2, 2}});
  // <?x2>, <2x?>: d0 and d1 are 4 by the operands and 2 by the result.
  const Lowering third =
      Running(Of("add(tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>",
                 [](Ir& ir) {
                   const int size0 = ir.Dim(0, 0), size1 = ir.Dim(1, 1);
                   const int empty = ir.Empty("tensor<?x?xf32>", {size0, size1});
                   const int flat0 = ir.Reshape(Lowered::kCollapseShape, 0, "tensor<?xf32>", {{0, 1}});
                   const int flat1 = ir.Reshape(Lowered::kCollapseShape, 1, "tensor<?xf32>", {{0, 1}});
                   return ir.Generic({flat0, flat1, empty}, {"d0", "d1", "d0 d1"});
                 }),
              {{2, 2}, {2, 2}});
  for (const Lowering& example : {first, second, third}) {
    const LoweredSizes sizes = FollowSizes(example.ir, example.test_case.runs[0]);
    ASSERT_FALSE(sizes.breaches.empty());
    EXPECT_EQ(sizes.breaches[0].rule, RuleId::kLinalgIterationSpace) << sizes.breaches[0].actual;
    const std::vector<RuleId> rules = Rules(example);
    EXPECT_NE(std::find(rules.begin(), rules.end(), RuleId::kLinalgIterationSpace), rules.end());
  }
}

// <1x?>, <?x?> of the RFC's first version: right only where no `?` is 1 at run time beside a larger one.
TEST(ContractTest, TheRfcsCorrectCombinationsHaveNoRuntimeBroadcast) {
  const Lowering example = Of("add(tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>", [](Ir& ir) {
    const int size1 = ir.Dim(0, 1), size0 = ir.Dim(1, 0);
    return ir.Generic({0, 1, ir.Empty("tensor<?x?xf32>", {size0, size1})}, {"0 d1", "d0 d1", "d0 d1"});
  });
  EXPECT_EQ(Rules(example), (std::vector<RuleId>{RuleId::kContractRuntimeBroadcastMissing}));
  EXPECT_EQ(Rules(Running(example, {{1, 3}, {2, 3}})).size(), 1u) << "the sizes agree";
  EXPECT_EQ(Rules(Running(example, {{1, 3}, {2, 1}})).back(), RuleId::kLinalgIterationSpace) << "they do not";
}

// ---- Predictions ----

TEST(ContractTest, PredictsRuntimeBroadcasts) {
  constexpr std::pair<absl::string_view, absl::string_view> kRows[] = {
      {"abs(tensor<?xf32>) -> tensor<?xf32>", "none"},
      {"add(tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>", "none"},
      {"add(tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>", "none"},
      {"add(tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>", "none"},
      {"add(tensor<5xf32>, tensor<?xf32>) -> tensor<5xf32>", "(operand 1, dimension 0)"},
      {"add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>", "(operand 0, dimension 0), (operand 1, dimension 0)"},
      {"add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
       "(operand 0, dimension 1), (operand 1, dimension 0), (operand 1, dimension 1)"},
      {"add(tensor<?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>", "(operand 0, dimension 1)"},  // of equal ranks
      {"select(tensor<1xi1>, tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>", "none"},
      {"select(tensor<?xi1>, tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>",
       "(operand 0, dimension 0), (operand 1, dimension 0)"},
      {"mul(tensor<?xi32>, tensor<1xi32>, tensor<1xi8>) -> tensor<?xi32>", "none"},  // the shift takes no part
      {"add(tensor<*xf32>, tensor<?xf32>) -> tensor<?xf32>", "none"},
  };
  for (const auto& [signature, expected] : kRows) {
    const Program program = ParseSignature(signature).value();
    EXPECT_EQ(ToString(PredictRuntimeBroadcasts(program, program.ops[0])), expected) << signature;
  }
}

}  // namespace

std::set<RuleId> RulesOfLowerings() {
  std::set<RuleId> named;
  for (const absl::Span<const Spoiled> rows : {absl::MakeConstSpan(kSpoiled), absl::MakeConstSpan(kAllowed)}) {
    for (const Spoiled& row : rows) {
      Lowering example = row.example();
      row.spoil(example.ir);
      const ContractCheck check = CheckContract(example.test_case, example.ir);
      for (const Breach& breach : check.breaches) named.insert(breach.rule);
      named.insert(check.notes.begin(), check.notes.end());
    }
  }
  return named;
}

}  // namespace tosaic
