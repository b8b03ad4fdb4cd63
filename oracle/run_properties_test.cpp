// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linalg's properties in a run: observations that keep them, and the rule that each kind of damage breaks.
#include "oracle/run_properties.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/routes.h"
#include "oracle/explain.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

Tensor TensorOf(std::vector<int64_t> sizes, const std::vector<uint64_t>& bits) {
  Tensor tensor(E::kI32, std::move(sizes));
  for (size_t i = 0; i < bits.size(); ++i) tensor.SetBits(i, bits[i]);
  return tensor;
}

ResultObservation Returned(const Tensor& tensor) {
  ResultObservation result;
  result.tensor = tensor;
  return result;
}

MapResult Loop(int64_t number) { return {MapResult::Kind::kLoop, number}; }
constexpr MapResult kAlwaysZero = {MapResult::Kind::kConstant, 0};

// A row-major view of a buffer of its size.
LibraryView View(const Tensor& tensor, IndexingMap map, std::string region) {
  LibraryView view{.tensor = tensor, .map = std::move(map), .strides = {}, .region = std::move(region)};
  view.region_bytes = static_cast<int64_t>(tensor.bytes().size());
  int64_t stride = 1;
  for (size_t d = tensor.sizes().size(); d-- > 0; stride *= tensor.sizes()[d]) {
    view.strides.insert(view.strides.begin(), stride);
  }
  return view;
}

struct LibraryRun {
  Case test_case;
  RunObservation run;

  RunCheck Check() const { return CheckLibraryCalls(test_case, 0, run, Policies{}); }
  RuleId Rule() const {
    const RunCheck check = Check();
    return check.breach ? check.breach->rule : RuleId::kNone;
  }
};

LibraryCall CallOf(int op, std::vector<LibraryView> operands, LibraryView result) {
  return {.op = op, .computed = true, .operands = std::move(operands), .result = std::move(result)};
}

constexpr char kColumnAndRow[] = "sub(tensor<?x1xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>";

// {1, 2} as a column minus {10, 20} as a row: the column's 1 is static, the row is repeated at run time by a copy.
LibraryRun ColumnMinusRow() {
  const IndexingMap identity = {Loop(0), Loop(1)};
  LibraryRun example;
  example.test_case.program = ParseSignature(kColumnAndRow).value();
  const Tensor column = TensorOf({2, 1}, {31, 42}), row = TensorOf({1, 2}, {10, 20});
  const Tensor rows = TensorOf({2, 2}, {10, 20, 10, 20}), result = TensorOf({2, 2}, {21, 11, 32, 22});
  example.test_case.runs = {{column, row}};
  LibraryCall copy = CallOf(0, {View(row, {kAlwaysZero, Loop(1)}, "operand 1")}, View(rows, identity, "allocation 0"));
  copy.is_copy = true;
  example.run.results = {Returned(result)};
  example.run.library_calls = {
      copy, CallOf(0, {View(column, {Loop(0), kAlwaysZero}, "operand 0"), View(rows, identity, "allocation 0")},
                   View(result, identity, "allocation 1"))};
  return example;
}

LibraryCall& Main(RunObservation& run) { return run.library_calls[1]; }

// %0 = a + b, %1 = abs(%0); only the last is returned.
LibraryRun AbsOfSum() {
  const TensorType type{Shape({Dim::Dynamic()}), E::kI32};
  LibraryRun example;
  Program& program = example.test_case.program;
  program.arguments = {type, type};
  program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kArgument, 1}}, {}, type},
                 {OpKind::kAbs, {{Kind::kOp, 0}}, {}, type}};
  program.results = {{Kind::kOp, 1}};
  const Tensor a = TensorOf({2}, {1, 2}), b = TensorOf({2}, {3, 4}), sum = TensorOf({2}, {4, 6});
  example.test_case.runs = {{a, b}};
  example.run.results = {Returned(sum)};
  example.run.library_calls = {CallOf(0, {View(a, {Loop(0)}, "operand 0"), View(b, {Loop(0)}, "operand 1")},
                                      View(sum, {Loop(0)}, "allocation 0")),
                               CallOf(1, {View(sum, {Loop(0)}, "allocation 0")}, View(sum, {Loop(0)}, "allocation 1"))};
  return example;
}

struct Spoiling {
  const char* name;
  std::function<void(RunObservation&)> spoil;
  RuleId rule;
};

void ExpectRules(const LibraryRun& right, const std::vector<Spoiling>& rows) {
  EXPECT_EQ(right.Rule(), RuleId::kNone);
  EXPECT_TRUE(right.Check().notes.empty());
  for (const Spoiling& row : rows) {
    LibraryRun spoiled = right;
    row.spoil(spoiled.run);
    EXPECT_EQ(spoiled.Rule(), row.rule) << row.name;
  }
}

// Of ColumnMinusRow().
const std::vector<Spoiling>& SpoiledCalls() {
  static const std::vector<Spoiling> rows = {
      {"no call", [](RunObservation& run) { run.library_calls.pop_back(); }, RuleId::kLinalg5Call},
      {"nothing called at all", [](RunObservation& run) { run.library_calls.clear(); }, RuleId::kLinalg5Call},
      {"two calls", [](RunObservation& run) { run.library_calls.push_back(Main(run)); }, RuleId::kLinalg5Call},
      {"a call of no op", [](RunObservation& run) { run.library_calls[0].op = -1; }, RuleId::kLinalg5Call},
      {"a call of an op beyond", [](RunObservation& run) { run.library_calls[0].op = 1; }, RuleId::kLinalg5Call},
      {"the other operand's elements", [](RunObservation& run) { Main(run).operands[0].tensor.SetBits(1, 43); },
       RuleId::kLinalg5Operand},
      {"operands swapped",
       [](RunObservation& run) {
         std::swap(Main(run).operands[0], Main(run).operands[1]);
         for (size_t i = 0; i < 4; ++i) {
           Tensor& result = Main(run).result.tensor;
           result.SetBits(i, (0 - result.Bits(i)) & 0xffffffff);
         }
       },
       RuleId::kLinalg5Operand},
      {"an operand is missing", [](RunObservation& run) { Main(run).operands.pop_back(); }, RuleId::kLinalg5Operand},
      {"two operands too many", [](RunObservation& run) { Main(run).operands.resize(4, Main(run).operands[1]); },
       RuleId::kLinalg5Operand},
      {"another element type", [](RunObservation& run) { Main(run).operands[0].tensor = Tensor(E::kF32, {2, 1}); },
       RuleId::kLinalg5Operand},
      {"nothing computed", [](RunObservation& run) { Main(run).computed = false; }, RuleId::kLinalg5Operand},
      {"no broadcast at run time",
       [](RunObservation& run) {
         Main(run).operands[1] = run.library_calls[0].operands[0];
         Main(run).operands[1].map = {Loop(0), Loop(1)};
       },
       RuleId::kLinalg5Extents},
      {"a constant 0 where there is more than one element",
       [](RunObservation& run) { Main(run).operands[1].map[0] = kAlwaysZero; }, RuleId::kLinalg5Extents},
      {"a map that is neither a loop nor 0",
       [](RunObservation& run) { Main(run).operands[0].map[1] = {MapResult::Kind::kOther, 0}; },
       RuleId::kLinalg5Extents},
      {"a constant 1", [](RunObservation& run) { Main(run).operands[0].map[1].number = 1; }, RuleId::kLinalg5Extents},
      {"a copy of another extent", [](RunObservation& run) { run.library_calls[0].operands[0].map[0] = Loop(0); },
       RuleId::kLinalg5Extents},
      {"a view past its end", [](RunObservation& run) { Main(run).operands[0].strides[0] = 2; },
       RuleId::kLinalg5Buffer},
      {"a view before its beginning", [](RunObservation& run) { Main(run).operands[0].strides[0] = -1; },
       RuleId::kLinalg5Buffer},
      {"a view that begins outside", [](RunObservation& run) { Main(run).operands[0].offset = 4; },
       RuleId::kLinalg5Buffer},
      {"an operand in no buffer", [](RunObservation& run) { Main(run).operands[0].region = "unknown"; },
       RuleId::kLinalg5Buffer},
      {"a result in no buffer", [](RunObservation& run) { Main(run).result.region = "unknown"; },
       RuleId::kLinalg5Buffer},
      {"rows of the result on top of each other", [](RunObservation& run) { Main(run).result.strides = {0, 1}; },
       RuleId::kLinalg5Result},
      {"rows that overlap", [](RunObservation& run) { Main(run).result.strides = {1, 1}; }, RuleId::kLinalg5Result},
      {"a copy's rows on top of each other", [](RunObservation& run) { run.library_calls[0].result.strides = {0, 1}; },
       RuleId::kLinalg5Result}};
  return rows;
}

TEST(LibraryCalls, EachRuleIsBrokenByWhatItNames) { ExpectRules(ColumnMinusRow(), SpoiledCalls()); }

TEST(LibraryCalls, WhatADocumentDoesNotFixIsFree) {
  LibraryRun example = ColumnMinusRow();
  LibraryView& result = Main(example.run).result;
  result.strides = {1, 2};  // columns first
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  result.strides = {-2, 1};  // rows from the last
  result.offset = 8;
  EXPECT_EQ(example.Rule(), RuleId::kNone);
}

TEST(LibraryCalls, AResultOfOtherSizesThanItsOperandsGive) {
  LibraryRun example = AbsOfSum();
  LibraryCall& call = example.run.library_calls[1];
  call.operands[0] = View(TensorOf({1}, {4}), {kAlwaysZero}, "allocation 0");
  call.operands[0].region_bytes = 8;
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Operand);
  example = AbsOfSum();
  example.test_case.runs[0][0] = example.test_case.runs[0][1] = TensorOf({1}, {2});
  for (LibraryView& view : example.run.library_calls[0].operands) {
    view = View(TensorOf({1}, {2}), {kAlwaysZero}, view.region);
  }
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Result);
}

TEST(LibraryCalls, AnIntermediateIsWhatItsCallLeft) {
  ExpectRules(
      AbsOfSum(),
      {{"another value", [](RunObservation& run) { run.library_calls[1].operands[0].tensor.SetBits(0, 5); },
        RuleId::kLinalg5Operand},
       {"a call that is missing", [](RunObservation& run) { run.library_calls.erase(run.library_calls.begin()); },
        RuleId::kLinalg5Call}});
}

TEST(LibraryCalls, AnOpThatNobodyNeedsNeedsNoCall) {
  LibraryRun example = AbsOfSum();
  example.test_case.program.results = {{Kind::kOp, 0}};
  example.run.library_calls.pop_back();
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  EXPECT_TRUE(example.Check().notes.empty());
}

// The second a + b needs no call of its own; b + a and a - b do.
TEST(LibraryCalls, AnOpThatAnotherComputesNeedsNoCall) {
  LibraryRun example = AbsOfSum();
  Program& program = example.test_case.program;
  const TensorType type = program.arguments[0];
  program.ops[1] = program.ops[0];
  program.results = {{Kind::kOp, 1}};
  example.run.results[0].tensor = example.run.library_calls[0].result.tensor;
  example.run.library_calls.pop_back();
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  EXPECT_EQ(example.Check().notes, (std::vector<RuleId>{RuleId::kLinalg5Folded}));
  std::swap(program.ops[1].operands[0], program.ops[1].operands[1]);
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Call);
  program.ops[1] = {OpKind::kSub, program.ops[0].operands, {}, type};
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Call);
}

TEST(LibraryCalls, APassOfTheUsersMayLeaveNoCall) {
  LibraryRun example = AbsOfSum();
  example.run.library_calls.erase(example.run.library_calls.begin());
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Call);
  example.test_case.route = std::string(kCustomRoute);
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  example.run.library_calls.front().operands[0].tensor.SetBits(0, 77);
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Operand) << "the other op's call is judged";
}

TEST(LibraryCalls, AClampToAllValuesNeedsNoCall) {
  const auto rule = [](int32_t least, int32_t greatest) {
    LibraryRun example = AbsOfSum();
    Program& program = example.test_case.program;
    program.ops = {{OpKind::kClamp, {{Kind::kArgument, 0}}, {}, program.arguments[0]}};
    program.ops[0].attributes.min_val = {E::kI32, static_cast<uint32_t>(least)};
    program.ops[0].attributes.max_val = {E::kI32, static_cast<uint32_t>(greatest)};
    program.results = {{Kind::kOp, 0}};
    example.run.results[0].tensor = example.test_case.runs[0][0];
    example.run.library_calls.clear();
    return example.Rule();
  };
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min(), kGreatest = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(rule(kLeast, kGreatest), RuleId::kNone);
  EXPECT_EQ(rule(kLeast + 1, kGreatest), RuleId::kLinalg5Call);
  EXPECT_EQ(rule(kLeast, kGreatest - 1), RuleId::kLinalg5Call);
}

// %1 = abs(a + 0), and no call for the sum.
LibraryRun AbsOfFoldedSum() {
  LibraryRun example = AbsOfSum();
  Program& program = example.test_case.program;
  program.constants = {TensorOf({1}, {0})};
  program.ops[0].operands[1] = {Kind::kConstant, 0};
  program.arguments.pop_back();
  example.test_case.runs[0].pop_back();
  const Tensor a = TensorOf({2}, {1, 2});
  example.run.results[0].tensor = a;
  example.run.library_calls = {CallOf(1, {View(a, {Loop(0)}, "operand 0")}, View(a, {Loop(0)}, "allocation 1"))};
  return example;
}

TEST(LibraryCalls, AFoldedOpIsJudgedByWhatItsUserGets) {
  LibraryRun example = AbsOfFoldedSum();
  Program& program = example.test_case.program;
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  EXPECT_EQ(example.Check().notes, (std::vector<RuleId>{RuleId::kLinalg5Folded}));
  program.constants = {TensorOf({1}, {1})};
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Operand);
  program.constants = {TensorOf({3}, {0, 0, 0})};
  EXPECT_EQ(example.Rule(), RuleId::kLinalg5Operand);
}

TEST(LibraryCalls, AFoldedOpMayLeaveAConstant) {
  LibraryRun example = AbsOfSum();
  Program& program = example.test_case.program;
  program.ops[0] = {OpKind::kSub, {{Kind::kArgument, 0}, {Kind::kArgument, 0}}, {}, program.arguments[0]};
  const Tensor zeros = TensorOf({2}, {0, 0});
  example.run.library_calls = {CallOf(1, {View(zeros, {Loop(0)}, "unknown")}, View(zeros, {Loop(0)}, "allocation 1"))};
  EXPECT_EQ(example.Rule(), RuleId::kNone);
}

// constant + (a + 0), where the call has the sum first, which nobody computed: its sizes are the larger ones.
TEST(LibraryCalls, AFoldedOpMayComeInTheOtherOrder) {
  LibraryRun example = AbsOfFoldedSum();
  Program& program = example.test_case.program;
  program.constants.push_back(TensorOf({1}, {5}));
  program.ops[1].op = OpKind::kAdd;
  program.ops[1].operands = {{Kind::kConstant, 1}, {Kind::kOp, 0}};
  const Tensor a = TensorOf({2}, {1, 2}), sum = TensorOf({2}, {6, 7});
  example.run.results[0].tensor = sum;
  example.run.library_calls = {
      CallOf(1, {View(a, {Loop(0)}, "operand 0"), View(TensorOf({1}, {5}), {kAlwaysZero}, "unknown")},
             View(sum, {Loop(0)}, "allocation 1"))};
  EXPECT_EQ(example.Rule(), RuleId::kNone);
}

TEST(LibraryCalls, CommutativeOperandsMayComeInEitherOrder) {
  LibraryRun example = AbsOfSum();
  std::swap(example.run.library_calls[0].operands[0], example.run.library_calls[0].operands[1]);
  EXPECT_EQ(example.Rule(), RuleId::kNone);
  EXPECT_EQ(example.Check().notes, (std::vector<RuleId>{RuleId::kContractCommuted}));
}

// ---- Property 6 ----

RuleId StoreRule(const RunObservation& run, const char* signature = "abs(tensor<?xi32>) -> tensor<?xi32>") {
  const std::optional<Breach> breach = CheckStores(ParseSignature(signature).value(), run, /*may_reuse_buffers=*/false);
  return breach ? breach->rule : RuleId::kNone;
}

RunObservation StoredOnce() {
  RunObservation run;
  run.results = {Returned(TensorOf({2}, {1, 2}))};
  return run;
}

TEST(Stores, EachElementOfAResultIsStoredOnce) {
  EXPECT_EQ(StoreRule(StoredOnce()), RuleId::kNone);
  for (const uint64_t stores : {0, 2, 7}) {
    RunObservation run = StoredOnce();
    run.results[0].not_stored_once = {{1, stores}};
    EXPECT_EQ(StoreRule(run), RuleId::kLinalg6Once) << stores;
  }
}

TEST(Stores, WhatWasNeverWrittenIsJudgedElsewhere) {
  RunObservation run = StoredOnce();
  run.results[0].not_stored_once = {{1, 0}};
  run.results[0].unwritten = {1};
  run.uneven_stores = {{"allocation 0", 8, 4, 0, -1, 1}};
  EXPECT_EQ(StoreRule(run), RuleId::kNone);
  run.results[0].not_stored_once = {{0, 2}, {1, 0}};
  EXPECT_EQ(StoreRule(run), RuleId::kLinalg6Once);
}

TEST(Stores, OtherBuffersAreStoredOnceToo) {
  RunObservation run = StoredOnce();
  run.uneven_stores = {{"allocation 1", 8, 0, 4, 4, 2}};
  EXPECT_EQ(StoreRule(run), RuleId::kLinalg6Once);
  run.uneven_stores = {{"allocation 1", 8, 4, 0, -1, 1}};
  EXPECT_EQ(StoreRule(run), RuleId::kLinalg6Once);
  run.uneven_stores = {{"allocation 1", 8, 8, 0, -1, 0}};
  EXPECT_EQ(StoreRule(run), RuleId::kNone) << "a buffer that nobody writes";
}

// Two ops may write to one buffer, which may be larger than what it is the output of; a third store is of no op.
TEST(Stores, BuffersMayBeReusedWherePassesAreNotTheRoutes) {
  const Program two = AbsOfSum().test_case.program;
  ASSERT_EQ(two.ops.size(), 2u);
  const auto rule = [&](const RunObservation& run, bool may_reuse_buffers) {
    const std::optional<Breach> breach = CheckStores(two, run, may_reuse_buffers);
    return breach ? breach->rule : RuleId::kNone;
  };
  for (const uint64_t stores : {0, 2, 3}) {
    RunObservation run = StoredOnce();
    run.results[0].not_stored_once = {{1, stores}};
    EXPECT_EQ(rule(run, false), RuleId::kLinalg6Once) << stores;
    EXPECT_EQ(rule(run, true), stores == 2 ? RuleId::kNone : RuleId::kLinalg6Once) << stores;
  }
  for (const UnevenStores& buffer : {UnevenStores{"allocation 1", 8, 0, 4, 4, 2}, {"allocation 1", 8, 4, 0, -1, 1}}) {
    RunObservation run = StoredOnce();
    run.uneven_stores = {buffer};
    EXPECT_EQ(rule(run, false), RuleId::kLinalg6Once);
    EXPECT_EQ(rule(run, true), RuleId::kNone);
    run.uneven_stores[0].most = 3;
    EXPECT_EQ(rule(run, true), RuleId::kLinalg6Once);
  }
}

TEST(Stores, AnI48LeavesTwoBytesOfEight) {
  RunObservation run;
  run.results = {Returned(Tensor(E::kI48, {1}))};
  run.uneven_stores = {{"allocation 0", 8, 2, 0, -1, 1}};
  constexpr char kShift[] = "logical_left_shift(tensor<?xi48>, tensor<?xi48>) -> tensor<?xi48>";
  EXPECT_EQ(StoreRule(run, kShift), RuleId::kNone);
  run.uneven_stores = {{"allocation 0", 8, 2, 6, 0, 2}};
  EXPECT_EQ(StoreRule(run, kShift), RuleId::kLinalg6Once);
}

TEST(Stores, AnUnsignedBufferHasRoomToBeAligned) {
  RunObservation run;
  run.results = {Returned(Tensor(E::kUi8, {1}))};
  run.uneven_stores = {{"allocation 0", 2, 1, 0, -1, 1}};
  constexpr char kIdentity[] = "identity(tensor<?xui8>) -> tensor<?xui8>";
  EXPECT_EQ(StoreRule(run, kIdentity), RuleId::kNone);
  run.uneven_stores = {{"allocation 0", 2, 1, 1, 0, 2}};
  EXPECT_EQ(StoreRule(run, kIdentity), RuleId::kLinalg6Once);
}

}  // namespace

std::set<RuleId> RulesOfLibraryCalls() {
  std::set<RuleId> named;
  for (const Spoiling& row : SpoiledCalls()) {
    LibraryRun spoiled = ColumnMinusRow();
    row.spoil(spoiled.run);
    named.insert(spoiled.Rule());
  }
  for (const RuleId note : AbsOfFoldedSum().Check().notes) named.insert(note);
  RunObservation twice = StoredOnce();
  twice.results[0].not_stored_once = {{1, 2}};
  named.insert(StoreRule(twice));
  return named;
}

}  // namespace tosaic
