// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each op's table of special values in the specification ("Floating-point behavior"), and the sentences that stand in
// the place of one: row by row, of both references, and that corpus/rules has the row.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/op_catalogue.h"
#include "model/spec_case.h"
#include "oracle/compare.h"
#include "oracle/scalar_ops.h"
#include "tests/dumb_scalar_ops.h"

namespace tosaic {
namespace {

using E = ElementType;
constexpr E kFloats[] = {E::kF32, E::kF16, E::kBF16};

// A value by name: "-inf", "+inf", "-0", "+0", "nan", "0.5"; as a result "0" is a zero of either sign, "any" anything.
struct SpecialRow {
  std::string op;
  std::vector<std::string> operands;
  std::string result;
};

std::vector<SpecialRow> Rows() {
  std::vector<SpecialRow> rows;
  const auto table = [&](const char* op, const std::array<const char*, 5>& results) {
    constexpr std::array<const char*, 5> kInputs = {"-inf", "+inf", "-0", "+0", "nan"};
    for (size_t i = 0; i < kInputs.size(); ++i) rows.push_back({op, {kInputs[i]}, results[i]});
  };
  // Input:         -infinity  +infinity  -0  +0  NaN
  table("abs", {"+inf", "+inf", "+0", "+0", "nan"});
  table("ceil", {"-inf", "+inf", "-0", "+0", "nan"});
  table("cos", {"nan", "nan", "1", "1", "nan"});
  table("exp", {"+0", "+inf", "1", "1", "nan"});
  table("floor", {"-inf", "+inf", "-0", "+0", "nan"});
  table("log", {"nan", "+inf", "-inf", "-inf", "nan"});
  table("negate", {"+inf", "-inf", "+0", "-0", "nan"});
  table("reciprocal", {"-0", "+0", "-inf", "+inf", "nan"});
  table("rsqrt", {"nan", "+0", "-inf", "+inf", "nan"});
  table("sigmoid", {"0", "1", "0.5", "0.5", "nan"});
  table("sin", {"nan", "nan", "-0", "+0", "nan"});
  table("tanh", {"-1", "1", "-0", "+0", "nan"});
  const std::vector<SpecialRow> sentences = {
      {"add", {"nan", "1"}, "nan"},
      {"add", {"1", "nan"}, "nan"},
      {"add", {"+inf", "-inf"}, "nan"},
      {"add", {"-inf", "+inf"}, "nan"},
      {"add", {"+inf", "+inf"}, "+inf"},
      {"sub", {"nan", "1"}, "nan"},
      {"sub", {"1", "nan"}, "nan"},
      {"sub", {"+inf", "+inf"}, "nan"},
      {"sub", {"+inf", "-inf"}, "+inf"},
      {"sub", {"-inf", "+inf"}, "-inf"},
      {"mul", {"nan", "1"}, "nan"},
      {"mul", {"1", "nan"}, "nan"},
      {"mul", {"+inf", "+0"}, "nan"},
      {"mul", {"-0", "-inf"}, "nan"},
      {"mul", {"+inf", "-inf"}, "-inf"},
      {"mul", {"-inf", "-inf"}, "+inf"},
      {"pow", {"+0", "1"}, "0"},
      {"pow", {"-0", "1"}, "0"},
      {"pow", {"1", "+0"}, "1"},
      {"pow", {"1", "-0"}, "1"},
      {"equal", {"nan", "nan"}, "false"},
      {"equal", {"1", "nan"}, "false"},
      {"equal", {"+0", "-0"}, "true"},
      {"equal", {"+inf", "+inf"}, "true"},
      {"equal", {"+inf", "-inf"}, "false"},
      {"greater", {"nan", "nan"}, "false"},
      {"greater", {"1", "nan"}, "false"},
      {"greater", {"+0", "-0"}, "false"},
      {"greater", {"+inf", "+inf"}, "false"},
      {"greater", {"+inf", "-inf"}, "true"},
      {"greater_equal", {"nan", "nan"}, "false"},
      {"greater_equal", {"1", "nan"}, "false"},
      {"greater_equal", {"-0", "+0"}, "true"},
      {"greater_equal", {"+inf", "+inf"}, "true"},
      {"greater_equal", {"-inf", "+inf"}, "false"},
      {"maximum", {"nan", "1"}, "nan"},
      {"maximum", {"1", "nan"}, "nan"},
      {"maximum", {"nan", "nan"}, "nan"},
      {"maximum", {"+0", "-0"}, "0"},
      {"maximum", {"+inf", "-inf"}, "+inf"},
      {"minimum", {"nan", "1"}, "nan"},
      {"minimum", {"1", "nan"}, "nan"},
      {"minimum", {"nan", "nan"}, "nan"},
      {"minimum", {"+0", "-0"}, "0"},
      {"minimum", {"+inf", "-inf"}, "-inf"},
  };
  rows.insert(rows.end(), sentences.begin(), sentences.end());
  return rows;
}

uint64_t BitsOf(E type, const std::string& name) {
  if (type == E::kI1) return name == "true" ? 1 : 0;
  const dumb::Format& format = dumb::FormatOf(type);
  if (name == "nan") return format.greatest + 1 + (uint64_t{1} << (format.fraction_bits - 1));
  if (name == "+inf") return format.greatest + 1;
  if (name == "-inf") return format.sign() | (format.greatest + 1);
  if (name == "-0") return format.sign();
  if (name == "+0") return 0;
  return dumb::Nearest(type, std::stold(name));
}

// Whether the row says so of a result.
bool IsResult(E type, const std::string& name, uint64_t bits) {
  if (name == "nan") return std::isnan(static_cast<double>(dumb::Decode(type, bits)));
  if (name == "0") return bits == BitsOf(type, "+0") || bits == BitsOf(type, "-0");
  return bits == BitsOf(type, name);
}

// Some thousands, the special values and their neighbours among them.
std::vector<uint64_t> PatternsOf(E type) {
  if (type == E::kI1) return {0, 1};
  const uint64_t step = type == E::kF32 ? 0x100000 : 0x10;
  std::vector<uint64_t> patterns;
  for (uint64_t bits = 0; bits <= BitMask(type); bits += step) {
    patterns.insert(patterns.end(), {bits, bits + 1, bits + step - 1});
  }
  return patterns;
}

TEST(SpecialValues, BothReferencesAllowWhatTheTablesSayAndNothingElse) {
  const Attributes none;
  const Policies policies;
  for (const SpecialRow& row : Rows()) {
    const OpInfo& op = Info(FindOp(row.op).value());
    const dumb::Function dumb_function = dumb::FindFunction(row.op);
    for (const E type : kFloats) {
      const E result = row.result == "true" || row.result == "false" ? E::kI1 : type;
      ScalarInput in = {.op = op, .input_type = type, .result_type = result, .attributes = none, .policies = policies};
      for (size_t k = 0; k < row.operands.size(); ++k) in.bits[k] = BitsOf(type, row.operands[k]);
      const Expected expected = EvaluateScalar(in);
      const dumb::Answer answer =
          dumb_function({type, result, none, dumb::Release::k1_0_2, {in.bits[0], in.bits[1], in.bits[2]}});
      const std::string name = absl::StrCat(row.op, " of ", row.operands[0], ", ", Name(type), ": ");
      int failures = 0;
      for (const uint64_t bits : PatternsOf(result)) {
        const bool right = IsResult(result, row.result, bits);
        if (Matches(expected, result, bits) != right && failures++ < 3) ADD_FAILURE() << name << "the oracle, " << bits;
        const dumb::Fit fit = dumb::Judge(answer, result, bits);
        if (fit != (right ? dumb::Fit::kAllowed : dumb::Fit::kRefused) && failures++ < 3) {
          ADD_FAILURE() << name << "the dumb function, " << bits;
        }
      }
    }
  }
}

TEST(SpecialValues, EachRowIsACaseOfTheCorpus) {
  for (const SpecialRow& row : Rows()) {
    const std::string path = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/rules/value.", row.op, ".special-values.json");
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const absl::StatusOr<SpecCase> read = SpecCaseFromText(text);
    ASSERT_TRUE(read.ok()) << path << ": " << read.status();
    const Case& test_case = *read->test_case();
    ASSERT_EQ(test_case.program.ops.size(), std::size(kFloats)) << path;
    for (size_t i = 0; i < std::size(kFloats); ++i) {
      const OpApplication& op = test_case.program.ops[i];
      EXPECT_EQ(Name(op.op), row.op);
      const std::vector<Tensor>& run = test_case.runs[0];
      bool has_row = false;
      for (size_t element = 0; element < run[op.operands[0].index].element_count(); ++element) {
        bool same = true;
        for (size_t k = 0; k < row.operands.size(); ++k) {
          same &= run[op.operands[k].index].Bits(element) == BitsOf(kFloats[i], row.operands[k]);
        }
        has_row |= same;
      }
      EXPECT_TRUE(has_row) << path << " lacks " << row.operands[0] << " of " << Name(kFloats[i]);
    }
  }
}

}  // namespace
}  // namespace tosaic
