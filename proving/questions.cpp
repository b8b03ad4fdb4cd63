// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/questions.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generators/special_values.h"
#include "generators/value_sweeps.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

constexpr int64_t kSizes[kProvedRanks] = {2, 1, 3, 2, 1, 1, 2, 1};
constexpr int kGreatestShift = 63;
constexpr uint64_t kLeastScaleShift = 2, kGreatestScaleShift = 62;
constexpr int kZeroPoints[] = {-128, -1, 0, 1, 127};

ProofSetting WithConstants(ProofSetting setting, const std::vector<int>& values, std::string text) {
  for (size_t i = 0; i < values.size(); ++i) {
    Tensor& constant = setting.program.constants[i];
    constant.SetBits(0, static_cast<uint64_t>(values[i]) & BitMask(constant.element_type()));
  }
  setting.text = std::move(text);
  return setting;
}

// The settings of a shift or of zero points, of which a sweep of values tries only a few.
std::vector<ProofSetting> SettingsOf(const ProofTile& tile, const ProofSetting& first) {
  std::vector<ProofSetting> settings;
  if (tile.op == OpKind::kTable) settings.push_back({"any table", first.program});  // which a question makes of one
  if (tile.op == OpKind::kMul && tile.input == ElementType::kI32) {
    for (int shift = 0; shift <= kGreatestShift; ++shift) {
      settings.push_back(WithConstants(first, {shift}, absl::StrCat("shift=", shift)));
    }
  }
  if (tile.op == OpKind::kNegate && tile.input == ElementType::kI8) {
    for (const int input : kZeroPoints) {
      for (const int output : kZeroPoints) {
        settings.push_back(
            WithConstants(first, {input, output}, absl::StrCat("input1_zp=", input, " output_zp=", output)));
      }
    }
  }
  return settings;
}

// Scales of channels: every legal shift is a channel of its own, whose multiplier stands for all multipliers.
void AddChannelsOfRescale(ProofTile* tile) {
  std::vector<Attributes> seen;
  for (size_t i = 0, planned = tile->settings.size(); i < planned; ++i) {
    ProofSetting setting = tile->settings[i];
    OpApplication& op = setting.program.ops[0];
    if (absl::c_linear_search(seen, op.attributes)) continue;
    seen.push_back(op.attributes);
    op.attributes.per_channel = true;
    std::vector<Tensor>& constants = setting.program.constants;
    constexpr auto kChannels = static_cast<int64_t>(kGreatestScaleShift - kLeastScaleShift + 1);
    Tensor multipliers(constants[0].element_type(), {kChannels}), shifts(constants[1].element_type(), {kChannels});
    for (size_t c = 0; c < kChannels; ++c) {
      multipliers.SetBits(c, c + 1);
      shifts.SetBits(c, kLeastScaleShift + c);
    }
    constants[0] = std::move(multipliers);
    constants[1] = std::move(shifts);
    setting.of_every_rank = false;
    setting.text = absl::StrCat(HasScale32(op.attributes) ? "32" : "16", " bits, scales of channels ",
                                Name(op.attributes.rounding_mode.value_or(RoundingMode::kSingleRound)));
    tile->settings.push_back(std::move(setting));
  }
}

// The program without an argument, whose uses are another value.
Program Replaced(Program program, size_t argument, ValueRef by) {
  program.arguments.erase(program.arguments.begin() + static_cast<int64_t>(argument));
  for (ValueRef& operand : program.ops[0].operands) {
    if (operand == ValueRef{ValueRef::Kind::kArgument, static_cast<int>(argument)}) operand = by;
    if (operand.kind == ValueRef::Kind::kArgument && operand.index > static_cast<int>(argument)) --operand.index;
  }
  return program;
}

Program WithConstant(Program program, size_t argument, uint64_t bits) {
  const ElementType type = program.arguments[argument].element_type;
  Tensor constant(type, {kSizes[0]});
  for (size_t i = 0; i < constant.element_count(); ++i) constant.SetBits(i, bits);
  const ValueRef by = {ValueRef::Kind::kConstant, static_cast<int>(program.constants.size())};
  program.constants.push_back(std::move(constant));
  return Replaced(std::move(program), argument, by);
}

// A program's variants for FolderTiles, itself the first of them.
void AddVariants(const ProofSetting& setting, std::vector<ProofSetting>* variants) {
  const auto add = [&](std::string text, Program program) {
    const std::string space = setting.text.empty() || text.empty() ? "" : " ";
    variants->push_back({absl::StrCat(setting.text, space, text), std::move(program), false, setting.is_optional});
  };
  const Program& program = setting.program;
  add("", program);
  const size_t count = program.arguments.size();
  for (size_t i = 0; count > 1 && i < count; ++i) {
    const ElementType type = program.arguments[i].element_type;
    const std::vector<uint64_t> values = type == ElementType::kI1 ? std::vector<uint64_t>{0, 1} : Specials(type).core;
    for (const uint64_t bits : values) {
      add(absl::StrCat("operand ", i + 1, " = ", ElementToString(type, bits)), WithConstant(program, i, bits));
    }
    for (size_t j = i + 1; j < count; ++j) {
      if (program.arguments[j].element_type != type) continue;
      add(absl::StrCat("operands ", i + 1, " and ", j + 1, " equal"),
          Replaced(program, j, {ValueRef::Kind::kArgument, static_cast<int>(i)}));
    }
  }
}

// Each op with its element types, and the settings of a sweep of values.
std::vector<ProofTile> PlannedTiles(const std::vector<OpKind>& ops, const std::vector<ElementType>& types) {
  std::vector<ProofTile> tiles;
  for (const ValueSweep& sweep : PlanValueSweeps({.inputs = 1, .ops = ops, .types = types})) {
    // With one scale for all channels, rescale is elementwise.
    const bool has_question = sweep.op == OpKind::kRescale || sweep.op == OpKind::kTable;
    if (!IsElementwise(Info(sweep.op)) && !has_question) continue;
    const bool is_new = tiles.empty() || tiles.back().op != sweep.op || tiles.back().input != sweep.input ||
                        tiles.back().result != sweep.result;
    if (is_new) tiles.push_back({sweep.op, sweep.input, sweep.result, {}});
    tiles.back().settings.push_back({sweep.setting, CaseOfInputs(sweep, 0, 1, "").program});
    tiles.back().settings.back().is_optional = sweep.attributes.rounding_mode == RoundingMode::kInexactRound;
  }
  return tiles;
}

}  // namespace

bool IsByChannel(const OpApplication& op, size_t operand) {
  return op.attributes.per_channel.value_or(false) &&
         Info(Info(op.op).operands[operand]).access == OperandAccess::kChannel;
}

size_t CountChannels(const Program& program) {
  const OpApplication& op = program.ops[0];
  for (size_t k = 0; k < op.operands.size(); ++k) {
    if (IsByChannel(op, k)) return AsConstant(program, op.operands[k])->element_count();
  }
  return 0;
}

std::vector<ProofTile> FolderTiles(const std::vector<OpKind>& ops, const std::vector<ElementType>& types) {
  std::vector<ProofTile> tiles = PlannedTiles(ops, types);
  for (ProofTile& tile : tiles) {
    std::vector<ProofSetting> variants;
    for (const ProofSetting& setting : tile.settings) AddVariants(setting, &variants);
    tile.settings = std::move(variants);
  }
  return tiles;
}

std::vector<ProofTile> ProofTiles(const std::vector<OpKind>& ops, const std::vector<ElementType>& types) {
  std::vector<ProofTile> tiles = PlannedTiles(ops, types);
  for (ProofTile& tile : tiles) {
    if (auto settings = SettingsOf(tile, tile.settings.front()); !settings.empty()) tile.settings = std::move(settings);
    if (tile.op == OpKind::kRescale) AddChannelsOfRescale(&tile);
  }
  return tiles;
}

Program OfRank(const Program& program, int rank) {
  std::vector<int64_t> sizes(kSizes, kSizes + rank);
  if (const size_t channels = CountChannels(program); channels > 0) sizes.back() = static_cast<int64_t>(channels);
  const Shape shape = Shape::OfSizes(sizes);
  Program shaped = program;
  for (TensorType& argument : shaped.arguments) argument.shape = shape;
  for (OpApplication& op : shaped.ops) op.result.shape = shape;
  return shaped;
}

Case CaseOfElements(const Program& program, const std::vector<uint64_t>& bits, const std::string& route) {
  Case test_case;
  test_case.program = program;
  test_case.route = route;
  test_case.origin = "tosaic prove: a wrong element of a body";
  Run& run = test_case.runs.emplace_back();
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const TensorType& type = program.arguments[i];
    std::vector<int64_t> sizes;
    for (size_t d = 0; d < type.shape.rank(); ++d) sizes.push_back(type.shape[d].size());
    Tensor& tensor = run.emplace_back(type.element_type, sizes);
    for (size_t element = 0; element < tensor.element_count(); ++element) tensor.SetBits(element, bits[i]);
  }
  return test_case;
}

}  // namespace tosaic
