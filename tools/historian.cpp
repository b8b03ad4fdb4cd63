// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/historian.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/one_pass.h"
#include "diagnosis/pass_bisection.h"
#include "model/escape.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {

void Fields(Visitor& v, HistoryRow& row) {
  v.Type("history-row");
  v("toolchain", row.toolchain);
  v("version", row.version);
  v.Optional("date", row.date, "of a dated build: the day of its MLIR");
  v("answer", row.answer);
  v("verdict", row.verdict);
  v("rule", row.rule);
  v("why", row.why, "of `unknown`, or of a judgement in part");
}

void Fields(Visitor& v, CaseHistory& history) {
  v("toolchains", history.released, "the oldest first");
  v("span", history.span, "since when and until when it is wrong, a sentence");
  v("interrupted", history.interrupted, "whether not all toolchains were asked");
  v.Optional("dated", history.dated, "the dated builds that were asked, the oldest first");
  v.DerivedIf(!history.dated.empty(), "dated_span", history.dated_span, "`span` by these");
  v.Optional("blamed", history.blamed, "of `--blame`: the function or pass that is at fault, if somebody is");
  v.Optional("name", history.name, "of a folder: the case's file");
}

namespace {

// The days on which LLVM's release branches were made, of those that Debian has.
struct Branch {
  int version;
  absl::string_view date;
};
constexpr Branch kBranches[] = {{16, "2023-01-24"}, {19, "2024-07-23"}, {22, "2026-01-13"}};

// The pass without which no TOSA is lowered.
constexpr absl::string_view kLowering = "tosa-to-linalg";

// The verdict in place of the sum of all answers.
constexpr char kNotAllAsked[] = "interrupted: not all were asked";

// A toolchain whose pipeline for every case is this one.
class OnPipeline : public Toolchain {
 public:
  // `toolchain` must outlive it, and lower by pipelines.
  OnPipeline(Toolchain& toolchain, std::string pipeline)
      : Toolchain(toolchain.description()), toolchain_(toolchain), pipeline_(std::move(pipeline)) {}
  Observation Observe(const Case& test_case) override {
    return toolchain_.lowering()->ObserveThrough(test_case, pipeline_);
  }

 private:
  Toolchain& toolchain_;
  const std::string pipeline_;
};

bool IsSame(const HistoryRow& a, const HistoryRow& b) { return a.verdict == b.verdict && a.rule == b.rule; }

HistoryRow Unknown(HistoryRow row, absl::string_view why) {
  row.answer = HistoryAnswer::kUnknown;
  row.why = std::string(why);
  return row;
}

// "wrong since LLVM 19.1.7 (LLVM 16.0.6 is not), and still on LLVM 24.0.0", of the rows that know.
std::string Span(const std::vector<HistoryRow>& rows) {
  std::vector<const HistoryRow*> known;
  for (const HistoryRow& row : rows) {
    if (row.answer != HistoryAnswer::kUnknown) known.push_back(&row);
  }
  if (known.empty()) return "no toolchain can tell";
  const auto is_wrong = [](const HistoryRow* row) { return row->answer == HistoryAnswer::kWrong; };
  const auto first = absl::c_find_if(known, is_wrong);
  if (first == known.end()) return "wrong on none of them";
  const auto last = std::find_if(known.rbegin(), known.rend(), is_wrong).base();  // behind it
  const std::string since =
      first == known.begin()
          ? absl::StrCat("wrong on ", (*first)->version, ", the oldest that can tell")
          : absl::StrCat("wrong since ", (*first)->version, " (", (*std::prev(first))->version, " is not)");
  const std::string until = last == known.end() ? absl::StrCat("and still on ", known.back()->version)
                                                : absl::StrCat("and no longer on ", (*last)->version);
  const bool is_broken = std::any_of(first, last, [&](const HistoryRow* row) { return !is_wrong(row); });
  return absl::StrCat(since, ", ", until, is_broken ? "; not on all in between" : "");
}

}  // namespace

Historian::Historian(const WorkerLimits& limits, const JudgeOptions& judge, const std::atomic<bool>* stop)
    : limits_(limits), judge_(judge), stop_(stop) {
  for (const ExternalTools& tools : ListTools()) {
    const bool is_ours = tools.name() == absl::StrCat(NameInProcess(), "-tools");
    released_.push_back(is_ours ? NameInProcess() : tools.name());
  }
  if (!absl::c_linear_search(released_, NameInProcess())) released_.push_back(NameInProcess());
  for (const CapiLibrary& archived : ListArchivedTrunks()) released_.push_back(archived.name);
  if (FindTrunk()) released_.emplace_back(kTrunk);
}

absl::StatusOr<Toolchain*> Historian::Get(const std::string& name) {
  auto found = made_.find(name);
  if (found == made_.end()) {
    ToolchainFlags flags;
    flags.toolchain = name;
    flags.limits = limits_;
    found = made_.emplace(name, flags.Create()).first;
  }
  TOSAIC_RETURN_IF_ERROR(found->second.status());
  return found->second->get();
}

HistoryRow Historian::Judged(HistoryRow row, Toolchain& toolchain, const Case& test_case) const {
  const CheckedCase checked = CheckCase(toolchain, test_case, limits_, judge_);
  const Judgement& judgement = checked.judgement;
  row.stage = judgement.stage;
  row.pass = checked.observation.pass;
  row.verdict = std::string(Name(judgement.verdict));
  row.rule = std::string(Name(judgement.rule));
  if (judgement.verdict == Verdict::kUnsupported || judgement.verdict == Verdict::kHarnessFault) {
    return Unknown(std::move(row), judgement.actual);
  }
  row.answer = IsDivergence(judgement.verdict)            ? HistoryAnswer::kWrong
               : judgement.verdict == Verdict::kUndefined ? HistoryAnswer::kUndefined
                                                          : HistoryAnswer::kRight;
  const bool is_of_types = judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kInfer;
  if (is_of_types) row.why = "types alone, nothing ran";
  return row;
}

HistoryRow Historian::AskReleased(const std::string& name, const Case& test_case) {
  HistoryRow row{.toolchain = name};
  const absl::StatusOr<Toolchain*> toolchain = Get(name);
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  const ToolchainDescription& description = (*toolchain)->description();
  row.version = description.version;
  if (FindRoute(description.routes, test_case.route) == nullptr) {
    return Unknown(std::move(row), absl::StrCat("it has no route '", test_case.route, "'"));
  }
  return Judged(std::move(row), **toolchain, test_case);
}

absl::StatusOr<std::string> Historian::PipelineFor(const Halves& halves, const Case& test_case,
                                                   const HistoryRow* control) {
  std::string plain = JoinHalves(halves);
  if (halves.lost.empty()) return plain;
  const std::string without = absl::StrJoin(halves.lost, ", ");
  if (control == nullptr) {
    if (absl::c_all_of(halves.lost, IsForOtherShapes) && HasPlainShapes(test_case.program)) return plain;
    return absl::NotFoundError(absl::StrCat("it lacks ", without));
  }
  // Passes that are missing fold what they meet, as canonicalize does.
  std::string folding = absl::StrCat("builtin.module(func.func(canonicalize),", plain.substr(plain.find('(') + 1));
  for (std::string* pipeline : {&plain, &folding}) {
    const auto [found, is_new] = shows_.emplace(*pipeline, false);
    if (is_new) {
      TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, Get(control->toolchain));
      OnPipeline on_pipeline(*toolchain, *pipeline);
      found->second = IsSame(Judged({}, on_pipeline, test_case), *control);
    }
    if (found->second) return std::move(*pipeline);
  }
  return absl::NotFoundError(
      absl::StrCat("it lacks ", without, ", without which ", control->toolchain, " does not show this either"));
}

HistoryRow Historian::AskDated(const DatedBuild& build, const Case& test_case, const HistoryRow* control) {
  HistoryRow row{.toolchain = build.name, .version = build.source, .date = build.date};
  const Route* route = FindRoute(test_case.route);
  auto passes = passes_.find(build.name);
  if (passes == passes_.end()) passes = passes_.emplace(build.name, PassesOf(build)).first;
  if (!passes->second.ok()) return Unknown(std::move(row), passes->second.status().message());
  const bool is_of_decision = control != nullptr && control->stage <= Stage::kInfer;
  if (!is_of_decision && passes->second->count(kLowering) == 0)
    return Unknown(std::move(row), absl::StrCat("it has no ", kLowering, ", and tells what verifiers decide"));
  const absl::StatusOr<Toolchain*> toolchain = Get(build.name);
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  const absl::StatusOr<Halves> halves = SplitAtBuffers(route->pipeline, *passes->second);
  if (!halves.ok() || halves->second.empty() || route->in_process) {
    return Unknown(std::move(row), absl::StrCat("it has no route '", test_case.route, "'"));
  }
  const absl::StatusOr<std::string> pipeline = PipelineFor(*halves, test_case, control);
  if (!pipeline.ok()) return Unknown(std::move(row), pipeline.status().message());
  OnPipeline on_pipeline(**toolchain, *pipeline);
  row = Judged(std::move(row), on_pipeline, test_case);
  const bool refuses = row.verdict == Name(Verdict::kUnsupported);
  if (control != nullptr && control->verdict == Name(Verdict::kCrash) && refuses) {
    row.answer = HistoryAnswer::kRight;
    row.why.insert(0, "no crash: ");
  }
  if (control != nullptr && row.answer == HistoryAnswer::kWrong && !IsSame(row, *control)) {
    const std::string otherwise = absl::StrCat("wrong otherwise: ", row.verdict, " [", row.rule, "]");
    return Unknown(std::move(row), otherwise);
  }
  return row;
}

absl::StatusOr<bool> Historian::MayBeBehindBuffers(const Case& test_case, const HistoryRow& control) {
  if (control.stage <= Stage::kInfer) return false;
  // If the TOSA is wrong already, no later pass is at fault.
  if (control.stage == Stage::kExecute) {
    TOSAIC_ASSIGN_OR_RETURN(Toolchain * own, Get(NameInProcess()));
    const std::string mlir = ToMlir(test_case.program, own->description().dialect);
    const OnePass pass = FindOnePass(*own, test_case, mlir, std::string(FindRoute(test_case.route)->pipeline),
                                     ReaderFor(ToolchainFlags()), limits_, ForToolchain(*own, judge_));
    if (!pass.pipeline.empty()) return false;
  }
  PassNames all;
  const auto split = [&](absl::string_view route) -> absl::StatusOr<Halves> {
    const absl::string_view pipeline = FindRoute(route)->pipeline;
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(pipeline));
    for (const PipelinePass& pass : passes) all.insert(pass.name);
    return SplitAtBuffers(pipeline, all);
  };
  TOSAIC_ASSIGN_OR_RETURN(const Halves own, split(test_case.route));
  if (control.stage == Stage::kLower) return control.pass.empty() || !absl::StrContains(own.first, control.pass);
  // The first half of the route `loops` is the plainest of all.
  TOSAIC_ASSIGN_OR_RETURN(const Halves plain, split("loops"));
  TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, Get(control.toolchain));
  OnPipeline on_pipeline(*toolchain, JoinHalves({.first = plain.first, .second = own.second}));
  return IsSame(Judged({}, on_pipeline, test_case), control);
}

absl::StatusOr<PassBisection> Historian::Bisected(const Case& test_case, const HistoryRow& control) {
  TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, Get(control.toolchain));
  return BisectPasses(*toolchain, test_case, limits_, ForToolchain(*toolchain, judge_), ReaderFor(ToolchainFlags()));
}

bool Historian::MayBeOfCodeGeneration(const Case& test_case, const HistoryRow& control) {
  if (control.stage < Stage::kExecute) return false;
  const absl::StatusOr<PassBisection> bisection = Bisected(test_case, control);
  return bisection.ok() && bisection->code_generation;
}

bool Historian::IsBehindBuffers(const Case& test_case, const HistoryRow& control) {
  if (control.stage < Stage::kLower) return false;
  const absl::StatusOr<PassBisection> bisection = Bisected(test_case, control);
  if (!bisection.ok()) return false;
  const auto& passes = bisection->passes;
  const auto first = passes.begin() + static_cast<ptrdiff_t>(bisection->suspects.front());
  return std::any_of(passes.begin(), first,
                     [](const BisectedPass& pass) { return absl::StartsWith(pass.text, "one-shot-bufferize"); });
}

// Where a release has its branch, what it answers should show.
std::vector<size_t> Historian::AtBranches(const std::vector<HistoryRow>& released) const {
  std::vector<size_t> builds;
  for (const HistoryRow& row : released) {
    for (const Branch& branch : kBranches) {
      const bool is_known = row.answer == HistoryAnswer::kRight || row.answer == HistoryAnswer::kWrong;
      if (!is_known || !absl::StartsWith(row.version, absl::StrCat("LLVM ", branch.version, "."))) continue;
      const auto nearest = absl::c_lower_bound(
          dated_, branch.date, [](const DatedBuild& build, absl::string_view date) { return build.date < date; });
      builds.push_back(std::min<size_t>(static_cast<size_t>(nearest - dated_.begin()), dated_.size() - 1));
    }
  }
  return builds;
}

std::string Historian::OfBuffers(const Case& test_case, const HistoryRow& control,
                                 const std::vector<HistoryRow>& dated) {
  const auto answers = [](HistoryAnswer answer) {
    return [answer](const HistoryRow& row) { return row.answer == answer; };
  };
  const bool is_wrong = absl::c_any_of(dated, answers(HistoryAnswer::kWrong));
  const bool is_right = absl::c_any_of(dated, answers(HistoryAnswer::kRight));
  if (is_wrong && is_right && IsBehindBuffers(test_case, control)) {
    return "; what changed is the IR that reaches the wrong pass, which is behind buffers and the same for all";
  }
  const bool may_be = is_wrong && !is_right && !absl::c_any_of(dated, answers(HistoryAnswer::kUndefined)) &&
                      MayBeBehindBuffers(test_case, control).value_or(true);
  return may_be ? "; that may be of the passes behind buffers or of LLVM's code generation, which are the same for all"
                : "";
}

CaseHistory Historian::Ask(absl::string_view name, const Case& test_case, const OnRow& on_row) {
  CaseHistory history;
  const auto is_stopped = [&] { return stop_ != nullptr && *stop_; };
  const auto take = [&](const std::string& toolchain, const std::function<HistoryRow()>& ask) {
    std::optional<WaitingLine> waiting(std::in_place, absl::StrCat(OneLine(name), " on ", toolchain));
    std::optional<HistoryRow> row;
    if (!is_stopped()) row = ask();
    waiting.reset();
    history.interrupted |= is_stopped();
    if (history.interrupted) return std::optional<HistoryRow>();  // its workers were not waited for
    on_row(*row);
    return row;
  };
  for (const std::string& released : released_) {
    std::optional<HistoryRow> row = take(released, [&] { return AskReleased(released, test_case); });
    if (row) history.released.push_back(*std::move(row));
  }
  history.span = history.interrupted ? kNotAllAsked : Span(history.released);
  if (history.interrupted) return history;
  // A dated build must show the same as the newest toolchain with all passes.
  std::optional<HistoryRow> control;
  for (const HistoryRow& row : history.released) {
    const bool takes_pipelines = row.toolchain == NameInProcess() || row.toolchain == kTrunk;
    if (row.answer == HistoryAnswer::kWrong && takes_pipelines) control = row;
  }
  const auto is_right = [](const HistoryRow& row) { return row.answer == HistoryAnswer::kRight; };
  if (control && absl::c_none_of(history.released, is_right) && MayBeOfCodeGeneration(test_case, *control)) {
    absl::StrAppend(&history.span,
                    "; that may be of LLVM's code generation, which is this LLVM's for older releases too");
  }
  if (dated_.empty()) return history;
  shows_.clear();
  const std::vector<size_t> between = AtBranches(history.released);
  std::map<size_t, HistoryRow> rows;
  const std::function<HistoryAnswer(size_t)> ask = [&](size_t build) {
    const std::optional<HistoryRow> row =
        take(dated_[build].name, [&] { return AskDated(dated_[build], test_case, control ? &*control : nullptr); });
    if (row) rows[build] = *row;
    return row ? row->answer : HistoryAnswer::kUnknown;
  };
  AskWhereItChanges(dated_.size(), between, ask);
  std::vector<DatedAnswer> known;
  for (auto& [build, row] : rows) {
    known.push_back({row.date, row.answer, dated_[build].is_latest_day});
    history.dated.push_back(std::move(row));
  }
  history.dated_span = history.interrupted ? kNotAllAsked : DatedSpan(known);
  if (control && !history.interrupted)
    absl::StrAppend(&history.dated_span, OfBuffers(test_case, *control, history.dated));
  return history;
}

}  // namespace tosaic
