// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic list-rules: every rule that a verdict, a note or an explanation can name, as a table, JSON or Markdown.
#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "model/json.h"
#include "model/rules.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {

void Fields(Visitor& v, RuleInfo& rule) {
  v("rule", rule.label);
  v("states", rule.states);
  v("broken", rule.broken);
  v("refusal", rule.refusal);
  v("document", rule.document);
  v("section", rule.section);
  v("link", rule.link);
}

namespace {

// A row of the table in docs/rules.md; a link to a document of ours starts at that folder.
std::string ToMarkdown(const RuleInfo& rule) {
  return absl::StrCat("| `", rule.label, "` | ", rule.states, " | [", rule.document, ", ", rule.section, "](",
                      rule.is_ours() ? "../" : "", rule.link, ") |\n");
}

void PrintRules(ListForm form) {
  if (form == ListForm::kJson) {
    std::printf("%s\n", Dump(ToJson(std::vector(AllRules().begin(), AllRules().end())), 2).c_str());
    return;
  }
  if (form == ListForm::kMarkdown) {
    std::printf("| rule | states | document |\n|---|---|---|\n");
  }
  size_t width = 0;
  for (const RuleInfo& rule : AllRules()) width = std::max(width, rule.label.size());
  for (const RuleInfo& rule : AllRules()) {
    if (form == ListForm::kMarkdown) {
      std::printf("%s", ToMarkdown(rule).c_str());
    } else {
      std::printf("%-*s  %s\n", static_cast<int>(width), rule.label.c_str(), rule.states.c_str());
    }
  }
}

}  // namespace

Json SchemaOfListRules() { return Schema<RuleInfo>(); }

void AddListRules(CLI::App& app, CommandLine& command_line) {
  AddListing(app, command_line, "list-rules", "print every rule: what it states, its document, and when it is broken",
             PrintRules);
}

}  // namespace tosaic
