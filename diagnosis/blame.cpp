// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// A rewrite that ran, and who switches it off.
struct Candidate {
  RewriteSwitch* owner = nullptr;
  TriedRewrite rewrite;
  bool runs_in_suspects = false;
  bool is_last_resort = false;  // to be tried only where no other has to do with it
};

void AddIfNew(const std::string& text, std::vector<std::string>* texts) {
  if (!text.empty() && !absl::c_linear_search(*texts, text)) texts->push_back(text);
}

// Whether a function is one of an op: "mlir::tosa::IntDivOp::fold" of "intdiv".
bool IsOfOp(const std::string& function, const std::string& op) {
  const std::string name = absl::AsciiStrToLower(function);
  return absl::StrContains(name, absl::StrCat("::tosa::", absl::StrReplaceAll(op, {{"_", ""}}), "op::"));
}

bool IsVerifier(const std::string& function) { return absl::EndsWith(function, "::verify"); }

class Blamer {
 public:
  Blamer(Toolchain& toolchain, absl::Span<RewriteSwitch* const> switches, const Case& test_case,
         const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read)
      : toolchain_(toolchain), switches_(switches), case_(test_case), limits_(limits), judge_(judge), read_(read) {}

  absl::StatusOr<Blame> Run(int jobs);

 private:
  CheckedCase Check() {
    return CheckWith([&](const Case& test_case) { return toolchain_.Observe(test_case); }, case_, judge_);
  }
  bool IsTried(const std::string& name) const;
  // Whether it is a verifier of the IR between the passes.
  bool RefusesIr(const Candidate& candidate) const { return blame_.bisection && IsVerifier(candidate.rewrite.name); }
  absl::StatusOr<std::vector<Rewrite>> RanIn(RewriteSwitch* owner, absl::FunctionRef<void()> work);
  absl::StatusOr<std::vector<Candidate>> Candidates();
  absl::Status FindThoseInSuspects(std::vector<Candidate>* candidates);
  Guilt GuiltWithout(const Candidate& candidate);
  absl::Status TryWithout(int jobs, bool last_resort, std::vector<Candidate>* candidates);
  void SortByGuilt(const std::vector<Candidate>& candidates);

  Toolchain& toolchain_;
  const absl::Span<RewriteSwitch* const> switches_;
  const Case& case_;
  const WorkerLimits& limits_;
  const JudgeOptions& judge_;
  const ProgramReader& read_;
  Blame blame_;
};

absl::StatusOr<Blame> Blamer::Run(int jobs) {
  const CheckedCase checked = CheckCase(toolchain_, case_, limits_, judge_);
  if (checked.twin) return Blamer(toolchain_, switches_, *checked.twin, limits_, judge_, read_).Run(jobs);
  if (!IsDivergence(checked.judgement.verdict)) return NoDivergence(checked.judgement, "blamed on a function");
  blame_.judgement = checked.judgement;
  blame_.signature = checked.signature;
  if (checked.judgement.stage >= Stage::kLower || judge_.validation) {
    TOSAIC_ASSIGN_OR_RETURN(blame_.bisection, BisectPasses(toolchain_, case_, limits_, judge_, read_));
  }
  TOSAIC_ASSIGN_OR_RETURN(std::vector<Candidate> candidates, Candidates());
  TOSAIC_RETURN_IF_ERROR(FindThoseInSuspects(&candidates));
  TOSAIC_RETURN_IF_ERROR(TryWithout(jobs, false, &candidates));
  if (absl::c_any_of(candidates,
                     [](const Candidate& candidate) { return candidate.rewrite.guilt != Guilt::kCleared; })) {
    std::erase_if(candidates, [](const Candidate& candidate) { return candidate.is_last_resort; });
  } else {
    TOSAIC_RETURN_IF_ERROR(TryWithout(jobs, true, &candidates));
  }
  SortByGuilt(candidates);
  return std::move(blame_);
}

// Which functions take part depends on the stage where the case goes wrong.
bool Blamer::IsTried(const std::string& name) const {
  const bool verifies = IsVerifier(name), infers = absl::EndsWith(name, "::inferReturnTypeComponents");
  const bool refuses = blame_.judgement.rule == RuleId::kLowerLegalIr;
  if (blame_.bisection) return (!verifies || refuses) && !infers && !name.empty();
  if (blame_.judgement.verdict == Verdict::kCrash) return verifies || infers;
  return blame_.judgement.stage == Stage::kInfer ? infers : verifies;
}

// The rewrites that ran during `work`, which runs in a fresh process because it may die.
absl::StatusOr<std::vector<Rewrite>> Blamer::RanIn(RewriteSwitch* owner, absl::FunctionRef<void()> work) {
  absl::Status status;
  TOSAIC_ASSIGN_OR_RETURN(std::vector<Rewrite> ran, owner->RanIn([&] {
    status = InFreshProcess<bool>(limits_, [&] { return work(), true; }).status();
  }));
  if (!status.ok()) return status;
  std::erase_if(ran, [&](const Rewrite& rewrite) { return !IsTried(rewrite.name); });
  return ran;
}

absl::StatusOr<std::vector<Candidate>> Blamer::Candidates() {
  std::vector<Candidate> candidates;
  for (RewriteSwitch* owner : switches_) {
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<Rewrite> ran, RanIn(owner, [&] { Check(); }));
    for (const Rewrite& rewrite : ran) {
      if (rewrite.is_without_trace && rewrite.op != absl::StrCat("tosa.", blame_.signature.op)) continue;
      auto at = absl::c_find_if(candidates, [&](const Candidate& candidate) {
        return candidate.owner == owner && candidate.rewrite.name == rewrite.name;
      });
      if (at == candidates.end()) {
        const TriedRewrite tried = {.name = rewrite.name, .kind = std::string(owner->kind())};
        at = candidates.insert(candidates.end(), {owner, tried});
        at->is_last_resort = true;
      }
      // Where no rewrite has to do with IR that does not verify, it may be right, and who refuses it wrong.
      if (!rewrite.is_without_trace && !RefusesIr(*at)) at->is_last_resort = false;
      AddIfNew(rewrite.pass, &at->rewrite.passes);
      AddIfNew(rewrite.op, &at->rewrite.ops);
    }
  }
  return candidates;
}

// A rewrite that runs only outside of the suspect passes is not to blame, even if the case is right without it: the
// suspects get another program then. The passes before them make the text that they begin with.
absl::Status Blamer::FindThoseInSuspects(std::vector<Candidate>* candidates) {
  for (Candidate& candidate : *candidates) candidate.runs_in_suspects = !blame_.bisection;
  if (!blame_.bisection) return absl::OkStatus();
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(blame_.bisection->pipeline));
  const size_t first = blame_.bisection->suspects.front(), end = blame_.bisection->suspects.back() + 1;
  const auto lower = [&](const std::string& text, size_t from, size_t to) {
    return toolchain_.lowering()->LowerText(text, JoinPipeline(absl::MakeSpan(passes).subspan(from, to - from)), false);
  };
  TOSAIC_ASSIGN_OR_RETURN(
      const auto before, InFreshProcess<std::string>(limits_, [&] {
        return lower(ToMlir(case_.program, toolchain_.description().dialect), 0, first).value_or("");
      }));
  for (RewriteSwitch* owner : switches_) {
    std::optional<std::vector<Rewrite>> ran;  // none: what the suspects begin with has no text
    if (!before.death && !before.answer.empty()) {
      TOSAIC_ASSIGN_OR_RETURN(ran, RanIn(owner, [&] { (void)lower(before.answer, first, end); }));
    }
    for (Candidate& candidate : *candidates) {
      const auto is_it = [&](const Rewrite& rewrite) { return rewrite.name == candidate.rewrite.name; };
      if (candidate.owner == owner) candidate.runs_in_suspects = !ran || absl::c_any_of(*ran, is_it);
    }
  }
  return absl::OkStatus();
}

// To be called in a process of its own.
Guilt Blamer::GuiltWithout(const Candidate& candidate) {
  if (!candidate.owner->SwitchOff(candidate.rewrite.name).ok()) return Guilt::kSuspected;
  const CheckedCase now = Check();
  const Verdict verdict = now.judgement.verdict;
  // Wrong IR that nobody refuses may make right code by luck.
  const bool is_right = verdict == Verdict::kAgree || verdict == Verdict::kUndefined;
  if (is_right) return RefusesIr(candidate) ? Guilt::kSuspected : Guilt::kProved;
  // If another pass fails, or this one in another way, the case ends otherwise.
  const bool is_as_wrong = verdict == blame_.judgement.verdict && now.judgement.rule == blame_.judgement.rule &&
                           (verdict != Verdict::kLoweringFailed || now.signature.detail == blame_.signature.detail);
  return is_as_wrong ? Guilt::kCleared : Guilt::kSuspected;
}

// `last_resort`: those alone; or all others.
absl::Status Blamer::TryWithout(int jobs, bool last_resort, std::vector<Candidate>* candidates) {
  if (blame_.judgement.verdict == Verdict::kFalseAccept) {
    // Nothing that is switched off makes a verifier refuse more.
    for (Candidate& candidate : *candidates) {
      if (IsOfOp(candidate.rewrite.name, blame_.signature.op)) candidate.rewrite.guilt = Guilt::kSuspected;
    }
    return absl::OkStatus();
  }
  std::vector<uint64_t> tried;  // indices
  for (size_t i = 0; i < candidates->size(); ++i) {
    if ((*candidates)[i].runs_in_suspects && (*candidates)[i].is_last_resort == last_resort) tried.push_back(i);
  }
  const auto without = [&](const uint64_t& i) { return GuiltWithout((*candidates)[i]); };
  const auto done = [&](const uint64_t& i, const WorkerResult<Guilt>& result) {
    const bool dies_as_before = result.death && blame_.judgement.verdict == Verdict::kCrash;
    (*candidates)[i].rewrite.guilt = dies_as_before ? Guilt::kCleared
                                     : result.death ? Guilt::kSuspected
                                                    : result.answer;
  };
  return Map<uint64_t, Guilt>({.jobs = jobs, .limits = limits_, .tasks_per_worker = 1}, nullptr, tried, without, done);
}

// The proved ones first; then those of the op at fault, functions before the patterns that only lower it; of other ops
// patterns, which changed something where functions only ran; then the last to run, because earlier ones may only have
// made the op that it gets wrong.
void Blamer::SortByGuilt(const std::vector<Candidate>& candidates) {
  const std::string op = absl::StrCat("tosa.", blame_.signature.op);
  const auto rank = [&](const TriedRewrite& rewrite) {
    const bool is_of_op = IsOfOp(rewrite.name, blame_.signature.op) || absl::c_linear_search(rewrite.ops, op);
    return std::tuple(rewrite.guilt, !is_of_op, is_of_op != (rewrite.kind == "function"));
  };
  const auto is_before = [&](const TriedRewrite& a, const TriedRewrite& b) { return rank(a) < rank(b); };
  for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
    if (!candidate->runs_in_suspects) continue;
    std::vector<TriedRewrite>& sorted = blame_.rewrites;
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), candidate->rewrite, is_before), candidate->rewrite);
  }
}

std::string Described(const TriedRewrite& rewrite) {
  std::string text = rewrite.name;
  if (!rewrite.passes.empty()) absl::StrAppend(&text, " in ", absl::StrJoin(rewrite.passes, ", "));
  if (!rewrite.ops.empty()) absl::StrAppend(&text, " on ", absl::StrJoin(rewrite.ops, ", "));
  return text;
}

}  // namespace

EnumNames NamesOf(Guilt) {
  static constexpr absl::string_view kNames[] = {"proved", "suspected", "cleared"};
  return NamesFor<Guilt>(kNames, "what is known of a rewrite that ran in a wrong case");
}

void Fields(Visitor& v, TriedRewrite& rewrite) {
  v("name", rewrite.name);
  v("kind", rewrite.kind);
  v("passes", rewrite.passes);
  v("ops", rewrite.ops);
  v("guilt", rewrite.guilt);
}

void Fields(Visitor& v, Blame& blame) {
  v("verdict", blame.judgement.verdict);
  v("rule", blame.judgement.rule);
  v("signature", blame.signature);
  v("rewrites", blame.rewrites);
  v("bisection", blame.bisection);
}

std::string ProvedToBlame(const Blame& blame) {
  const bool is_proved = !blame.rewrites.empty() && blame.rewrites.front().guilt == Guilt::kProved;
  return is_proved ? blame.rewrites.front().name : "";
}

ShortBlame InShort(const Blame& blame) {
  if (std::string proved = ProvedToBlame(blame); !proved.empty()) return {.proved = proved};
  const std::string pass = blame.bisection ? PassToBlame(*blame.bisection) : "";
  if (!pass.empty()) return {.suspect = pass.substr(0, pass.find('{'))};
  if (blame.bisection && !blame.bisection->edit.empty()) return {.suspect = blame.bisection->edit};
  if (blame.bisection && blame.bisection->code_generation) return {.suspect = "a pass, or LLVM's code generation"};
  const bool is_suspected = !blame.rewrites.empty() && blame.rewrites.front().guilt == Guilt::kSuspected;
  if (is_suspected) return {.suspect = blame.rewrites.front().name};
  return {.nobody = "none that can be switched off has to do with it"};
}

std::string ToText(const Blame& blame) {
  constexpr size_t kMostSuspects = 3;
  std::string out = absl::StrCat("verdict:   ", Name(blame.judgement.verdict), " [", Name(blame.judgement.rule), "]\n");
  size_t proved = 0, suspected = 0;
  const std::string edit = blame.bisection ? blame.bisection->edit : "";
  if (!edit.empty()) absl::StrAppend(&out, "suspect:   ", edit, ", without which the route is right\n");
  for (const TriedRewrite& rewrite : blame.rewrites) {
    if (rewrite.guilt == Guilt::kProved) {
      absl::StrAppend(&out, "blame:     ", Described(rewrite), "\n");
      ++proved;
    } else if (rewrite.guilt == Guilt::kSuspected && proved == 0 && suspected < kMostSuspects) {
      absl::StrAppend(&out, "suspect:   ", Described(rewrite), "\n");
      ++suspected;
    }
  }
  if (proved == 0 && blame.bisection && blame.bisection->code_generation) {
    absl::StrAppend(&out, "suspect:   LLVM's code generation, behind all passes: no pass pipeline makes right code\n");
  }
  const std::string pass = blame.bisection ? PassToBlame(*blame.bisection) : "";
  if (!pass.empty()) absl::StrAppend(&out, "pass:      ", pass, "\n");
  const bool is_single = blame.rewrites.size() == 1;
  const std::string tried = absl::StrCat(
      " (", blame.rewrites.size(), is_single ? " function or pattern" : " functions and patterns", " that ",
      is_single ? "runs" : "run", " where it goes wrong ", is_single ? "was" : "were", " tried)\n");
  if (proved > 0) return absl::StrCat(out, "proof:     with it switched off, the case is right", tried);
  if (blame.judgement.verdict == Verdict::kFalseAccept) {
    return absl::StrCat(out, "no proof:  what a verifier forgets cannot be switched on\n");
  }
  if (suspected > 0 && blame.bisection && IsVerifier(blame.rewrites.front().name)) {
    return absl::StrCat(out, "no proof:  without it the pass is not refused, which may be right or wrong", tried);
  }
  if (suspected > 0) {
    return absl::StrCat(out, "no proof:  without a suspect, the case does not get to its end", tried);
  }
  return absl::StrCat(out, "no proof:  none that can be switched off has to do with it", tried);
}

absl::StatusOr<Blame> BlameRewrites(Toolchain& toolchain, absl::Span<RewriteSwitch* const> switches,
                                    const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
                                    int jobs, const ProgramReader& read) {
  return Blamer(toolchain, switches, test_case, limits, judge, read).Run(jobs);
}

}  // namespace tosaic
