// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/older_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/attributes.h"
#include "model/mlir_text.h"
#include "model/op_catalogue.h"
#include "toolchain/mlir/mlir_scanner.h"

namespace tosaic {
namespace {

// Replacements: where some characters begin, how many they are, and the text in their place.
using Edits = std::map<size_t, std::pair<size_t, std::string>>;

// The place after the bracket that closes the one at `open`; npos: there is none.
size_t BehindClosing(absl::string_view plain, size_t open, char opening, char closing) {
  int depth = 0;
  for (size_t i = open; i < plain.size(); ++i) {
    depth += plain[i] == opening ? 1 : plain[i] == closing ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return plain.npos;
}

// Whether an op of TOSA in generic form ends its operands right before `at`: "tosa.add"(%a, %b).
bool IsBehindTosaOp(absl::string_view text, absl::string_view plain, size_t at) {
  const size_t close = at == 0 ? plain.npos : plain.find_last_not_of(" \t\r\n", at - 1);
  if (close == plain.npos || plain[close] != ')') return false;
  const size_t open = plain.rfind('(', close);
  if (open == plain.npos || open == 0 || plain[open - 1] != '"') return false;
  const size_t quote = open < 2 ? plain.npos : plain.rfind('"', open - 2);
  return quote != plain.npos && absl::StartsWith(text.substr(quote + 1), "tosa.");
}

// The value of a clause in the spelling of an attribute: NAME<VALUE> is an enum; a list is of i32, as all are.
std::string ValueOfClause(absl::string_view name, char opening, absl::string_view value) {
  if (opening == '<') return absl::StrCat("#tosa.", name, "<", value, ">");
  if (absl::StartsWith(value, "[") && absl::EndsWith(value, "]")) {
    return absl::StrCat("array<i32: ", value.substr(1, value.size() - 2), ">");
  }
  const bool is_typed = value == "true" || value == "false" || absl::StrContains(value, ':');
  return absl::StrCat(value, is_typed ? "" : " : i32");
}

// An op of TOSA up to the colon before its types, in generic form; empty: it has no clauses.
std::string WithoutClauses(absl::string_view name, absl::string_view head) {
  size_t at = NextNoBlank(head, 0);
  const size_t operands = at;
  while (at < head.size() && absl::StrContains("%#,", head[at])) {
    at = NextNoBlank(head, std::max(WordEnd(head, at + 1), at + 1));
  }
  const absl::string_view behind_name = absl::StripAsciiWhitespace(head.substr(operands, at - operands));
  std::vector<std::string> values;
  bool has_clauses = false;
  const bool is_judged = name == "tosa.const" || name == "tosa.const_shape" || name == "tosa.dim" || FindOp(name);
  while (at < head.size() && head[at] != '{') {
    const size_t open = WordEnd(head, at);
    const char opening = open == at || open >= head.size() ? ' ' : head[open];
    if (opening != '(' && opening != '<') return "";
    const size_t end = BehindClosing(head, open, opening, opening == '(' ? ')' : '>');
    if (end == head.npos) return "";
    const absl::string_view clause = head.substr(at, open - at), value = head.substr(open + 1, end - open - 2);
    if (is_judged) values.push_back(absl::StrCat(clause, " = ", ValueOfClause(clause, opening, value)));
    has_clauses = true;
    at = NextNoBlank(head, end);
  }
  if (!has_clauses) return "";
  const size_t close = head.rfind('}');
  if (at < head.size() && close != head.npos && close > at + 1)
    values.emplace_back(head.substr(at + 1, close - at - 1));
  return absl::StrCat("\"", name, "\"(", behind_name, ")", values.empty() ? "" : " {", absl::StrJoin(values, ", "),
                      values.empty() ? " " : "} ");
}

std::string Edited(absl::string_view text, const Edits& edits) {
  std::string out;
  size_t copied = 0;
  for (const auto& [at, edit] : edits) {
    absl::StrAppend(&out, text.substr(copied, at - copied), edit.second);
    copied = at + edit.first;
  }
  return absl::StrCat(out, text.substr(copied));
}

// The text with what `edit` adds, which it is called for wherever these words stand outside of comments and quoted
// text. `plain`: the text without those (WithoutQuotedText).
std::string EditedAtEach(absl::string_view words, absl::string_view text,
                         absl::FunctionRef<void(absl::string_view plain, size_t at, Edits* edits)> edit) {
  const std::string plain_text = WithoutQuotedText(text);
  const absl::string_view plain = plain_text;
  Edits edits;
  for (size_t at = plain.find(words); at != plain.npos; at = plain.find(words, at + 1)) edit(plain, at, &edits);
  return Edited(text, edits);
}

}  // namespace

std::string PropertiesAsAttributes(absl::string_view text) {
  return EditedAtEach("<{", text, [&](absl::string_view plain, size_t at, Edits* edits) {
    if (!IsBehindTosaOp(text, plain, at)) return;
    const size_t end = BehindClosing(plain, at + 1, '{', '}');  // at the ">"
    if (end >= plain.size() || plain[end] != '>') return;
    const size_t next = NextNoBlank(plain, end + 1);
    const absl::string_view behind = plain.substr(next);
    if (absl::StartsWith(behind, "(")) return;  // regions stand between properties and attributes
    (*edits)[at] = {1, ""};
    if (!absl::StartsWith(behind, "{")) {
      (*edits)[end] = {1, ""};
      return;
    }
    // The two dictionaries become one.
    const bool both =
        NextNoBlank(plain, at + 2) != end - 1 && !absl::StartsWith(plain.substr(NextNoBlank(plain, next + 1)), "}");
    (*edits)[end - 1] = {2, both ? "," : ""};
    (*edits)[next] = {1, ""};
  });
}

std::string OldAttributesAsStrings(absl::string_view text) {
  return EditedAtEach("#tosa.", text, [&](absl::string_view plain, size_t at, Edits* edits) {
    const size_t open = plain.find('<', at);
    if (open == plain.npos || !absl::EndsWith(plain.substr(at, open - at), "_quant")) return;
    const size_t end = BehindClosing(plain, open, '<', '>');
    if (end == plain.npos) return;
    const absl::string_view old = text.substr(at, end - at);
    if (!absl::StrContains(old, '"') && !absl::StrContains(old, '\n'))
      (*edits)[at] = {old.size(), absl::StrCat("\"", old, "\"")};
  });
}

std::string BlockConstantsAsStrings(absl::string_view text) {
  return EditedAtEach("dense<tensor<", text, [&](absl::string_view plain, size_t at, Edits* edits) {
    const size_t end = BehindClosing(plain, plain.find('<', at), '<', '>');
    if (end == plain.npos) return;
    const absl::string_view constant = text.substr(at, end - at);
    if (absl::StrContains(constant, '"') || absl::StrContains(constant, "//")) return;
    const auto lines = static_cast<size_t>(std::count(constant.begin(), constant.end(), '\n'));
    (*edits)[at] = {constant.size(), absl::StrCat("dense<\"", absl::StrReplaceAll(constant, {{"\n", " "}}),
                                                  "\"> : tensor<1x!tosaic.text>", std::string(lines, '\n'))};
  });
}

std::string QuotedNamesAsEnums(absl::string_view text) {
  std::vector<std::pair<std::string, std::string>> edits;
  const auto add = ByKind{[&]<NamedEnum E>(const AttributeInfo& info, const std::optional<E>&) {
                            for (const E value : All<E>()) {
                              edits.emplace_back(absl::StrCat(info.name, " = ", QuotedText(value)),
                                                 absl::StrCat(info.name, " = ", EnumText(info, value)));
                            }
                          },
                          [](const AttributeInfo&, const auto&) {}};
  const Attributes any;
  ForEachAttribute(any, add);
  return absl::StrReplaceAll(text, edits);
}

std::string NewTypesAsOpaque(absl::string_view text) {
  return EditedAtEach("!tosa.block_scaled<", text, [](absl::string_view, size_t at, Edits* edits) {
    (*edits)[at] = {absl::string_view("!tosa").size(), "!tosaic"};
  });
}

std::string ClausesAsAttributes(absl::string_view text) {
  return EditedAtEach("tosa.", text, [&](absl::string_view plain, size_t at, Edits* edits) {
    if (at > 0 && !absl::StrContains(" \t\n=", plain[at - 1])) return;
    const size_t name_end = WordEnd(plain, at), end = StatementEnd(plain, at);
    const absl::string_view behind_name = plain.substr(name_end, end > name_end ? end - name_end : 0);
    const std::vector<size_t> colons = OutsideBrackets(behind_name, ':');
    if (colons.empty()) return;
    const absl::string_view head = text.substr(name_end, colons[0]);
    const std::string generic = WithoutClauses(text.substr(at, name_end - at), head);
    if (generic.empty()) return;
    const auto lines = [](absl::string_view part) { return std::count(part.begin(), part.end(), '\n'); };
    const auto lost = static_cast<size_t>(std::max<std::ptrdiff_t>(lines(head) - lines(generic), 0));
    (*edits)[at] = {name_end - at + head.size(), absl::StrCat(generic, std::string(lost, '\n'))};
  });
}

}  // namespace tosaic
