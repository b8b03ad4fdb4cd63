// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/signature.h"

#include <fnmatch.h>

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "codec/visitor.h"
#include "model/element_type.h"
#include "model/op_catalogue.h"
#include "model/op_signature.h"
#include "model/validation_target.h"

namespace tosaic {
namespace {

// Labels of rules have a dot, names of routes none.
bool IsRule(absl::string_view part) { return absl::StrContains(part, '.'); }

// "negate(negate(x))": no diagnostic begins with an op's name and a bracket.
bool IsOpPattern(absl::string_view part) {
  return absl::EndsWith(part, ")") && FindOp(part.substr(0, part.find('('))).has_value();
}

}  // namespace

bool IsSignedOp(absl::string_view part) { return part == kSeveralOps || part == kProbeOp || FindOp(part).has_value(); }

bool IsOfForeignMemory(absl::string_view detail) { return detail == kSpecialOperand || detail == kUnrankedOperand; }

FindingSignature ParseFindingSignature(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  const std::optional<Verdict> verdict = Find<Verdict>(parts[0]);
  FindingSignature no_signature{.detail = std::string(text)};
  if (!verdict || parts.size() < 2 || !IsSignedOp(parts[1])) return no_signature;
  FindingSignature signature{.verdict = verdict, .op = std::string(parts[1])};
  absl::Span<const absl::string_view> rest = absl::MakeSpan(parts).subspan(2);
  const auto take = [&](std::string* part, bool is_it) {
    if (!is_it) return;
    *part = std::string(rest.front());
    rest.remove_prefix(1);
  };
  take(&signature.types, !rest.empty() && (rest.front() == kBeyondSpecTypes || FindTypePair(rest.front())));
  take(&signature.route, !rest.empty() && !IsRule(rest.front()) && !IsOfForeignMemory(rest.front()));
  take(&signature.rule, !rest.empty() && IsRule(rest.front()));
  take(&signature.strictness, !rest.empty() && IsStrictness(rest.front()));
  if (signature.op == kSeveralOps && !rest.empty() && IsOpPattern(rest.back())) {
    signature.ops = std::string(rest.back());
    rest.remove_suffix(1);
  }
  signature.detail = absl::StrJoin(rest, "/");
  return ToString(signature) == text ? signature : no_signature;
}

std::string ToString(const FindingSignature& signature) {
  std::string text = signature.verdict ? std::string(Name(*signature.verdict)) : "";
  for (const std::string* part : {&signature.op, &signature.types, &signature.route, &signature.rule,
                                  &signature.strictness, &signature.detail, &signature.ops}) {
    if (!part->empty()) absl::StrAppend(&text, text.empty() ? "" : "/", *part);
  }
  return text;
}

bool operator<(const FindingSignature& a, const FindingSignature& b) { return ToString(a) < ToString(b); }

absl::Status ReadText(absl::string_view text, FindingSignature& signature) {
  signature = ParseFindingSignature(text);
  return absl::OkStatus();
}

bool MatchesGlob(const std::string& pattern, const std::string& text) {
  return pattern == text || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool SignaturePattern::Matches(const FindingSignature& signature) const {
  return MatchesGlob(verdict, signature.verdict ? std::string(Name(*signature.verdict)) : "") &&
         MatchesGlob(op, signature.op) && MatchesGlob(types, signature.types) && MatchesGlob(route, signature.route) &&
         MatchesGlob(rule, signature.rule) && MatchesGlob(strictness, signature.strictness) &&
         MatchesGlob(detail, signature.detail);
}

std::string ToString(const SignaturePattern& pattern) {
  return absl::StrJoin(
      {pattern.verdict, pattern.op, pattern.types, pattern.route, pattern.rule, pattern.strictness, pattern.detail},
      "/");
}

void Fields(Visitor& v, SignaturePattern& pattern) {
  v.Strict();
  v.MayLack("verdict", pattern.verdict, "a shell pattern, as all that follow; without: anything");
  v.MayLack("op", pattern.op, "without the dialect's prefix; \"several-ops\"; \"broadcastable\" of the trait alone");
  v.MayLack("types", pattern.types, "\"i8-i32\"; \"beyond-spec\"");
  v.MayLack("route", pattern.route);
  v.MayLack("rule", pattern.rule, "its label");
  v.MayLack("strictness", pattern.strictness);
  v.MayLack("detail", pattern.detail, "what distinguishes causes under the rule");
}

}  // namespace tosaic
