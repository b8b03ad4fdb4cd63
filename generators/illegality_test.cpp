// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/illegality.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "generators/element_bits.h"
#include "generators/generator.h"
#include "generators/shapes.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/special_operands.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

std::string IllegalIntent(const Case& generated) {
  return generated.origin.substr(generated.origin.find("intent=") + 7);
}

using Rules = std::set<std::string>;

void CheckTypes(const Program& program, Rules& broken) {
  const OpApplication& op = program.ops.front();
  const OpInfo& row = Info(op.op);
  const std::vector<TensorType> types = OperandTypes(program, op);
  std::set<ElementType> inputs;
  for (size_t k = 0; k < types.size(); ++k) {
    const OperandRole role = row.operands[k];
    const ElementType type = types[k].element_type;
    if (role == OperandRole::kInput || role == OperandRole::kReshaped) inputs.insert(type);
    if (role == OperandRole::kCondition && type != ElementType::kI1) broken.insert("condition");
    if (!IsSpecial(role)) continue;
    const ElementType input = InputElementType(program, op);
    const Tensor plain = PlainParameter(role, input, op.result.element_type, op.attributes);
    if (type != plain.element_type()) broken.insert("special-type");
    const bool per_channel = Info(role).access == OperandAccess::kChannel && op.attributes.per_channel.value_or(false);
    const bool has_no_channels = per_channel && types[0].shape.rank() == 0;
    const int64_t size = per_channel && !has_no_channels ? types[0].shape.dims().back().size() : plain.sizes()[0];
    if (has_no_channels || types[k].shape != Shape::OfSizes({size})) broken.insert("special-shape");
  }
  if (inputs.size() > 1) broken.insert("input-types");
  if (inputs.size() == 1 && !DialectAccepts(row, *inputs.begin(), op.result.element_type)) broken.insert("types");
}

void CheckSizes(const std::vector<Shape>& shapes, const Shape& result, Rules& broken) {
  const Shape implied = *ImpliedShape(shapes);
  for (size_t d = 0; d < implied.rank(); ++d) {
    std::set<int64_t> sizes;
    for (const Shape& shape : shapes) {
      if (shape[d].IsStatic() && !shape[d].Is(1)) sizes.insert(shape[d].size());
    }
    if (sizes.size() > 1) {
      broken.insert("conflict");  // leaves the result's size without meaning
    } else if (implied[d].IsStatic() && result[d].IsStatic() && implied[d] != result[d]) {
      broken.insert("result-size");
    }
  }
}

// A new shape with which the other types agree: one or no size is open, and static types have as many elements.
void CheckNewShape(const Shape& operand, const OpApplication& op, Rules& broken) {
  const std::vector<int64_t>& sizes = *op.attributes.new_shape;
  const Shape& result = op.result.shape;
  bool fits = result.rank() == sizes.size() && std::count(sizes.begin(), sizes.end(), -1) <= 1;
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] > 0 || sizes[d] == -1;
    fits = fits && (sizes[d] == -1 || result[d].IsDynamic() || result[d].Is(sizes[d]));
  }
  if (fits && operand.IsStatic()) fits = Reshaped(op, ElementCount(StaticSizes(operand))).has_value();
  if (!fits) broken.insert("new-shape");
}

// The rules a program breaks, as far as they can be told in a few lines: a check of its own, not the oracle.
// REQUIRES: all types ranked.
Rules BrokenRules(const Program& program) {
  Rules broken;
  const OpApplication& op = program.ops.front();
  CheckTypes(program, broken);
  std::vector<Shape> shapes;
  for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
    shapes.push_back(TypeOf(program, op.operands[k]).shape);
    if (shapes.back().rank() != shapes.front().rank()) broken.insert("operand-rank");
  }
  if (broken.count("operand-rank") > 0) return broken;
  const bool is_reshaped = op.attributes.new_shape.has_value();
  if (!is_reshaped && op.result.shape.rank() != shapes.front().rank()) {
    broken.insert("result-rank");
    return broken;
  }
  bool zero = false;
  for (const Shape& shape : shapes) zero |= std::count(shape.dims().begin(), shape.dims().end(), Dim::Static(0)) > 0;
  zero |= std::count(op.result.shape.dims().begin(), op.result.shape.dims().end(), Dim::Static(0)) > 0;
  if (zero) broken.insert("zero");
  if (is_reshaped) {
    CheckNewShape(shapes[0], op, broken);
  } else {
    CheckSizes(shapes, op.result.shape, broken);
  }
  return broken;
}

const char* ExpectedRule(const std::string& name) {
  static const auto& table = *new std::map<std::string, const char*>{{"bcast-conflict", "conflict"},
                                                                     {"operand-rank-mismatch", "operand-rank"},
                                                                     {"rank-expansion", "operand-rank"},
                                                                     {"result-rank-mismatch", "result-rank"},
                                                                     {"result-size-wrong", "result-size"},
                                                                     {"result-broadcast", "result-size"},
                                                                     {"result-of-other-rank", "result-rank"},
                                                                     {"result-of-other-size", "result-size"},
                                                                     {"new-shape", "new-shape"},
                                                                     {"zero-size", "zero"},
                                                                     {"zero-result-size", "zero"},
                                                                     {"input-types-differ", "input-types"},
                                                                     {"result-type-wrong", "types"},
                                                                     {"foreign-element-type", "types"},
                                                                     {"condition-not-i1", "condition"},
                                                                     {"shift-type", "special-type"},
                                                                     {"shift-shape", "special-shape"},
                                                                     {"multiplier-type", "special-type"},
                                                                     {"multiplier-shape", "special-shape"},
                                                                     {"channel-shift-shape", "special-shape"},
                                                                     {"channels-of-scalar", "special-shape"},
                                                                     {"channel-shift-type", "special-type"},
                                                                     {"zero-point-type", "special-type"},
                                                                     {"zero-point-shape", "special-shape"},
                                                                     {"output-zero-point-type", "special-type"},
                                                                     {"output-zero-point-shape", "special-shape"},
                                                                     {"table-type", "special-type"},
                                                                     {"table-shape", "special-shape"}};
  const auto found = table.find(name);
  return found == table.end() ? "" : found->second;
}

TEST(Illegality, NamesAreDistinct) {
  std::set<std::string> names;
  for (const Illegality& illegality : AllIllegalities()) {
    EXPECT_TRUE(names.emplace(illegality.name.data(), illegality.name.size()).second);
    EXPECT_NE(illegality.rule, RuleId::kNone);
  }
}

TEST(Illegality, EachBreaksItsRuleAndNoOther) {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.runs = 0;
  std::map<std::string, int> seen;
  for (uint64_t i = 0; i < 5000; ++i) {
    const Case generated = GenerateCase(2, i, options);
    const std::string name = IllegalIntent(generated);
    if (std::string(ExpectedRule(name)).empty()) continue;
    ++seen[name];
    EXPECT_EQ(BrokenRules(generated.program), Rules{ExpectedRule(name)})
        << generated.origin << " " << Signature(generated.program, generated.program.ops.front());
  }
  EXPECT_EQ(seen.size(), 28u);
}

TEST(Illegality, EachBreaksItsRuleBeyondTheSpecificationToo) {
  GeneratorOptions options;
  options.illegal_percent = 100 - 1;
  options.beyond_spec_percent = 1;
  options.runs = 0;
  int beyond = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    const Case generated = GenerateCase(5, i, options);
    const std::string rule = ExpectedRule(IllegalIntent(generated));
    const OpApplication& op = generated.program.ops.front();
    const ElementType input = InputElementType(generated.program, op);
    if (rule.empty() || FindSpecTuple(Info(op.op), input, op.result.element_type) != nullptr) continue;
    ++beyond;
    EXPECT_EQ(BrokenRules(generated.program), Rules{rule})
        << generated.origin << " " << Signature(generated.program, op);
  }
  EXPECT_GT(beyond, 300);
}

TEST(Illegality, BoundsOfI1HaveAnOrder) {
  GeneratorOptions options;
  options.illegal_percent = 50;
  options.beyond_spec_percent = 50;
  options.ops = {OpKind::kClamp};
  options.types = {ElementType::kI1};
  options.runs = 0;
  int seen = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    const Case generated = GenerateCase(6, i, options);
    if (IllegalIntent(generated) != "clamp-max-below-min") continue;
    ++seen;
    const Attributes& attributes = generated.program.ops.front().attributes;
    EXPECT_EQ(attributes.min_val->bits, 1u);
    EXPECT_EQ(attributes.max_val->bits, 0u);
  }
  EXPECT_GT(seen, 0);
}

// Of a number above the type's greatest one, 0 may be left.
TEST(Illegality, AZeroPointOfFewBitsIsNotZero) {
  for (const ElementType type : {ElementType::kI1, ElementType::kI4}) {
    const GeneratorOptions options = {
        .ops = {OpKind::kRescale}, .types = {type}, .runs = 0, .illegal_percent = 50, .beyond_spec_percent = 50};
    int seen = 0;
    for (uint64_t i = 0; i < 3000; ++i) {
      const Case generated = GenerateCase(7, i, options);
      const std::string name = IllegalIntent(generated);
      if (name != "zero-point-nonzero" && name != "output-zero-point-nonzero") continue;
      ++seen;
      const ValueRef zero_point = generated.program.ops.front().operands[name == "zero-point-nonzero" ? 3 : 4];
      EXPECT_NE(AsConstant(generated.program, zero_point)->Bits(0), 0u) << CaseToText(generated);
    }
    EXPECT_GT(seen, 10) << Name(type);
  }
}

TEST(Illegality, PlainCasesBreakNoRule) {
  GeneratorOptions options;
  options.illegal_percent = 0;
  options.runs = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    const Case generated = GenerateCase(3, i, options);
    const OpApplication& op = generated.program.ops.front();
    bool ranked = op.result.shape.IsRanked();
    for (const TensorType& type : OperandTypes(generated.program, op)) ranked &= type.shape.IsRanked();
    if (!ranked) continue;
    EXPECT_EQ(BrokenRules(generated.program), Rules()) << Signature(generated.program, op);
  }
}

// The ERROR_IFs of RESCALE on attributes that the op breaks.
Rules BrokenErrorIfs(const OpApplication& op, ElementType input) {
  const Attributes& attributes = op.attributes;
  const ElementType result = op.result.element_type;
  const bool is_i48 = input == ElementType::kI48;
  const bool of_i32 = input == ElementType::kI32, to_i32 = result == ElementType::kI32;
  const bool in = *attributes.input_unsigned, out = *attributes.output_unsigned;
  const std::map<std::string, bool> error_ifs = {
      {"scale32, i48", *attributes.scale32 && is_i48},
      {"DOUBLE_ROUND", !*attributes.scale32 && attributes.rounding_mode == RoundingMode::kDoubleRound},
      {"both", in && out},
      {"input_unsigned, to i32", in && to_i32},
      {"output_unsigned, i32", out && of_i32},
      {"output_unsigned, i48", out && is_i48},
      {"input_unsigned, i48", in && is_i48},
      {"input_unsigned, i32", in && of_i32},
      {"output_unsigned, to i32", out && to_i32}};
  Rules broken;
  for (const auto& [name, is_broken] : error_ifs) {
    if (is_broken) broken.insert(name);
  }
  return broken;
}

// A side that is unsigned between i32 and i32 breaks two.
TEST(Illegality, RescaleBreaksEachErrorIfAlone) {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.ops = {OpKind::kRescale};
  for (const bool for_validator : {false, true}) {
    options.for_validator = for_validator;
    Rules alone;
    for (uint64_t i = 0; i < 3000; ++i) {
      const Case generated = GenerateCase(7, i, options);
      const std::string name = IllegalIntent(generated);
      if (name != "rescale-attributes" && name != "validate-rescale") continue;
      const OpApplication& op = generated.program.ops.front();
      const Rules broken = BrokenErrorIfs(op, InputElementType(generated.program, op));
      EXPECT_GE(broken.size(), 1u) << generated.origin;
      if (broken.size() == 1) alone.insert(*broken.begin());
    }
    EXPECT_EQ(alone.size(), 9u) << for_validator;
  }
}

// A verifier that compares the two with each other alone, or only one of them with the input, accepts some.
TEST(Illegality, BoundsAndParametersAreWrongTogetherAndAlone) {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  options.ops = {OpKind::kClamp, OpKind::kRescale};
  Rules seen;
  for (uint64_t i = 0; i < 1000; ++i) {
    const Case generated = GenerateCase(8, i, options);
    const std::string name = IllegalIntent(generated);
    const OpApplication& op = generated.program.ops.front();
    const ElementType input = InputElementType(generated.program, op);
    if (name == "clamp-bound-type") {
      const ElementType lower = op.attributes.min_val->type, upper = op.attributes.max_val->type;
      seen.insert(lower == upper ? "both bounds" : lower == input ? "upper" : "lower");
      if (lower == upper && IsInteger(lower) && IsInteger(input)) seen.insert("both bounds, of integers");
    } else if (name == "multiplier-shape" || name == "channel-shift-shape") {
      const std::vector<TensorType> types = OperandTypes(generated.program, op);
      seen.insert(types[1].shape == types[2].shape ? "both parameters" : name);
    }
  }
  EXPECT_EQ(seen, (Rules{"both bounds", "both bounds, of integers", "upper", "lower", "both parameters",
                         "multiplier-shape", "channel-shift-shape"}));
}

TEST(Illegality, AttributesAreBrokenAsNamed) {
  GeneratorOptions options;
  options.illegal_percent = 100;
  options.beyond_spec_percent = 0;
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 5000; ++i) {
    const Case generated = GenerateCase(4, i, options);
    const Program& program = generated.program;
    const OpApplication& op = program.ops.front();
    const ElementType input = InputElementType(program, op);
    const Attributes& attributes = op.attributes;
    const std::string name = IllegalIntent(generated);
    seen.insert(name);
    if (name == "clamp-max-below-min") {
      EXPECT_TRUE(LessValue(input, attributes.max_val->bits, attributes.min_val->bits));
    } else if (name == "clamp-nan-bound") {
      EXPECT_NE(IsNan(input, attributes.min_val->bits), IsNan(input, attributes.max_val->bits));
    } else if (name == "clamp-bound-type") {
      EXPECT_FALSE(attributes.min_val->type == input && attributes.max_val->type == input);
    } else if (name == "missing-attribute") {
      int missing = 0;
      ForEachAttribute(attributes, [&](const AttributeInfo& info, const auto& value) {
        missing +=
            HasAttribute(Info(op.op), info.attribute) && info.presence == AttributePresence::kMandatory && !value;
      });
      EXPECT_EQ(missing, 1);
    } else if (name == "rescale-attributes") {
      EXPECT_FALSE(BrokenErrorIfs(op, input).empty());
    } else if (name == "shift-out-of-range") {
      const uint64_t shift = program.constants[0].Bits(0);
      EXPECT_GT(shift, input == ElementType::kI32 ? 63u : 0u);
    } else if (name == "zero-point-nonzero") {
      const bool is_zero[] = {AsConstant(program, op.operands.end()[-2])->Bits(0) == 0,
                              AsConstant(program, op.operands.end()[-1])->Bits(0) == 0};
      EXPECT_FALSE(op.op == OpKind::kRescale ? is_zero[0] : is_zero[0] == is_zero[1]);
    } else if (name == "output-zero-point-nonzero") {
      EXPECT_NE(AsConstant(program, op.operands.back())->Bits(0), 0u);
    }
  }
  EXPECT_EQ(seen.size(), AllIllegalities().size());
}

}  // namespace
}  // namespace tosaic
