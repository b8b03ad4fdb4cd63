// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the function or rewrite pattern of MLIR that makes a case wrong. Each that runs in the passes that bisection
// suspects is switched off alone, in a process of its own. If the case is right then, this is proof. One without which
// the case does not get to its end is suspected; one without which the case is as wrong as before is not.
#ifndef TOSAIC_DIAGNOSIS_BLAME_H_
#define TOSAIC_DIAGNOSIS_BLAME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "codec/names.h"
#include "diagnosis/pass_bisection.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/rewrite_switch.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

enum class Guilt : uint8_t {
  kProved,     // without it, the case is right
  kSuspected,  // without it, the case ends otherwise; or two have to be switched off together
  kCleared,    // without it, the case is as wrong; or it does not run where the case goes wrong
};
EnumNames NamesOf(Guilt);

struct TriedRewrite {
  std::string name;                 // "mlir::tosa::MulOp::fold"
  std::string kind;                 // "function", "pattern"
  std::vector<std::string> passes;  // of a pattern: those in which it changed something
  std::vector<std::string> ops;     // of a pattern: those that it changed
  Guilt guilt = Guilt::kCleared;
};

struct Blame {
  Judgement judgement;  // of the case, or of its twin if that is what is wrong
  FindingSignature signature;
  std::optional<PassBisection> bisection;  // none: the case goes wrong before the passes
  std::vector<TriedRewrite> rewrites;      // all that were tried, the likeliest first
};

void Fields(Visitor& v, TriedRewrite& rewrite);
void Fields(Visitor& v, Blame& blame);
// The first without which the case is right; empty: there is none.
std::string ProvedToBlame(const Blame& blame);
// For people; ends with a newline.
std::string ToText(const Blame& blame);

// Whom to blame, in a word; one of the three is not empty.
struct ShortBlame {
  std::string proved;   // the function or pattern without which the case is right
  std::string suspect;  // if nobody is proved to be at fault: the pass of bisection, else the likeliest function
  std::string nobody;   // why there is neither
};
ShortBlame InShort(const Blame& blame);

// `jobs`: processes at a time. Errors: the case does not diverge, or only for tosa-validate; it cannot be bisected; the
// code of this process cannot be watched.
absl::StatusOr<Blame> BlameRewrites(Toolchain& toolchain, absl::Span<RewriteSwitch* const> switches,
                                    const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
                                    int jobs, const ProgramReader& read = nullptr);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_BLAME_H_
