// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/value_sweeps.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generators/attributes.h"
#include "generators/element_bits.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Setting {
  std::string text;
  Attributes attributes;
  std::vector<Tensor> constants;
};

Setting With(Setting setting, const std::string& text) {
  absl::StrAppend(&setting.text, setting.text.empty() ? "" : " ", text);
  return setting;
}

uint64_t Encode(ElementType type, double value) {
  if (IsInteger(type)) return EncodeInteger(type, static_cast<int64_t>(value));
  if (value == kInfinity || value == -kInfinity) return InfinityBits(type) | (value < 0 ? SignMask(type) : 0);
  return EncodeFloat(type, value);
}

Tensor Parameter(ElementType type, std::vector<int64_t> values) {
  Tensor tensor(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) tensor.SetBits(i, Encode(type, static_cast<double>(values[i])));
  return tensor;
}

// Settings times choices: each of the settings so far with each of the choices.
template <typename Choice, typename Apply>
void Multiply(std::vector<Setting>* settings, const std::vector<Choice>& choices, Apply apply) {
  std::vector<Setting> product;
  for (const Setting& setting : *settings) {
    for (const Choice& choice : choices) product.push_back(apply(setting, choice));
  }
  *settings = std::move(product);
}

using Pair = std::pair<double, double>;

void MultiplyByBounds(const AttributeInfo& row, ElementType type, std::vector<Setting>* settings) {
  // Everything passes; a common activation; one value; bounds of one sign; a float's infinities and a zero of each
  // sign.
  std::vector<Pair> bounds = {{-100, 50}, {3, 3}, {-7, -2}};
  if (IsInteger(type)) {
    bounds.push_back({IntegerValue(type, LowestBits(type)), IntegerValue(type, HighestBits(type))});
  } else {
    bounds.insert(bounds.end(), {{-1.5, 6}, {-kInfinity, kInfinity}, {-0.0, kInfinity}, {0.0, 1}});
  }
  Multiply(settings, bounds, [&](const Setting& setting, const Pair& bound) {
    Setting next = With(setting, absl::StrCat(row.name, "=", bound.first, " ", Name(*row.at_most), "=", bound.second));
    ForEachBounds(next.attributes, [&](const AttributeInfo& info, auto& lower, const AttributeInfo&, auto& upper) {
      if (info.attribute != row.attribute) return;
      lower = TypedBits{type, Encode(type, bound.first)};
      upper = TypedBits{type, Encode(type, bound.second)};
    });
    return next;
  });
}

absl::string_view ValueName(bool value) { return value ? "true" : "false"; }
template <NamedEnum E>
absl::string_view ValueName(E value) {
  return Name(value);
}

template <typename Kind>
void MultiplyByValues(const AttributeInfo& row, std::optional<Kind> Attributes::* member,
                      const std::vector<Kind>& values, std::vector<Setting>* settings) {
  Multiply(settings, values, [&](const Setting& setting, Kind value) {
    Setting next = With(setting, absl::StrCat(row.name, "=", ValueName(value)));
    next.attributes.*member = value;
    return next;
  });
}

void MultiplyByShifts(ElementType type, std::vector<Setting>* settings) {
  // The specification wants 0 unless i32.
  const std::vector<int64_t> shifts =
      type == ElementType::kI32 ? std::vector<int64_t>{0, 1, 16, 31, 32, 63} : std::vector<int64_t>{0};
  Multiply(settings, shifts, [&](const Setting& setting, int64_t shift) {
    Setting next = shifts.size() == 1 ? setting : With(setting, absl::StrCat("shift=", shift));
    next.constants.push_back(Parameter(ElementType::kI8, {shift}));
    return next;
  });
}

// A line, its mirror, and the limits as near to each other as an i16's difference lets them be.
void MultiplyByTables(ElementType type, std::vector<Setting>* settings) {
  const Lookup lookup = LookupIn(type);
  const int64_t least = IntegerValue(type, LowestBits(type)), greatest = IntegerValue(type, HighestBits(type));
  const int64_t turns[] = {least, -1, 0, greatest, 0, -1};
  std::vector<int64_t> line, mirror, limits;
  for (int64_t i = 0; i < static_cast<int64_t>(lookup.entries); ++i) {
    line.push_back(std::min(least + (i << lookup.bits_between), greatest));
    mirror.push_back(-1 - line.back());
    limits.push_back(turns[i % 6]);
  }
  const std::vector<std::pair<std::string, std::vector<int64_t>>> tables = {
      {"line", line}, {"mirror", mirror}, {"limits", limits}};
  Multiply(settings, tables, [&](const Setting& setting, const auto& table) {
    Setting next = With(setting, "table=" + table.first);
    next.constants.push_back(Parameter(type, table.second));
    return next;
  });
}

// Scales of networks and at the edges, each with every legal setting of the attributes for its width, and zero points
// where the types have some.
std::vector<Setting> RescaleSettings(ElementType input, ElementType result) {
  struct Scale {
    bool scale32;
    int64_t multiplier, shift;
  };
  constexpr int64_t kMax32 = std::numeric_limits<int32_t>::max(), kMax16 = std::numeric_limits<int16_t>::max();
  constexpr Scale kScales[] = {
      {true, int64_t{1} << 30, 30}, {true, 1518500250, 31}, {true, 1084818905, 37}, {true, kMax32, 32},
      {true, kMax32, 62},           {true, 3, 10},          {false, 1 << 14, 14},   {false, 23170, 15},
      {false, kMax16, 20},          {false, 3, 2},          {false, 0, 62}};
  std::vector<Setting> settings;
  for (const Scale& scale : kScales) {
    for (const RoundingMode mode : All<RoundingMode>()) {
      for (const int sides : {0, 1, 2}) {  // unsigned: neither, the input, the result
        Setting setting;
        setting.text =
            absl::StrCat(scale.scale32 ? "32" : "16", " bits ", scale.multiplier, " >> ", scale.shift, " ", Name(mode),
                         sides == 1   ? " input_unsigned"
                         : sides == 2 ? " output_unsigned"
                                      : "");
        setting.attributes.scale32 = scale.scale32;
        setting.attributes.rounding_mode = mode;
        setting.attributes.per_channel = false;
        setting.attributes.input_unsigned = sides == 1;
        setting.attributes.output_unsigned = sides == 2;
        if (!ScaleSuits(setting.attributes, input) || !SidesSuit(setting.attributes, input, result)) continue;
        setting.constants = {Parameter(scale.scale32 ? ElementType::kI32 : ElementType::kI16, {scale.multiplier}),
                             Parameter(ElementType::kI8, {scale.shift}),
                             Parameter(input, {input == ElementType::kI8 ? -77 : 0}),
                             Parameter(result, {result == ElementType::kI8 ? 19 : 0})};
        settings.push_back(std::move(setting));
      }
    }
  }
  return settings;
}

void MultiplyByZeroPoints(ElementType type, std::vector<Setting>* settings) {
  // The specification wants 0 unless i8.
  using ZeroPoints = std::pair<int64_t, int64_t>;
  std::vector<ZeroPoints> pairs = {{0, 0}};
  if (type == ElementType::kI8) pairs.insert(pairs.end(), {{-128, 127}, {127, -128}, {-128, -128}, {3, -5}});
  Multiply(settings, pairs, [&](const Setting& setting, const ZeroPoints& zero_points) {
    Setting next =
        pairs.size() == 1
            ? setting
            : With(setting, absl::StrCat("input1_zp=", zero_points.first, " output_zp=", zero_points.second));
    next.constants.push_back(Parameter(type, {zero_points.first}));
    next.constants.push_back(Parameter(type, {zero_points.second}));
    return next;
  });
}

std::vector<Setting> SettingsOf(const OpInfo& op, ElementType type, ElementType result) {
  if (op.kind == OpKind::kRescale) return RescaleSettings(type, result);
  std::vector<Setting> settings = {{}};
  const ByKind multiply{[&](const AttributeInfo& row, std::optional<TypedBits> Attributes::*) {
                          if (row.at_most) MultiplyByBounds(row, type, &settings);
                        },
                        [&](const AttributeInfo& row, std::optional<bool> Attributes::* member) {
                          MultiplyByValues(row, member, {false, true}, &settings);
                        },
                        [&]<NamedEnum E>(const AttributeInfo& row, std::optional<E> Attributes::* member) {
                          MultiplyByValues(row, member, All<E>(), &settings);
                        },
                        [](const AttributeInfo&, std::optional<std::vector<int64_t>> Attributes::*) {}};
  ForEachRow([&](const AttributeInfo& row, auto member) {
    if (IsDrawn(op, row.attribute) && (IsFloat(type) || !row.for_floats)) multiply(row, member);
  });
  if (HasRole(op, OperandRole::kShift)) MultiplyByShifts(type, &settings);
  if (HasRole(op, OperandRole::kTable)) MultiplyByTables(type, &settings);
  if (HasRole(op, OperandRole::kZeroPoint)) MultiplyByZeroPoints(type, &settings);
  return settings;
}

// The element types of the operands that broadcast.
std::vector<ElementType> BroadcastTypes(const OpInfo& op, ElementType input) {
  std::vector<ElementType> types;
  for (size_t i = 0; i < BroadcastOperandCount(op); ++i) {
    types.push_back(TypeOfOperand(op.operands[i], input, input));
  }
  return types;
}

template <typename T>
bool IsAskedFor(const std::vector<T>& list, T value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

// Whether the division traps: the divisor 0, or INT_MIN / -1.
bool Traps(ElementType type, uint64_t dividend, uint64_t divisor) {
  return divisor == 0 || (dividend == SignMask(type) && divisor == BitMask(type));
}

// The most bits of an op's operands of which a sweep tries every pattern.
constexpr int kBitsOfAll = 32;
bool TakesFloatsOfFewBits(const OpInfo& op, ElementType input) {
  int bits = 0;
  for (ElementType type : BroadcastTypes(op, input)) bits += BitWidth(type);
  return IsFloat(input) && bits <= kBitsOfAll;
}

}  // namespace

std::vector<ValueSweep> PlanValueSweeps(const ValueSweepOptions& options) {
  std::vector<ValueSweep> sweeps;
  for (const OpInfo& op : AllOps()) {
    if (!IsAskedFor(options.ops, op.kind)) continue;
    for (const TypeTuple& types : TuplesOf(op, options.spec_version)) {
      if (!IsAskedFor(options.types, types.input)) continue;
      if (options.all && !TakesFloatsOfFewBits(op, types.input)) continue;
      const ValueInputs inputs(BroadcastTypes(op, types.input), options.inputs,
                               options.all ? kBitsOfAll : ValueInputs::kExhaustiveBits);
      std::vector<Setting> settings = SettingsOf(op, types.input, types.result);
      const bool is_read = op.kind == OpKind::kCast && IsInteger(types.input) && types.input != ElementType::kI1;
      if (options.draft_attributes && is_read) {
        settings.push_back({.text = "input_unsigned=true", .attributes = {.input_unsigned = true}});
      }
      for (Setting& setting : settings) {
        sweeps.push_back({.op = op.kind,
                          .input = types.input,
                          .result = types.result,
                          .setting = std::move(setting.text),
                          .attributes = setting.attributes,
                          .constants = std::move(setting.constants),
                          .inputs = inputs});
      }
    }
  }
  return sweeps;
}

namespace {

// The program for runs of so many inputs, without runs.
Case CaseWithoutRuns(const ValueSweep& sweep, uint64_t count, const std::string& route) {
  const OpInfo& op = Info(sweep.op);
  const std::vector<int64_t> sizes = {static_cast<int64_t>(count)};
  Case test_case;
  test_case.route = route;
  test_case.origin = absl::StrCat("value sweep: ", op.name, " ", TypesOf(sweep), " ", sweep.setting);
  Program& program = test_case.program;
  OpApplication application;
  application.op = sweep.op;
  application.attributes = sweep.attributes;
  application.result = {Shape::OfSizes(sizes), sweep.result};
  if (HasNewShape(op)) application.result.shape = Shape::OfSizes({1, sizes[0]});
  StateNewShape(application);
  for (ElementType type : BroadcastTypes(op, sweep.input)) {
    application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(program.arguments.size())});
    program.arguments.push_back({Shape::OfSizes(sizes), type});
  }
  for (const Tensor& constant : sweep.constants) {
    application.operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program.constants.size())});
    program.constants.push_back(constant);
  }
  program.ops.push_back(std::move(application));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return test_case;
}

// A run on the inputs input(0) .. input(count - 1).
template <typename InputNumber>
Run RunOf(const ValueSweep& sweep, uint64_t count, InputNumber input) {
  const OpInfo& op = Info(sweep.op);
  Run run;
  for (ElementType type : BroadcastTypes(op, sweep.input)) {
    run.emplace_back(type, std::vector<int64_t>{static_cast<int64_t>(count)});
  }
  const auto width = static_cast<size_t>(StorageBytes(run[0].element_type()));
  const bool are_bytes = static_cast<size_t>(BitWidth(run[0].element_type())) == 8 * width;
  if (sweep.input == run[0].element_type() && are_bytes && sweep.inputs.exhaustive()) {  // there are very many
    // The number's bytes are the elements', the first operand's first (ValueInputs::At).
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t bits = input(i);
      for (size_t k = 0; k < run.size(); ++k) {
        std::memcpy(&run[k].mutable_bytes()[i * width], reinterpret_cast<const char*>(&bits) + k * width, width);
      }
    }
    return run;
  }
  const bool divides = op.unpredictable == Unpredictable::kDivision;
  for (uint64_t i = 0; i < count; ++i) {
    std::array<uint64_t, 3> bits = sweep.inputs.At(input(i));
    if (divides && Traps(sweep.input, bits[0], bits[1])) bits[1] = 1;
    for (size_t operand = 0; operand < run.size(); ++operand) run[operand].SetBits(i, bits[operand]);
  }
  return run;
}

}  // namespace

Case CaseOfInputs(const ValueSweep& sweep, absl::Span<const uint64_t> inputs, const std::string& route) {
  Case test_case = CaseWithoutRuns(sweep, inputs.size(), route);
  test_case.runs.push_back(RunOf(sweep, inputs.size(), [&](uint64_t i) { return inputs[i]; }));
  return test_case;
}

Case CaseOfInputs(const ValueSweep& sweep, uint64_t first, uint64_t count, const std::string& route,
                  uint64_t of_a_run) {
  const uint64_t size = std::min(count, of_a_run);
  Case test_case = CaseWithoutRuns(sweep, size, route);
  for (uint64_t begin = first; begin < first + count; begin += size) {
    test_case.runs.push_back(RunOf(sweep, size, [&](uint64_t i) { return begin + i; }));
  }
  return test_case;
}

std::string BitsOfInput(const ValueSweep& sweep, uint64_t number) {
  const std::array<uint64_t, 3> bits = sweep.inputs.At(number);
  const std::vector<ElementType> types = BroadcastTypes(Info(sweep.op), sweep.input);
  std::string text;
  for (size_t k = 0; k < types.size(); ++k) {
    absl::StrAppend(&text, k > 0 ? " " : "", BitsToString(types[k], bits[k]));
  }
  return text;
}

std::string TypesOf(const ValueSweep& sweep) { return ToString(TypePair{sweep.input, sweep.result}); }

}  // namespace tosaic
