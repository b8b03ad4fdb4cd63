// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/historian.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/progress_line.h"
#include "checking/version_range.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/on_pipeline.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {

void Fields(Visitor& v, CaseHistory& history) {
  v("toolchains", history.released, "the oldest first");
  v("span", history.span, "since when and until when it is wrong, a sentence");
  v("interrupted", history.interrupted, "whether not all toolchains were asked");
  v.Optional("dated", history.dated, "the dated builds that were asked, the oldest first");
  v.DerivedIf(!history.dated.empty(), "dated_span", history.dated_span, "`span` by these");
  v.DerivedIf(!history.dated.empty(), "dated_builds", history.dated_builds, "how many this machine has");
  v.Optional("blamed", history.blame.proved, "of `--blame`: the function or pattern that is proved to be at fault");
  v.Optional("suspected", history.blame.suspect, "of `--blame`, if nobody is proved to be: a pass or a function");
  v.Optional("blames_nobody", history.blame.nobody, "of `--blame`: why neither is known");
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

// Whether a divergence is a verifier's decision.
bool IsOfVerifier(const HistoryRow* wrong) { return wrong != nullptr && wrong->stage <= Stage::kVerify; }

// The verdict in place of the sum of all answers.
constexpr char kNotAllAsked[] = "interrupted: not all were asked";

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

HistoryRow Historian::AskReleased(const std::string& name, const Case& test_case) {
  HistoryRow row{.toolchain = name};
  const absl::StatusOr<Toolchain*> toolchain = Get(name);
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  const ToolchainDescription& description = (*toolchain)->description();
  row.version = description.version;
  if (FindRoute(description.routes, test_case.route) == nullptr) {
    return Unknown(std::move(row), absl::StrCat("it has no route '", test_case.route, "'"));
  }
  return JudgedBy(**toolchain, test_case, limits_, judge_, std::move(row));
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
  std::string folding = ChainPipelines({"func.func(canonicalize)", plain});
  for (std::string* pipeline : {&plain, &folding}) {
    const auto [found, is_new] = shows_.emplace(*pipeline, false);
    if (is_new) {
      TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, Get(control->toolchain));
      OnPipeline on_pipeline(*toolchain, *pipeline);
      found->second = ShowsTheSame(JudgedBy(on_pipeline, test_case, limits_, judge_), *control);
    }
    if (found->second) return std::move(*pipeline);
  }
  return absl::NotFoundError(
      absl::StrCat("it lacks ", without, ", without which ", control->toolchain, " does not show this either"));
}

HistoryRow Historian::DecidedBy(Toolchain& toolchain, const Case& test_case, HistoryRow row) const {
  Case decision = test_case;
  decision.runs.clear();
  OnPipeline on_pipeline(toolchain, "builtin.module()");
  return JudgedBy(on_pipeline, decision, limits_, judge_, std::move(row));
}

HistoryRow Historian::AskDated(const DatedBuild& build, const Case& test_case, const HistoryRow* wrong,
                               const HistoryRow* control, BehindBuffers* buffers) {
  HistoryRow row{.toolchain = build.name, .version = build.source, .date = build.date};
  const Route* route = FindRoute(test_case.route);
  auto passes = passes_.find(build.name);
  if (passes == passes_.end()) passes = passes_.emplace(build.name, PassesOf(build)).first;
  if (!passes->second.ok()) return Unknown(std::move(row), passes->second.status().message());
  const absl::StatusOr<Toolchain*> toolchain = Get(build.name);
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  // What a verifier decides needs no pass; what it takes may be wrong behind it.
  if (IsOfVerifier(wrong)) return buffers->AnswerOf(DecidedBy(**toolchain, test_case, std::move(row)));
  const bool is_of_decision = control != nullptr && control->stage <= Stage::kInfer;
  const auto unknown = [&](absl::string_view why) {
    if (wrong != nullptr) return Unknown(row, why);
    HistoryRow decided = DecidedBy(**toolchain, test_case, row);
    return CanTell(decided.answer) && decided.stage <= Stage::kVerify ? decided : Unknown(row, why);
  };
  if (!is_of_decision && passes->second->count(kLowering) == 0)
    return unknown(absl::StrCat("it has no ", kLowering, ", and tells what verifiers decide"));
  const absl::StatusOr<Halves> halves = SplitAtBuffers(route->pipeline, *passes->second);
  if (!halves.ok() || halves->second.empty() || route->in_process) {
    return Unknown(std::move(row), absl::StrCat("it has no route '", test_case.route, "'"));
  }
  const absl::StatusOr<std::string> pipeline = PipelineFor(*halves, test_case, control);
  if (!pipeline.ok()) return unknown(pipeline.status().message());
  OnPipeline on_pipeline(**toolchain, *pipeline);
  row = JudgedBy(on_pipeline, test_case, limits_, judge_, std::move(row));
  return buffers != nullptr ? buffers->AnswerOf(std::move(row)) : row;
}

std::string CaseHistory::NotAsked() const {
  if (dated.size() == dated_builds) return "";
  return absl::StrCat(dated.size(), " of ", dated_builds, " were asked, others may be wrong (--all asks each)");
}

// Where a release has its branch, what it answers should show.
std::vector<size_t> Historian::AskedAnyway(const std::vector<HistoryRow>& released, absl::string_view found_on) const {
  std::vector<size_t> builds;
  for (size_t i = 0; i < dated_.size(); ++i) {
    if (asks_all_ || dated_[i].name == found_on) builds.push_back(i);
  }
  for (const HistoryRow& row : released) {
    const std::vector<int> numbers = NumbersOfVersion(row.version);
    for (const Branch& branch : kBranches) {
      if (!CanTell(row.answer) || numbers.empty() || numbers.front() != branch.version) continue;
      const auto nearest = absl::c_lower_bound(
          dated_, branch.date, [](const DatedBuild& build, absl::string_view date) { return build.date < date; });
      builds.push_back(std::min<size_t>(static_cast<size_t>(nearest - dated_.begin()), dated_.size() - 1));
    }
  }
  absl::c_sort(builds);
  return builds;
}

std::optional<HistoryRow> Historian::RowOf(const Question& question, const std::string& toolchain,
                                           const std::function<HistoryRow()>& ask, CaseHistory* history) const {
  const WaitingLine waiting(absl::StrCat(OneLine(question.name), " on ", toolchain));
  const auto is_stopped = [&] { return stop_ != nullptr && *stop_; };
  std::optional<HistoryRow> row;
  if (!is_stopped()) row = ask();
  history->interrupted |= is_stopped();
  return history->interrupted ? std::nullopt : row;  // its workers were not waited for
}

void Historian::AskDatedBuilds(const Question& question, const HistoryRow* wrong, const HistoryRow* control,
                               BehindBuffers* buffers, CaseHistory* history) {
  shows_.clear();
  std::map<size_t, HistoryRow> rows;
  const std::function<HistoryAnswer(size_t)> ask = [&](size_t build) {
    const auto ask_it = [&] { return AskDated(dated_[build], question.test_case, wrong, control, buffers); };
    const std::optional<HistoryRow> row = RowOf(question, dated_[build].name, ask_it, history);
    if (!row) return HistoryAnswer::kUnknown;
    question.on_row(*row);
    rows[build] = *row;
    return row->answer;
  };
  AskWhereItChanges(dated_.size(), AskedAnyway(history->released, question.found_on), ask);
  std::vector<DatedAnswer> known;
  for (auto& [build, row] : rows) {
    known.push_back({row.date, row.answer, dated_[build].is_latest_day, LacksWords(row)});
    history->dated.push_back(std::move(row));
  }
  history->dated_span = history->interrupted ? kNotAllAsked : DatedSpan(known);
  if (buffers != nullptr && !history->interrupted) {
    absl::StrAppend(&history->dated_span, buffers->EndOfSentence(history->dated));
  }
}

CaseHistory Historian::Ask(absl::string_view name, const Case& test_case, const OnRow& on_row,
                           absl::string_view found_on) {
  const Question question = {name, test_case, on_row, found_on};
  CaseHistory history{.dated_builds = dated_.size()};
  for (const std::string& released : released_) {
    const auto ask_it = [&] { return AskReleased(released, test_case); };
    std::optional<HistoryRow> row = RowOf(question, released, ask_it, &history);
    if (row) history.released.push_back(*std::move(row));
  }
  // All others are asked about the divergence of the newest toolchain; a dated build must show it with all passes.
  std::optional<HistoryRow> wrong, control;
  for (const HistoryRow& row : history.released) {
    if (!IsWrong(row.answer)) continue;
    wrong = row;
    if (row.toolchain == NameInProcess() || row.toolchain == kTrunk) control = row;
  }
  if (control) wrong = control;
  // What no release shows, the build may show on which it was found.
  const auto found = absl::c_find_if(dated_, [&](const DatedBuild& build) { return build.name == found_on; });
  if (!wrong && found != dated_.end()) {
    const auto ask_it = [&] { return AskDated(*found, test_case, nullptr, nullptr, nullptr); };
    wrong = RowOf(question, found->name, ask_it, &history);
    if (!wrong || !IsWrong(wrong->answer) || !IsOfVerifier(&*wrong)) wrong.reset();
  }
  for (HistoryRow& row : history.released) {
    if (wrong) row = AsAnswerAbout(*wrong, std::move(row));
    on_row(row);
  }
  history.span = history.interrupted ? kNotAllAsked : Span(history.released);
  if (history.interrupted) return history;
  std::optional<BehindBuffers> buffers;
  const auto get = [&](const std::string& toolchain) { return Get(toolchain); };
  if (wrong) buffers.emplace(test_case, *wrong, history.released, get, limits_, judge_);
  const auto is_right = [](const HistoryRow& row) { return row.answer == HistoryAnswer::kRight; };
  if (control && absl::c_none_of(history.released, is_right) && buffers->MayBeOfCodeGeneration()) {
    absl::StrAppend(&history.span,
                    "; that may be of LLVM's code generation, which is this LLVM's for older releases too");
  }
  if (!dated_.empty()) {
    AskDatedBuilds(question, wrong ? &*wrong : nullptr, control ? &*control : nullptr, buffers ? &*buffers : nullptr,
                   &history);
  }
  return history;
}

}  // namespace tosaic
