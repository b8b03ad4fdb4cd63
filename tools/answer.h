// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a verdict into a sentence for a person who asks whether MLIR is wrong, so that it settles the question.
#ifndef TOSAIC_TOOLS_ANSWER_H_
#define TOSAIC_TOOLS_ANSWER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// "as specified", "undefined: [RULE] ITS SENTENCE (SECTION, LINK)" or "wrong: ...; TURN"; "" where nothing was decided.
// Of a case that agrees in part it also says what leaves the other elements open. `rule`: what decides it, or what is
// open. `turn`: of WhereItGoesWrong.
std::string AnswerOf(const Judgement& judgement, RuleId rule, absl::string_view turn);

// What makes a case, or elements of it, undefined: the rule of the first element that may be anything, or of the sizes
// that are undefined; the judgement's own where that cannot be told.
RuleId UndefinedBy(const Case& test_case, const Judgement& judgement, const Policies& policies);

// "first wrong after PASS", or "still right before PASS" where several passes behind it may be to blame; "" if nothing
// can be told.
std::string WhereItGoesWrong(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                             const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_ANSWER_H_
