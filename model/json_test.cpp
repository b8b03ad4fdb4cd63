// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/json.h"

#include <functional>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "model/verdict.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

Case Valid() {
  Case test_case;
  test_case.origin = "seed 1, case 2";
  Program& program = test_case.program;
  program.arguments = {{Shape({Dim::Dynamic(), Dim::Static(2)}), ElementType::kF32},
                       {Shape::Unranked(), ElementType::kF32}};
  program.constants = {Tensor(ElementType::kF32, {1, 2})};
  const TensorType result{Shape({Dim::Dynamic(), Dim::Static(2)}), ElementType::kF32};
  Attributes clamp;
  clamp.min_val = TypedBits{ElementType::kF32, 0xbf800000};
  clamp.max_val = TypedBits{ElementType::kF32, 0x3f800000};
  clamp.nan_mode = NanMode::kIgnore;
  program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kConstant, 0}}, {}, result},
                 {OpKind::kMaximum, {{Kind::kOp, 0}, {Kind::kArgument, 1}}, {}, result},
                 {OpKind::kClamp, {{Kind::kOp, 1}}, clamp, result}};
  program.results = {{Kind::kOp, 2}, {Kind::kOp, 0}};
  test_case.runs = {{TensorFromHex(ElementType::kF32, {2, 2}, "7fc00001 80000000 00000001 ff800000").value(),
                     TensorFromHex(ElementType::kF32, {1, 2}, "3f800000 bf800000").value()}};
  return test_case;
}

TEST(CaseJson, RoundTrips) {
  const Case original = Valid();
  const std::string text = CaseToText(original);
  const absl::StatusOr<Case> read = CaseFromText(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, original);
  EXPECT_EQ(CaseToText(*read), text);
  EXPECT_EQ(text.back(), '\n');
}

// Spoils a valid document and expects an error that contains `message`.
struct BadCase {
  std::function<void(Json&)> spoil;
  const char* message;
};

TEST(CaseJson, SaysWhereAndWhatIsWrong) {
  for (const BadCase& bad : {
           BadCase{[](Json& j) { j = 7; }, "case: an object is needed here"},
           BadCase{[](Json& j) { j = Json::array(); }, "case: an object is needed here"},
           BadCase{[](Json& j) { j.erase("tosaic_case"); }, "case: the key \"tosaic_case\" is missing"},
           BadCase{[](Json& j) { j["tosaic_case"] = 2; }, "tosaic_case: format version 2; this build reads up to 1"},
           BadCase{[](Json& j) { j["tosaic_case"] = "1"; }, "tosaic_case: an integer is needed here"},
           BadCase{[](Json& j) { j.erase("route"); }, "the key \"route\" is missing"},
           BadCase{[](Json& j) { j["origin"] = 1; }, "origin: a string is needed here"},
           BadCase{[](Json& j) { j.erase("program"); }, "case: the key \"program\" is missing"},
           BadCase{[](Json& j) { j["program"]["ops"][1].erase("result"); }, "program.ops[1]: the key \"result\""},
           BadCase{[](Json& j) { j["program"]["ops"] = Json::object(); }, "program.ops: an array is needed here"},
           BadCase{[](Json& j) { j["program"]["ops"] = Json::array(); }, "program.ops: at least one op is needed"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["op"] = "conv2d"; },
                   "program.ops[0].op: \"conv2d\" is not a known op"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["op"] = {1}; }, "program.ops[0].op: a string is needed here"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["operands"][0] = "arg0"; }, "'arg0' names no value"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["operands"][0] = "%arg"; }, "'%arg' names no value"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["operands"][0] = "%arg-1"; }, "program.ops[0].operands"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["operands"][0] = "%99999999999"; }, "names no value"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["attributes"] = 3; }, "attributes: an object is needed here"},
           BadCase{[](Json& j) { j["program"]["ops"][2]["attributes"]["nan_mode"] = "X"; }, "neither PROPAGATE nor"},
           BadCase{[](Json& j) { j["program"]["ops"][2]["attributes"]["min_val"]["bits"] = "0x-1"; }, "'0x-1' is not"},
           BadCase{[](Json& j) { j["program"]["ops"][2]["attributes"]["min_val"]["bits"] = "0x1ffffffff"; },
                   "min_val.bits: '0x1ffffffff' is not a bit pattern of f32"},
           BadCase{[](Json& j) { j["program"]["ops"][2]["attributes"]["round"] = 1; }, "true or false is needed"},
           BadCase{[](Json& j) { j["program"]["arguments"][0] = "tensor<f33>"; },
                   "program.arguments[0]: 'tensor<f33>' is not a tensor type"},
           BadCase{[](Json& j) { j["runs"][0][1]["data"] = "3f800000"; },
                   "runs[0][1].data: the data has 1 element, the sizes (1x2) call for 2"},
           BadCase{[](Json& j) { j["runs"][0][1]["data"] = "3f800000 zz800000"; }, "runs[0][1].data: element 1"},
           BadCase{[](Json& j) { j["runs"][0][1]["type"] = "f33"; }, "runs[0][1].type: \"f33\" is not an element type"},
           BadCase{[](Json& j) { j["runs"][0][1]["shape"] = {1000000, 1000000}; },
                   "runs[0][1].data: the data has 2 elements"},
           BadCase{[](Json& j) { j["runs"][0][1]["shape"] = {int64_t{1} << 62, 4}; },
                   "runs[0][1].data: the data has 2 elements"},
           BadCase{[](Json& j) { j["runs"][0][1]["shape"] = {-1, -2}; }, "a size is not negative"},
           BadCase{[](Json& j) { j["runs"][0][1]["shape"] = {~uint64_t{0}}; }, "runs[0][1].shape[0]"},
           BadCase{[](Json& j) { j["runs"][0][1]["shape"] = {1.5}; }, "an integer is needed here"},
           BadCase{[](Json& j) { j["rout"] = "loops"; }, "case: the key \"rout\" is none of tosaic_case, origin"},
           BadCase{[](Json& j) { j["program"]["op"] = 1; }, "program: the key \"op\" is none of arguments"},
           BadCase{[](Json& j) { j["program"]["ops"][0]["atributes"] = 1; }, "program.ops[0]: the key \"atributes\""},
           BadCase{[](Json& j) { j["program"]["ops"][2]["attributes"]["nanmode"] = "IGNORE"; },
                   "attributes: the key \"nanmode\" is none of min_val, max_val, nan_mode, round"},
           BadCase{[](Json& j) { j["runs"][0][0]["values"] = "1"; }, "runs[0][0]: the key \"values\" is none of type"},
           BadCase{[](Json& j) { j["runs"][0].erase(1); }, "runs[0]: 1 tensors, but the program has 2 arguments"},
       }) {
    Json json = ToJson(Valid());
    bad.spoil(json);
    const absl::StatusOr<Case> read = CaseFromText(Dump(json, 2));
    ASSERT_FALSE(read.ok()) << json.dump(2);
    EXPECT_TRUE(absl::StrContains(read.status().message(), bad.message)) << bad.message << "\n  " << read.status();
    EXPECT_FALSE(absl::StrContains(read.status().message(), "\n")) << read.status();
  }
}

TEST(CaseJson, RefusesWhatIsNotJson) {
  const std::string text = CaseToText(Valid());
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("\xff\xfe"), text.substr(0, 200), text + "}"}) {
    EXPECT_TRUE(absl::StartsWith(CaseFromText(bad).status().message(), "not a JSON document")) << bad;
  }
}

TEST(CaseJson, SurvivesDeepNesting) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_EQ(CaseFromText(deep).status().message(), "JSON nested deeper than 64");
  EXPECT_TRUE(ParseJson(R"(["[[[\"[[[", {}])").ok());
  std::string text = CaseToText(Valid());
  const size_t at = text.find("\"add\"");
  EXPECT_FALSE(CaseFromText(text.substr(0, at) + deep + text.substr(at + 5)).ok());
}

// Flips, deletes, inserts and doubles bytes: nothing may crash, and what is read is well-formed and written back.
TEST(CaseJson, SurvivesDamage) {
  const std::string text = CaseToText(Valid());
  uint64_t state = 1;
  auto next = [&](uint64_t limit) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % limit;
  };
  constexpr absl::string_view kBytes = "0123456789-?*x%{}[]\",:.eftn \\\xff";
  int read_again = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (uint64_t edits = 1 + next(2); edits > 0; --edits) {
      const size_t at = next(damaged.size());
      const uint64_t kind = next(5);
      if (kind == 0) damaged[at] = static_cast<char>(damaged[at] ^ (1 << next(8)));
      if (kind == 1) damaged.erase(at, 1 + next(4));
      if (kind == 2) damaged.insert(at, 1, kBytes[next(kBytes.size())]);
      if (kind == 3) damaged[at] = kBytes[next(kBytes.size())];
      if (kind == 4) damaged.insert(at, damaged.substr(next(damaged.size()), next(12)));
    }
    const absl::StatusOr<Case> read = CaseFromText(damaged);
    if (!read.ok()) continue;
    ++read_again;
    EXPECT_TRUE(CheckWellFormed(*read).ok()) << damaged;
    const absl::StatusOr<Case> again = CaseFromText(CaseToText(*read));
    ASSERT_TRUE(again.ok()) << again.status() << damaged;
    EXPECT_EQ(*again, *read) << damaged;
  }
  EXPECT_GT(read_again, 100);
}

Observation Observed() {
  Observation observation;
  observation.outcome = Outcome::kMemoryFault;
  observation.stage = Stage::kExecute;
  observation.pass = "convert-x";
  observation.signal = 11;
  observation.diagnostics = {"a \"quoted\"\nline", "second"};
  observation.inferred = {TensorType{Shape({Dim::Static(2), Dim::Dynamic()}), ElementType::kBF16}, std::nullopt,
                          TensorType{Shape::Unranked(), ElementType::kI4}};
  ResultObservation result;
  result.tensor = Tensor(ElementType::kI1, {2});
  result.tensor.mutable_bytes() = {0xa5, 0x01};
  result.unwritten = {1};
  result.not_stored_once = {{0, 2}, {1, 0}};
  RunObservation run;
  run.results = {result};
  run.leaked_buffers = 3;
  run.uneven_stores = {{"allocation 1", 8, 2, 3, 4, 2}};
  LibraryView view{.tensor = Tensor(ElementType::kI1, {2}),
                   .map = {{MapResult::Kind::kConstant, 0}},
                   .strides = {-1},
                   .region = "operand 0",
                   .offset = 1,
                   .region_bytes = 2};
  view.tensor.mutable_bytes() = {0x5c, 0x00};
  LibraryView other = view;
  other.region = "allocation 2";
  run.library_calls = {{.op = 1, .is_copy = true, .computed = true, .operands = {view}, .result = other},
                       {.op = -1, .operands = {}, .result = view}};
  observation.runs = {run};
  observation.calls_library = true;
  observation.extracts = true;
  observation.fault = MemoryFault{true, "operand 1", -4, 16};
  using Kind = LoweredValue::Kind;
  LoweredIr ir;
  ir.values = {{.kind = Kind::kArgument, .type = observation.inferred[0], .number = 1},
               {.kind = Kind::kCollapseShape, .operands = {0}, .type = observation.inferred[2], .groups = {{0, 1}, {}}},
               {.kind = Kind::kOther, .operands = {0, 1}, .name = "tosa.abs"},
               {.kind = Kind::kGeneric, .operands = {0, 1}}};
  ir.values[3].generic =
      Generic{.inputs = 1,
              .iterators = {"parallel", "reduction"},
              .maps = {{{MapResult::Kind::kLoop, 1}, {MapResult::Kind::kConstant, 0}}, {{MapResult::Kind::kOther, 0}}},
              .payload = {.arguments = {"f32", "i1"},
                          .yields = {"i1"},
                          .ops = {"arith.cmpf"},
                          .captures = {"argument"},
                          .nested = true,
                          .reads_output = true}};
  ir.returned = {3, 2};
  observation.lowered = ir;
  return observation;
}

TEST(ObservationJson, RoundTripsWithRawBytes) {
  const Json json = Json::parse(Dump(ToJson(Observed()), -1));
  const absl::StatusOr<Observation> read = FromJson<Observation>(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, Observed());
  EXPECT_EQ(read->runs[0].results[0].tensor.RawBits(0), 0xa5u);
}

TEST(ObservationJson, RoundTripsEveryOutcomeAndStage) {
  for (int i = 0; i <= static_cast<int>(Outcome::kToolFailure); ++i) {
    for (int s = 0; s <= static_cast<int>(Stage::kExecute); ++s) {
      Observation observation;
      observation.outcome = static_cast<Outcome>(i);
      observation.stage = static_cast<Stage>(s);
      EXPECT_EQ(FromJson<Observation>(ToJson(observation)).value(), observation);
    }
  }
}

TEST(ObservationJson, SaysWhatIsWrong) {
  for (const BadCase& bad : {
           BadCase{[](Json& j) { j = 1; }, "an object is needed"},
           BadCase{[](Json& j) { j.erase("inferred"); }, "the key \"inferred\" is missing"},
           BadCase{[](Json& j) { j["inferred"] = "text"; }, "inferred: an array is needed"},
           BadCase{[](Json& j) { j["inferred"][2] = 1; }, "inferred[2]: a string is needed"},
           BadCase{[](Json& j) { j["outcome"] = "won"; }, "outcome: \"won\" is not an outcome"},
           BadCase{[](Json& j) { j["fault"] = 1; }, "fault: an object is needed"},
           BadCase{[](Json& j) { j["lowered"]["returned"] = {4}; }, "lowered.returned: refers to no earlier value"},
           BadCase{[](Json& j) { j["lowered"]["values"][1]["operands"] = {1}; }, "refers to no earlier value"},
           BadCase{[](Json& j) { j["lowered"]["values"][1]["kind"] = "tosa"; }, "\"tosa\" is not a kind of value"},
           BadCase{[](Json& j) { j["runs"][0]["results"][0]["bytes"] = "a5"; }, "the byte count does not fit"},
           BadCase{[](Json& j) { j["runs"][0]["results"][0]["bytes"] = "a5 1"; }, "not hexadecimal"},
           BadCase{[](Json& j) { j["runs"][0]["results"][0]["bytes"] = "a50g"; }, "not hexadecimal"},
           BadCase{[](Json& j) { j["runs"][0]["results"][0]["not_stored_once"][1] = {1}; },
                   "not an element and a count"},
           BadCase{[](Json& j) { j["runs"][0]["uneven_stores"][0].erase("never"); }, "\"never\" is missing"},
           BadCase{[](Json& j) { j["runs"][0]["library_calls"][0]["result"]["map"] = Json::array(); },
                   "map: does not fit the shape"},
           BadCase{[](Json& j) { j["runs"][0]["library_calls"][0]["operands"][0]["strides"] = {1, 1}; },
                   "strides: do not fit the shape"},
       }) {
    Json json = ToJson(Observed());
    bad.spoil(json);
    const absl::Status status = FromJson<Observation>(json).status();
    EXPECT_TRUE(absl::StrContains(status.message(), bad.message)) << bad.message << "\n  " << status;
  }
}

Judgement Judged() {
  Judgement judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.beyond_spec = true;
  judgement.rule = RuleId::kBcastVerifyRank;
  judgement.expected = "1";
  judgement.actual = "inf";
  ElementMismatch mismatch;
  mismatch.index = 5;
  mismatch.inputs = {"1", "nan(0x7fc00000)"};
  mismatch.ulp_distance = std::numeric_limits<double>::infinity();
  mismatch.bound = "2 ulp";
  mismatch.count = 9;
  judgement.mismatch = mismatch;
  judgement.compared = 12;
  judgement.masked = 3;
  judgement.judged = {{.computed = "negate(exp)", .types = "f32", .elements = 15}};
  judgement.judged[0].widths.Add(3);
  judgement.notes = {"note"};
  return judgement;
}

TEST(JudgementJson, RoundTripsWithAnInfiniteDistance) {
  const absl::StatusOr<Judgement> read = FromJson<Judgement>(Json::parse(Dump(ToJson(Judged()), 2)));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, Judged());
  for (Verdict verdict : All<Verdict>()) {
    Judgement judgement;
    judgement.verdict = verdict;
    EXPECT_EQ(FromJson<Judgement>(ToJson(judgement)).value(), judgement);
  }
}

TEST(JudgementJson, SaysWhatIsWrong) {
  for (const BadCase& bad : {
           BadCase{[](Json& j) { j["verdict"] = "fine"; }, "verdict: \"fine\" is not a verdict"},
           BadCase{[](Json& j) { j["verdict"] = {1}; }, "verdict: a string is needed"},
           BadCase{[](Json& j) { j["mismatch"] = 1; }, "mismatch: an object is needed"},
           BadCase{[](Json& j) { j["mismatch"].erase("ulp_distance"); }, "mismatch: the key \"ulp_distance\""},
           BadCase{[](Json& j) { j["mismatch"]["ulp_distance"] = "far"; }, "a number is needed"},
           BadCase{[](Json& j) { j["compared"] = 1.5; }, "compared: an integer of at least 0 is needed"},
       }) {
    Json json = ToJson(Judged());
    bad.spoil(json);
    const absl::Status status = FromJson<Judgement>(json).status();
    EXPECT_TRUE(absl::StrContains(status.message(), bad.message)) << bad.message << "\n  " << status;
  }
}

TEST(Dump, ReplacesInvalidUtf8) { EXPECT_EQ(Dump(Json("a\xff"), -1), "\"a\xef\xbf\xbd\""); }

}  // namespace
}  // namespace tosaic
