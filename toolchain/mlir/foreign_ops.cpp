// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/foreign_ops.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/mlir_scanner.h"

namespace tosaic {
namespace {

// "%a, %b:2 =" at `begin`: how many results that are, and where what follows begins; 0 if it is nothing of the kind.
size_t Results(absl::string_view text, size_t begin, size_t* behind) {
  size_t count = 0;
  size_t at = begin;
  while (at < text.size() && text[at] == '%') {
    at = WordEnd(text, at + 1);
    int several = 1;
    if (at < text.size() && text[at] == ':') {
      const size_t end = WordEnd(text, at + 1);
      if (!absl::SimpleAtoi(text.substr(at + 1, end - at - 1), &several)) return 0;
      at = end;
    }
    count += static_cast<size_t>(several);
    at = NextNoBlank(text, at);
    if (at < text.size() && text[at] == ',') at = NextNoBlank(text, at + 1);
  }
  if (count == 0 || at >= text.size() || text[at] != '=') return 0;
  *behind = NextNoBlank(text, at + 1);
  return count;
}

std::vector<absl::string_view> Operands(absl::string_view text) {
  std::vector<absl::string_view> operands;
  for (size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    const size_t end = WordEnd(text, at + 1);
    const size_t number = end < text.size() && text[end] == '#' ? WordEnd(text, end + 1) : end;
    operands.push_back(text.substr(at, number - at));
  }
  return operands;
}

std::vector<absl::string_view> List(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (absl::StartsWith(text, "(") && absl::EndsWith(text, ")")) text = text.substr(1, text.size() - 2);
  std::vector<absl::string_view> items;
  size_t begin = 0;
  std::vector<size_t> ends = OutsideBrackets(text, ',');
  ends.push_back(text.size());
  for (const size_t end : ends) {
    const absl::string_view item = absl::StripAsciiWhitespace(text.substr(begin, end - begin));
    if (!item.empty()) items.push_back(item);
    begin = end + 1;
  }
  return items;
}

// The types that stand behind an op's last colon, of its operands and results, as far as they can be told.
struct Types {
  std::vector<absl::string_view> operands, results;
  bool told = false;
};

Types TypesOf(absl::string_view tail, size_t operands, size_t results) {
  Types types;
  tail = tail.substr(0, tail.find(" loc("));
  for (const size_t arrow : OutsideBrackets(tail, '>')) {
    if (arrow == 0 || tail[arrow - 1] != '-') continue;
    types.operands = List(tail.substr(0, arrow - 1));
    types.results = List(tail.substr(arrow + 1));
    types.told = types.operands.size() == operands && types.results.size() == results;
    return types;
  }
  const std::vector<absl::string_view> all = List(tail);
  if (all.size() == 1) {
    types = {std::vector<absl::string_view>(operands, all[0]), std::vector<absl::string_view>(results, all[0]), true};
  } else if (results == 0 && all.size() == operands) {
    types = {all, {}, true};
  }
  return types;
}

// The attribute kLeftOut for the elementwise ops in a text; nothing if there are none. `plain`: as in GenericForm().
std::string LeftOut(absl::string_view text, absl::string_view plain) {
  constexpr absl::string_view kTosa = "tosa.";
  std::vector<std::string> ops;
  for (size_t at = text.find(kTosa); at != text.npos; at = text.find(kTosa, at + 1)) {
    const bool is_generic = at > 0 && plain[at - 1] == '"';
    const absl::string_view name = text.substr(at, WordEnd(text, at) - at);
    if ((plain[at] == ' ' && !is_generic) || !FindOpOfAny(name)) continue;
    ops.push_back(absl::StrCat(name, "+", std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n')));
  }
  return ops.empty() ? "" : absl::StrCat(kLeftOut, " = \"", absl::StrJoin(ops, " "), "\"");
}

// An op of a foreign dialect, without its results' names, in generic form. `plain`: the same text without what stands
// in quotes.
std::string GenericForm(absl::string_view name, absl::string_view text, absl::string_view plain, size_t results) {
  const size_t colon = [&] {
    const std::vector<size_t> colons = OutsideBrackets(plain, ':');
    return colons.empty() ? plain.size() : colons.back();
  }();
  const absl::string_view head = plain.substr(0, colon);
  const std::vector<absl::string_view> operands = Operands(head);
  const bool has_region = absl::StrContains(head, '\n') && absl::StrContains(head, '=');
  const Types types = TypesOf(plain.substr(std::min(colon + 1, plain.size())), operands.size(), results);
  const std::string left_out = LeftOut(text, plain);
  const std::string attributes = left_out.empty() ? "" : absl::StrCat(" {", left_out, "}");
  if (has_region || !types.told) return absl::StrCat("\"", name, "\"()", attributes, " : () -> ()");
  const absl::string_view value = absl::StripAsciiWhitespace(text.substr(0, colon));
  const bool is_constant = operands.empty() && results == 1 && absl::StartsWith(value, "dense<");
  return absl::StrCat("\"", name, "\"(", absl::StrJoin(operands, ", "), ")",
                      is_constant ? absl::StrCat(" {value = ", value, " : ", types.results[0], "}") : attributes,
                      " : (", absl::StrJoin(types.operands, ", "), ") -> (", absl::StrJoin(types.results, ", "), ")");
}

}  // namespace

std::string InGenericForm(absl::string_view text, absl::FunctionRef<bool(absl::string_view op)> is_known) {
  const std::string plain_text = WithoutQuotedText(text);
  const absl::string_view plain = plain_text;
  std::string out;
  size_t copied = 0;
  for (size_t line = 0; line < plain.size(); line = plain.find('\n', line) + 1) {
    const size_t begin = plain.find_first_not_of(" \t\r", line);
    if (begin == plain.npos) break;
    size_t op = begin;
    const size_t results = Results(plain, begin, &op);
    const size_t word_end = WordEnd(plain, op);
    const absl::string_view name = plain.substr(op, word_end - op);
    const size_t dot = name.find('.');
    const size_t behind = NextNoBlank(plain, word_end);
    const bool is_attribute = behind < plain.size() && plain[behind] == '=';
    const bool is_op = !is_attribute && begin >= copied && dot != name.npos &&
                       absl::ascii_isalpha(static_cast<unsigned char>(name[0]));
    if (is_op && !is_known(name)) {
      const size_t end = StatementEnd(plain, op);
      const std::string generic =
          GenericForm(name, text.substr(word_end, end - word_end), plain.substr(word_end, end - word_end), results);
      const bool has_results = absl::StrContains(generic, "-> ()") ? results == 0 : true;
      absl::StrAppend(&out, text.substr(copied, (has_results ? op : begin) - copied), generic);
      const auto lines = [](absl::string_view part) { return std::count(part.begin(), part.end(), '\n'); };
      const std::ptrdiff_t lost = lines(text.substr(begin, end - begin)) - lines(generic);
      out.append(static_cast<size_t>(std::max<std::ptrdiff_t>(lost, 0)), '\n');  // at least as many as before
      copied = end;
    }
    if (plain.find('\n', line) == plain.npos) break;
  }
  return absl::StrCat(out, text.substr(copied));
}

std::vector<std::pair<std::string, int>> OpsAlone(absl::string_view text) {
  const std::string plain_text = WithoutQuotedText(text);
  const absl::string_view plain = plain_text;
  std::vector<std::pair<size_t, size_t>> ops, shared;
  for (size_t at = NextNoBlank(plain, 0); at < plain.size(); at = NextNoBlank(plain, at)) {
    if (plain[at] == '}' || plain[at] == ')') {
      ++at;  // the end of a module
      continue;
    }
    const size_t end = std::max(StatementEnd(plain, at), at + 1);
    const absl::string_view statement = plain.substr(at, end - at);
    const absl::string_view word = statement.substr(0, WordEnd(statement, 0));
    const size_t body = statement.find_last_of('{', statement.find('\n'));
    if ((word == "module" || word == "builtin.module") && body != statement.npos) {
      at += body + 1;
      continue;
    }
    const bool is_shared = plain[at] == '#' || plain[at] == '!' || absl::StartsWith(statement, "{-#");
    (is_shared ? shared : ops).emplace_back(at, end);
    at = end;
  }
  std::vector<std::pair<std::string, int>> alone;
  for (const auto& op : ops) {
    std::string masked(text);
    for (char& c : masked) {
      if (c != '\n') c = ' ';
    }
    shared.push_back(op);
    for (const auto& [begin, end] : shared)
      masked.replace(begin, end - begin, std::string(text.substr(begin, end - begin)));
    shared.pop_back();
    alone.emplace_back(std::move(masked), 1 + std::count(text.begin(), text.begin() + op.first, '\n'));
  }
  return alone;
}

}  // namespace tosaic
