// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/rules.h"

#include <array>
#include <cstddef>
#include <ostream>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

enum class Document : uint8_t {
#define TOSAIC_DOCUMENT(enumerator, ...) k##enumerator,
#include "model/rules.def"
};

struct DocumentInfo {
  absl::string_view name, address;
};

constexpr DocumentInfo kDocuments[] = {
#define TOSAIC_DOCUMENT(enumerator, name, address) {name, address},
#include "model/rules.def"
};
const DocumentInfo& Info(Document document) { return kDocuments[static_cast<size_t>(document)]; }

constexpr absl::string_view kValueCases[] = {
#define TOSAIC_VALUE_CASE(enumerator, name) name,
#include "model/rules.def"
};
constexpr size_t kValueCaseCount = std::size(kValueCases);

constexpr size_t kOpCount = [] {
  size_t count = 0;
#define TOSAIC_OP(...) ++count;
#include "model/ops.def"
#undef TOSAIC_OP
  return count;
}();

constexpr auto kValueRules = [] {
  std::array<std::array<RuleId, kValueCaseCount>, kOpCount> rules{};
#define TOSAIC_VALUE_RULE(op, value_case, ...)                                               \
  rules[static_cast<size_t>(OpKind::k##op)][static_cast<size_t>(ValueCase::k##value_case)] = \
      RuleId::kValue##op##value_case;
#include "model/rules.def"
  // Element types that the specification lacks have one rule for all ops.
  for (auto& of_op : rules) {
    of_op[static_cast<size_t>(ValueCase::kExtensionInteger)] = RuleId::kExtensionInteger;
    of_op[static_cast<size_t>(ValueCase::kExtensionBoolean)] = RuleId::kExtensionBoolean;
    of_op[static_cast<size_t>(ValueCase::kExtensionFloat)] = RuleId::kExtensionFloat;
    of_op[static_cast<size_t>(ValueCase::kExtensionCast)] = RuleId::kExtensionCast;
    of_op[static_cast<size_t>(ValueCase::kBeyondSpec)] = RuleId::kBeyondSpec;
  }
  return rules;
}();

// The chapters of the specification, by the first part of the name of an op's section.
struct Chapter {
  absl::string_view name, file;
};
constexpr Chapter kChapters[] = {
    {"Activation functions", "activation_funcs.adoc"},   {"Elementwise binary operators", "ewise_binary.adoc"},
    {"Elementwise unary operators", "ewise_unary.adoc"}, {"Elementwise ternary operators", "ewise_ternary.adoc"},
    {"Comparison operators", "comparison.adoc"},         {"Type conversion", "type_conversion.adoc"},
    {"Data layout operators", "data_layout.adoc"},       {"Data nodes", "data_nodes.adoc"},
};

// "Elementwise binary operators: ADD" -> ".../ewise_binary.adoc#add".
std::string LinkOfOp(const OpInfo& op, Document document) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(op.section, absl::MaxSplits(": ", 1));
  for (const Chapter& chapter : kChapters) {
    if (chapter.name != parts.first) continue;
    return absl::StrCat(Info(document).address, chapter.file, "#", absl::AsciiStrToLower(parts.second));
  }
  return "";
}

RuleInfo ValueRow(RuleId id, OpKind kind, ValueCase value_case, absl::string_view states) {
  const OpInfo& op = Info(kind);
  const bool in_draft = value_case == ValueCase::kToBlockScaled || value_case == ValueCase::kFromBlockScaled;
  const Document document = in_draft ? Document::kDraft : Document::kTosa;
  const bool is_open = value_case >= ValueCase::kBeyondSpec;
  return {.id = id,
          .label = absl::StrCat("value.", op.name, value_case == ValueCase::kPlain ? "" : ".", Name(value_case)),
          .family = RuleFamily::kValue,
          .document = std::string(Info(document).name),
          .section = std::string(op.section),
          .link = LinkOfOp(op, document),
          .states = std::string(states),
          .broken = is_open ? "Nothing breaks it: any result is allowed."
                            : "An element of the result is not one that the rule allows.",
          .refusal = std::nullopt};
}

RuleInfo InfoOf(RuleId id, absl::string_view label, RuleFamily family, Document document, absl::string_view section,
                absl::string_view anchor, std::optional<Category> refusal, absl::string_view states,
                absl::string_view broken) {
  return {.id = id,
          .label = std::string(label),
          .family = family,
          .document = std::string(Info(document).name),
          .section = std::string(section),
          .link = absl::StrCat(Info(document).address, anchor),
          .states = std::string(states),
          .broken = std::string(broken),
          .refusal = refusal};
}

// Indexed by id, including kNone.
const std::vector<RuleInfo>& Table() {
  constexpr std::optional<Category> kNever = std::nullopt;
  static const std::vector<RuleInfo>& table = *new std::vector<RuleInfo>{
      RuleInfo{},
#define TOSAIC_RULE(enumerator, label, family, document, section, anchor, refusal, states, broken)                     \
  InfoOf(RuleId::k##enumerator, label, RuleFamily::k##family, Document::k##document, section, anchor, refusal, states, \
         broken),
#include "model/rules.def"
#define TOSAIC_VALUE_RULE(op, value_case, states) \
  ValueRow(RuleId::kValue##op##value_case, OpKind::k##op, ValueCase::k##value_case, states),
#include "model/rules.def"
  };
  return table;
}

}  // namespace

bool RuleInfo::is_ours() const { return !absl::StartsWith(link, "https://"); }

EnumNames NamesOf(ValueCase) { return NamesFor<ValueCase>(kValueCases, "a case of a value rule"); }

absl::Span<const RuleInfo> AllRules() { return absl::MakeConstSpan(Table()).subspan(1); }

const RuleInfo& Info(RuleId rule) { return Table()[static_cast<size_t>(rule)]; }

EnumNames NamesOf(RuleId) {
  static const auto& labels = *new std::vector<absl::string_view>([] {
    std::vector<absl::string_view> labels;
    for (const RuleInfo& rule : Table()) labels.push_back(rule.label);
    return labels;
  }());
  return {labels, "a rule"};
}

std::ostream& operator<<(std::ostream& out, RuleId rule) { return out << Name(rule); }

RuleId ValueRule(OpKind op, ValueCase value_case) {
  return kValueRules[static_cast<size_t>(op)][static_cast<size_t>(value_case)];
}

absl::string_view TwinName(RuleId rule) {
  const absl::string_view label = Name(rule);
  return label.substr(label.find('.') + 1);
}

std::optional<RuleId> FindTwinRule(absl::string_view twin) {
  for (const RuleInfo& rule : AllRules()) {
    if (rule.family == RuleFamily::kMetamorphic && TwinName(rule.id) == twin) return rule.id;
  }
  return std::nullopt;
}

const RuleInfo& SourceFor(RuleId rule, OpKind op) {
  const RuleInfo& info = Info(rule);
  const bool is_of_many = rule == RuleId::kLegalResultShape || rule == RuleId::kLegalZeroPoint;
  if (!is_of_many || Info(op).section == info.section) return info;
  const auto is_of_op = [&](const RuleInfo& row) {
    return row.family == RuleFamily::kValue && row.section == Info(op).section && row.document == info.document;
  };
  const absl::Span<const RuleInfo> rules = AllRules();
  const auto* of_op = absl::c_find_if(rules, is_of_op);
  return of_op == rules.end() ? info : *of_op;
}

std::string Citation(RuleId rule, OpKind op) {
  const RuleInfo& info = SourceFor(rule, op);
  return info.is_ours() ? std::string(absl::StripSuffix(info.states, "."))
                        : absl::StrCat(info.document, ", ", info.section);
}

}  // namespace tosaic
