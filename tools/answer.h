// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a verdict into a sentence that answers the question whether MLIR is wrong.
#ifndef TOSAIC_TOOLS_ANSWER_H_
#define TOSAIC_TOOLS_ANSWER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// "as specified", "undefined: [RULE] ITS SENTENCE (SECTION, LINK)" or "wrong: ...; TURN"; "" if nothing was decided. If
// a case agrees only in part, it also says which rule leaves the other elements open. `rule`: the rule that decides, or
// that leaves it open. `turn`: the text of WhereItGoesWrong.
std::string AnswerOf(const Judgement& judgement, RuleId rule, absl::string_view turn);

// " (compared 3 of 4 elements) (infer.less-precise)": how much was compared, if that is not all, and each note, once.
std::string InBrackets(const Judgement& judgement);

// The rule that makes a case, or elements of it, undefined: that of the first element that may be anything, or of the
// sizes that are undefined; otherwise the judgement's own.
RuleId UndefinedBy(const Case& test_case, const Judgement& judgement, const Policies& policies);

// "first wrong after PASS", or "still right before PASS" if several later passes may be at fault; "" if nothing is
// known.
std::string WhereItGoesWrong(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                             const JudgeOptions& judge, const ProgramReader& read);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_ANSWER_H_
