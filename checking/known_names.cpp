// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/known_names.h"

#include <cstddef>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/did_you_mean.h"
#include "model/element_type.h"
#include "model/op_catalogue.h"
#include "model/op_signature.h"
#include "model/routes.h"
#include "model/rules.h"
#include "model/shape_class.h"
#include "model/validation_target.h"
#include "model/verdict.h"

namespace tosaic {
namespace {

using Names = std::vector<std::string>;

// Each list is made once: an entry asks several.
template <NamedEnum E>
const Names& AllNames() {
  static const Names& names = *new Names([] {
    Names names(NamesOf(E{}).names.begin(), NamesOf(E{}).names.end());
    std::erase(names, "");
    return names;
  }());
  return names;
}

const Names& OpNames() {
  static const Names& names = *new Names([] {
    Names names = {std::string(kSeveralOps), kProbeOp};
    for (const OpInfo& op : AllOps()) names.push_back(std::string(op.name));
    return names;
  }());
  return names;
}

// With MLIR's integers that no case has: lists name these beside their like.
const Names& ElementTypesNames() {
  static const Names& names = *new Names([] {
    Names single = AllNames<ElementType>(), names = {std::string(kBeyondSpecTypes)};
    for (const char* other : {"si8", "si16", "si64", "ui64"}) single.emplace_back(other);
    for (const std::string& in : single) {
      names.push_back(in);
      for (const std::string& out : single) names.push_back(absl::StrCat(in, "-", out));
    }
    return names;
  }());
  return names;
}

// Those of every version, and that of a pipeline of the user's own.
const Names& RouteNamesOfAll() {
  static const Names& names = *new Names([] {
    Names names = {std::string(kCustomRoute)};
    for (const DialectInfo& info : AllDialects()) {
      for (const Route& route : RoutesOf(info.dialect)) names.push_back(std::string(route.name));
    }
    return names;
  }());
  return names;
}

bool IsPattern(absl::string_view text) { return text.find_first_of("*?[\\") != text.npos; }

// "" if the pattern matches one of the names, or nothing at all.
std::string NoName(absl::string_view noun, const std::string& pattern, const Names& names) {
  const auto matches = [&](const std::string& name) { return MatchesGlob(pattern, name); };
  if (pattern.empty() || pattern == "*" || absl::c_any_of(names, matches)) return "";
  return absl::StrCat("no ", noun, " is called '", pattern, "'", DidYouMean(pattern, names));
}

// Whether a part stands where a rule's label does: it begins as one, "value.".
bool IsLikeRule(absl::string_view part) {
  const size_t dot = part.find('.');
  return dot != part.npos && !IsPattern(part.substr(0, dot)) && absl::c_any_of(AllRules(), [&](const RuleInfo& rule) {
           return absl::StartsWith(rule.label, part.substr(0, dot + 1));
         });
}

// The same of a part of a whole text, which may hold anything: only what is similar to a name is a misspelt one.
std::string Misspelt(absl::string_view noun, absl::string_view part, const Names& names) {
  if (IsPattern(part) || absl::c_linear_search(names, part)) return "";
  return DidYouMean(part, names).empty() ? "" : NoName(noun, std::string(part), names);
}

// The same of a part between the verdict and the rule: op, element types, route.
std::string MisspeltBeforeRule(absl::string_view part) {
  static const Names& names = *new Names([] {
    Names names = OpNames();
    for (const Names* more : {&ElementTypesNames(), &RouteNamesOfAll()})
      names.insert(names.end(), more->begin(), more->end());
    return names;
  }());
  return Misspelt("op, element type or route", part, names);
}

}  // namespace

std::string NoNameIn(const SignaturePattern& parts) {
  static const Names& strictness = *new Names{"8k", "none", "8k,strict", "none,strict"};
  for (const std::string& no_name :
       {NoName("verdict", parts.verdict, AllNames<Verdict>()), NoName("op", parts.op, OpNames()),
        NoElementTypesIn(parts.types), NoName("route", parts.route, RouteNamesOfAll()),
        NoName("rule", parts.rule, AllNames<RuleId>()), NoName("strictness", parts.strictness, strictness)}) {
    if (!no_name.empty()) return no_name;
  }
  return "";
}

std::string NoNameIn(absl::string_view signature) {
  const std::vector<absl::string_view> parts = absl::StrSplit(signature, '/');
  const Names& verdicts = AllNames<Verdict>();
  if (parts.size() < 2 || IsPattern(parts[0])) return "";
  if (!absl::c_linear_search(verdicts, parts[0])) return Misspelt("verdict", parts[0], verdicts);
  if (std::string misspelt = Misspelt("op", parts[1], OpNames()); !misspelt.empty()) return misspelt;
  const auto rule = absl::c_find_if(parts, IsLikeRule);
  if (rule == parts.end()) return "";
  for (const absl::string_view part : absl::MakeSpan(parts).subspan(1, rule - parts.begin() - 1)) {
    if (std::string misspelt = MisspeltBeforeRule(part); !misspelt.empty()) return misspelt;
  }
  return Misspelt("rule", *rule, AllNames<RuleId>());
}

std::string NoOpIn(const std::string& pattern) {
  const size_t bracket = pattern.find('(');
  return bracket == pattern.npos ? "" : NoName("op", pattern.substr(0, bracket), OpNames());
}

std::string NoElementTypesIn(const std::string& pattern) {
  return NoName("element type", pattern, ElementTypesNames());
}

std::string NoShapesIn(const std::string& pattern) {
  Names names = AllNames<ShapeClass>();
  std::erase(names, kSeveralOps);  // whose ops are classified one by one
  return NoName("class of shapes", pattern, names);
}

}  // namespace tosaic
