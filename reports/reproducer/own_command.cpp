// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/own_command.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/npy.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"
#include "results/judgement_text.h"

namespace tosaic {
std::map<std::string, std::string> OwnCommandFiles(const Case& test_case, const Judgement& judgement,
                                                   absl::string_view signature, const OwnCommand& own) {
  Reproduction reproduction;
  reproduction.test_case = test_case;
  reproduction.judgement = judgement;
  reproduction.showing = judgement.stage <= Stage::kVerify ? Showing::kRefuses : Showing::kExecutes;
  const std::string statement = Statement(reproduction), title = absl::StrCat("[", own.implementation, "] ", statement);
  std::map<std::string, std::string> files = {{"case.json", CaseToText(test_case)}, {"repro.mlir", own.module}};
  std::string names;
  for (size_t i = 0; i < own.inputs.size(); ++i) {
    const std::string name = absl::StrCat(i, ".npy");
    files[name] = ToNpy(own.inputs[i]);
    absl::StrAppend(&names, i > 0 ? " " : "", name);
  }
  files["repro.sh"] = FillTemplate(TemplatePart(ReproducerTemplates(), "own_command.sh", ""),
                                   {{"TITLE", OneLine(title)},
                                    {"EXPECTED", OneLine(judgement.expected)},
                                    {"ACTUAL", OneLine(judgement.actual)},
                                    {"INPUTS", names},
                                    {"COMMAND", absl::StrCat(EscapeControls(own.command), "\n")}});
  files["issue.md"] = absl::StrCat(
      "# [", EscapeMarkdown(own.implementation), "] ", statement, "\n\nFound with Tosaic. `repro.sh` runs it:\n\n",
      MarkdownBlock("sh", own.command), "\n`repro.mlir`:\n\n", MarkdownBlock("mlir", own.module), "\n",
      MarkdownBlock("", JudgementToText(judgement)), "\n<!-- ", InComment(signature), " -->\n");
  return files;
}

}  // namespace tosaic
