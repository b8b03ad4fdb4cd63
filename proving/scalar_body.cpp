// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/scalar_body.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codec/status.h"

namespace tosaic {
namespace {

absl::Status NotRead(absl::string_view construct) {
  return absl::UnimplementedError(absl::StrCat("not understood: ", construct));
}

// The text between the first `open` and the next `close` behind it; nullopt without them.
std::optional<absl::string_view> Between(absl::string_view text, absl::string_view open, absl::string_view close) {
  const size_t begin = text.find(open);
  if (begin == text.npos) return std::nullopt;
  const absl::string_view rest = text.substr(begin + open.size());
  const size_t end = rest.find(close);
  if (end == rest.npos) return std::nullopt;
  return rest.substr(0, end);
}

// "%a, %b" of "%a, %b : T, T".
std::vector<absl::string_view> NamesIn(absl::string_view list) {
  return absl::StrSplit(list.substr(0, list.find(" : ")), absl::ByAnyChar(", "), absl::SkipEmpty());
}

// "a: i32" pairs of "%a: i32, %b: tensor<2xi32>", whose types have no comma.
std::vector<std::pair<std::string, std::string>> Typed(absl::string_view list) {
  std::vector<std::pair<std::string, std::string>> typed;
  for (const absl::string_view part : absl::StrSplit(list, ", ", absl::SkipEmpty())) {
    typed.push_back(absl::StrSplit(part, absl::MaxSplits(": ", 1)));
  }
  return typed;
}

class BodyReader {
 public:
  absl::StatusOr<ScalarBody> Read(absl::string_view module) {
    for (const absl::string_view line : absl::StrSplit(module, '\n')) {
      TOSAIC_RETURN_IF_ERROR(ReadLine(absl::StripAsciiWhitespace(line)));
    }
    if (returned_.empty()) return NotRead("no value is returned");
    if (returned_ == result_ && yields_) {
      body_.yields = *yields_;
      return std::move(body_);
    }
    body_.ops.clear();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].first != returned_) continue;
      body_.yields = static_cast<int>(i);
      return std::move(body_);
    }
    if (const auto splat = splats_.find(returned_); splat != splats_.end()) {
      body_.yields = AddOp(splat->second);
      return std::move(body_);
    }
    return NotRead("the value returned is no linalg.generic, no argument and no constant of equal elements");
  }

 private:
  absl::Status ReadLine(absl::string_view line) {
    if (absl::ConsumePrefix(&line, "#")) return ReadMap(line);
    if (absl::StartsWith(line, "func.func ")) return ReadFunction(line);
    if (absl::ConsumePrefix(&line, "return ")) {
      returned_ = std::string(line.substr(0, line.find(' ')));
      return absl::OkStatus();
    }
    if (absl::StrContains(line, "= linalg.generic ")) return ReadGeneric(line);
    if (absl::StartsWith(line, "^bb0(")) return ReadArguments(line);
    if (absl::ConsumePrefix(&line, "linalg.yield ")) return ReadYield(line);
    if (absl::StrContains(line, " = ")) return ReadOp(line);
    if (line.empty() || line[0] == '}' || absl::StartsWith(line, "module")) return absl::OkStatus();
    return NotRead(line);
  }

  // "map = affine_map<(d0, d1) -> (d0, d1)>".
  absl::Status ReadMap(absl::string_view line) {
    const absl::string_view name = line.substr(0, line.find(' '));
    if (!absl::StrContains(line, "affine_map<")) return absl::OkStatus();
    const size_t arrow = line.find(" -> ");
    const absl::string_view from = line.substr(line.find('<') + 1, arrow - line.find('<') - 1);
    const absl::string_view to = absl::StripSuffix(line.substr(arrow + 4), ">");
    if (from == to) identities_.emplace(name);
    const std::vector<absl::string_view> dims = absl::StrSplit(from.substr(1, from.size() - 2), ", ");
    if (to == absl::StrCat("(", dims.back(), ")")) last_dims_.emplace(name);
    return absl::OkStatus();
  }

  absl::Status ReadFunction(absl::string_view line) {
    if (!arguments_.empty()) return NotRead("a second function");
    const auto list = Between(line, "(", ")");
    if (!list) return NotRead(line);
    arguments_ = Typed(*list);
    for (auto& [name, type] : arguments_) {
      const size_t element = type.rfind('x') == type.npos ? type.find('<') : type.rfind('x');
      body_.arguments.push_back(type.substr(element + 1, type.size() - element - 2));
      numbers_[name] = static_cast<int>(body_.arguments.size()) - 1;
    }
    return absl::OkStatus();
  }

  absl::Status ReadGeneric(absl::string_view line) {
    if (!result_.empty()) return NotRead("a second linalg.generic");
    result_ = std::string(line.substr(0, line.find(' ')));
    const auto maps = Between(line, "indexing_maps = [", "]");
    const auto inputs = Between(line, " ins(", ")");
    if (!maps || !inputs) return NotRead(line);
    const std::vector<absl::string_view> named = absl::StrSplit(*maps, ", ");
    const std::vector<absl::string_view> names = NamesIn(*inputs);
    for (size_t i = 0; i < named.size(); ++i) {
      const bool is_by_channel = i < names.size() && channels_.contains(std::string(names[i]));
      const std::string map(absl::StripPrefix(named[i], "#"));
      if (is_by_channel ? !last_dims_.contains(map) : named[i] != named[0] || !identities_.contains(map)) {
        return NotRead("a map that is no identity");
      }
    }
    for (const absl::string_view input : names) inputs_.emplace_back(input);
    return absl::OkStatus();
  }

  // The region's arguments stand for the generic's operands; the last, of the output, for nothing.
  absl::Status ReadArguments(absl::string_view line) {
    const auto list = Between(line, "(", ")");
    if (!list) return NotRead(line);
    const auto block = Typed(*list);
    if (block.size() != inputs_.size() + 1) return NotRead(line);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (const auto splat = splats_.find(inputs_[i]); splat != splats_.end()) {
        inner_[block[i].first] = AddOp(splat->second);
        continue;
      }
      if (const auto channel = channels_.find(inputs_[i]); channel != channels_.end()) {
        inner_[block[i].first] = AddOp(channel->second);
        continue;
      }
      const auto outer = numbers_.find(inputs_[i]);
      if (outer == numbers_.end() || outer->second >= static_cast<int>(arguments_.size())) {
        return NotRead(absl::StrCat("the input ", inputs_[i], " is no argument of the function"));
      }
      inner_[block[i].first] = outer->second;
    }
    return absl::OkStatus();
  }

  std::optional<int> NumberOf(absl::string_view name) const {
    const std::string key(name);
    if (const auto found = inner_.find(key); found != inner_.end()) return found->second;
    // An argument of the function is a tensor, and no scalar that the region sees.
    const auto found = numbers_.find(key);
    if (found == numbers_.end() || found->second < static_cast<int>(arguments_.size())) return std::nullopt;
    return found->second;
  }

  absl::Status ReadYield(absl::string_view line) {
    yields_ = NumberOf(line.substr(0, line.find(' ')));
    return yields_ ? absl::OkStatus() : NotRead(absl::StrCat("linalg.yield ", line));
  }

  // "arith.constant dense<7> : tensor<2xi32>", whose elements are equal, or of rank 1 with an element for each channel,
  // "dense<[7, 8]>", or the bytes of many elements, "dense<"0x07080A...">". Others are no constants that a body has.
  absl::Status ReadConstant(absl::string_view name, absl::string_view constant) {
    const auto value = Between(constant, "arith.constant dense<", "> : tensor<");
    if (!value || absl::StartsWith(*value, "[[")) return absl::OkStatus();
    const absl::string_view tensor = constant.substr(constant.rfind("tensor<") + 7);
    const std::string type(
        absl::StripSuffix(tensor.substr(tensor.rfind('x') == tensor.npos ? 0 : tensor.rfind('x') + 1), ">"));
    absl::string_view elements = *value;
    const bool is_by_channel = (absl::ConsumePrefix(&elements, "[") && absl::ConsumeSuffix(&elements, "]")) ||
                               absl::StartsWith(elements, "\"0x");
    (is_by_channel ? channels_ : splats_)[std::string(name)] = {
        .name = is_by_channel ? kChannelConstant : "arith.constant",
        .words = {std::string(elements)},
        .type = type,
        .result_type = type};
    return absl::OkStatus();
  }

  // The value that the op makes.
  int AddOp(BodyOp op) {
    body_.ops.push_back(std::move(op));
    return static_cast<int>(body_.arguments.size() + body_.ops.size()) - 1;
  }

  // "tensor.extract %cst[%3] : tensor<256xi8>" of a constant that ReadConstant has read.
  absl::Status ReadExtract(absl::string_view name, absl::string_view line) {
    const auto table = Between(line, "tensor.extract ", "["), index = Between(line, "[", "]");
    const auto size = Between(line, ": tensor<", "x");
    const auto constant = table ? channels_.find(std::string(*table)) : channels_.end();
    const std::optional<int> number = index ? NumberOf(*index) : std::nullopt;
    if (constant == channels_.end() || !number || !size) return NotRead(line);
    const BodyOp& elements = constant->second;
    numbers_[std::string(name)] = AddOp({.name = kTableEntry,
                                         .operands = {*number},
                                         .words = {elements.words[0], std::string(*size)},
                                         .type = "index",
                                         .result_type = elements.type});
    return absl::OkStatus();
  }

  // "%2 = arith.cmpf uge, %0, %cst fastmath<nnan> : f32", "%c = arith.constant true".
  absl::Status ReadOp(absl::string_view line) {
    std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(line, absl::MaxSplits(" = ", 1));
    if (absl::StartsWith(sides.second, "tensor.extract ")) return ReadExtract(sides.first, sides.second);
    // Of tensors: the output's, which no value depends on, and constants.
    if (absl::StrContains(sides.second, "tensor<")) return ReadConstant(sides.first, sides.second);
    BodyOp op;
    const size_t colon = sides.second.rfind(" : ");
    const absl::string_view types = colon == line.npos ? "" : sides.second.substr(colon + 3);
    const std::vector<absl::string_view> parts =
        absl::StrSplit(sides.second.substr(0, colon), absl::ByAnyChar(", "), absl::SkipEmpty());
    op.name = std::string(parts[0]);
    for (size_t i = 1; i < parts.size(); ++i) {
      if (parts[i][0] != '%') {
        op.words.emplace_back(parts[i]);
        continue;
      }
      const std::optional<int> number = NumberOf(parts[i]);
      if (!number) return NotRead(absl::StrCat(op.name, " of ", parts[i]));
      op.operands.push_back(*number);
    }
    const std::vector<absl::string_view> both = absl::StrSplit(types, " to ");
    op.type = types.empty() ? "i1" : std::string(both.front());
    op.result_type = types.empty() ? "i1" : std::string(both.back());
    if (op.name == "arith.cmpi" || op.name == "arith.cmpf") op.result_type = "i1";
    // Of several results, each is an op that has its place as the first word.
    const std::vector<absl::string_view> results = absl::StrSplit(sides.first, ", ");
    for (size_t i = 0; i < results.size(); ++i) {
      BodyOp body_op = op;
      if (results.size() > 1) body_op.words.insert(body_op.words.begin(), absl::StrCat("result", i));
      numbers_[std::string(results[i])] = AddOp(std::move(body_op));
    }
    return absl::OkStatus();
  }

  ScalarBody body_;
  std::vector<std::pair<std::string, std::string>> arguments_;  // of the function, with their types
  std::set<std::string> identities_, last_dims_;                // maps: of all dimensions, of the last
  std::map<std::string, int> numbers_;                          // of what is not the region's argument
  std::map<std::string, int> inner_;                            // of the region's arguments
  std::map<std::string, BodyOp> splats_;                        // tensors of equal elements, as the op that makes one
  std::map<std::string, BodyOp> channels_;                      // tensors with an element for each channel
  std::vector<std::string> inputs_;                             // of the linalg.generic
  std::string result_, returned_;
  std::optional<int> yields_;
};

}  // namespace

std::string ToString(const ScalarBody& body) {
  std::string text;
  int number = static_cast<int>(body.arguments.size());
  for (const BodyOp& op : body.ops) {
    absl::StrAppend(&text, "%", number++, " = ", op.name);
    for (const std::string& word : op.words) absl::StrAppend(&text, " ", word);
    for (const int operand : op.operands) absl::StrAppend(&text, " %", operand);
    absl::StrAppend(&text, " : ", op.type, op.type == op.result_type ? "" : " to " + op.result_type, "; ");
  }
  return absl::StrCat("(", absl::StrJoin(body.arguments, ", "), ") ", text, "yield %", body.yields);
}

absl::StatusOr<ScalarBody> ReadScalarBody(absl::string_view module) { return BodyReader().Read(module); }

}  // namespace tosaic
