// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic history: the verdict on a case by every MLIR that is found here, the newest last: since when, until when.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/dated_answers.h"
#include "model/escape.h"
#include "model/json.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/dated_build.h"
#include "toolchain/external/external_tools.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {

// The day on which the branch of the release was made that is linked.
constexpr absl::string_view kBranchDate = "2026-01-13";

// The verdict of one toolchain on the case.
struct HistoryRow {
  std::string toolchain;
  std::string version;
  std::string date;  // of a dated build
  HistoryAnswer answer = HistoryAnswer::kUnknown;
  std::string verdict;
  std::string rule;
  std::string why;  // of "unknown", and of what was judged in part
};

void Fields(Visitor& v, HistoryRow& row) {
  v("toolchain", row.toolchain);
  v("version", row.version);
  v.Optional("date", row.date, "of a dated build: the day of its MLIR");
  v("answer", row.answer);
  v("verdict", row.verdict);
  v("rule", row.rule);
  v("why", row.why);
}

namespace {

struct HistoryFlags {
  CaseInput input;
  PolicyFlags policy;
  std::string file;
  std::string route;
  WorkerLimits limits;
  bool json = false;
};

// The answers about a case, and the sentence that each list makes.
struct CaseHistory {
  std::vector<HistoryRow> released, dated;  // oldest first; of the dated builds, those that were asked
  std::string span, dated_span;             // the second is empty without dated builds

  bool IsWrong() const {
    const auto is_wrong = [](const HistoryRow& row) { return row.answer == HistoryAnswer::kWrong; };
    return absl::c_any_of(released, is_wrong) || absl::c_any_of(dated, is_wrong);
  }
};

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

// All toolchains of this machine, each made when it is first asked.
class Historian {
 public:
  explicit Historian(const HistoryFlags& flags) : flags_(flags) {
    for (const ExternalTools& tools : ListTools()) {
      const bool is_ours = tools.name() == absl::StrCat(NameInProcess(), "-tools");
      released_.push_back(is_ours ? NameInProcess() : tools.name());
    }
    if (!absl::c_linear_search(released_, NameInProcess())) released_.push_back(NameInProcess());
    if (FindTrunk()) released_.emplace_back(kTrunk);
  }

  // `on_row` gets each row when it is known.
  CaseHistory Ask(const Case& test_case, const std::function<void(const HistoryRow&)>& on_row);

 private:
  using Answered = std::function<void(const HistoryRow&)>;
  absl::StatusOr<Toolchain*> Get(const std::string& name);
  HistoryRow Judged(HistoryRow row, Toolchain& toolchain, const Case& test_case) const;
  HistoryRow AskReleased(const std::string& name, const Case& test_case);
  HistoryRow AskDated(const DatedBuild& build, const Case& test_case, const HistoryRow* control);
  // The pipeline that stands for the case's route on a dated build. Error: the toolchain of `control` does not show the
  // same without the passes that the build lacks; or nobody shows it, and they may matter.
  absl::StatusOr<std::string> PipelineFor(const Halves& halves, const Case& test_case, const HistoryRow* control);

  const HistoryFlags& flags_;
  std::vector<std::string> released_;  // oldest first, as --toolchain takes them
  const std::vector<DatedBuild> dated_ = ListDatedBuilds();
  std::map<std::string, absl::StatusOr<std::unique_ptr<Toolchain>>> made_;
  std::map<std::string, absl::StatusOr<PassNames>> passes_;  // by the dated build's name
  std::map<std::string, bool> shows_;                        // by pipeline: whether the control shows the case on it
};

bool IsSame(const HistoryRow& a, const HistoryRow& b) { return a.verdict == b.verdict && a.rule == b.rule; }

HistoryRow Unknown(HistoryRow row, absl::string_view why) {
  row.answer = HistoryAnswer::kUnknown;
  row.why = std::string(why);
  return row;
}

absl::StatusOr<Toolchain*> Historian::Get(const std::string& name) {
  auto found = made_.find(name);
  if (found == made_.end()) {
    ToolchainFlags flags;
    flags.toolchain = name;
    flags.limits = flags_.limits;
    found = made_.emplace(name, flags.Create()).first;
  }
  TOSAIC_RETURN_IF_ERROR(found->second.status());
  return found->second->get();
}

HistoryRow Historian::Judged(HistoryRow row, Toolchain& toolchain, const Case& test_case) const {
  const JudgeOptions judge = ForToolchain(toolchain, flags_.policy.ToOptions());
  const Judgement judgement = CheckCase(toolchain, test_case, flags_.limits, judge).judgement;
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
  const absl::StatusOr<Toolchain*> toolchain = Get(build.name);
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  auto passes = passes_.find(build.name);
  if (passes == passes_.end()) passes = passes_.emplace(build.name, PassesOf(build.opt)).first;
  if (!passes->second.ok()) return Unknown(std::move(row), passes->second.status().message());
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
    return Unknown(std::move(row), absl::StrCat("wrong otherwise: ", row.verdict, " [", row.rule, "]"));
  }
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

CaseHistory Historian::Ask(const Case& test_case, const Answered& on_row) {
  CaseHistory history;
  const auto take = [&](const std::string& name, const std::function<HistoryRow()>& ask) {
    std::optional<WaitingLine> waiting(std::in_place, absl::StrCat(OneLine(flags_.file), " on ", name));
    HistoryRow row = ask();
    waiting.reset();
    on_row(row);
    return row;
  };
  for (const std::string& name : released_) {
    history.released.push_back(take(name, [&] { return AskReleased(name, test_case); }));
  }
  history.span = Span(history.released);
  if (dated_.empty()) return history;
  // What a dated build shows is the same as what the newest toolchain with all passes shows.
  std::optional<HistoryRow> control;
  for (const HistoryRow& row : history.released) {
    const bool takes_pipelines = row.toolchain == NameInProcess() || row.toolchain == kTrunk;
    if (row.answer == HistoryAnswer::kWrong && takes_pipelines) control = row;
  }
  shows_.clear();
  // The dated build that the MLIR in this process is nearest to was made as its release branch was.
  const auto nearest = absl::c_lower_bound(
      dated_, kBranchDate, [](const DatedBuild& build, absl::string_view date) { return build.date < date; });
  const auto middle = std::min<size_t>(static_cast<size_t>(nearest - dated_.begin()), dated_.size() - 1);
  std::map<size_t, HistoryRow> rows;
  const std::function<HistoryAnswer(size_t)> ask = [&](size_t build) {
    rows[build] =
        take(dated_[build].name, [&] { return AskDated(dated_[build], test_case, control ? &*control : nullptr); });
    return rows[build].answer;
  };
  AskWhereItChanges(dated_.size(), middle, ask);
  std::vector<DatedAnswer> known;
  for (auto& [build, row] : rows) {
    known.push_back({row.date, row.answer});
    history.dated.push_back(std::move(row));
  }
  history.dated_span = DatedSpan(known);
  return history;
}

void PrintRow(const HistoryRow& row) {
  const std::string in_part = row.why.empty() ? "" : absl::StrCat(" (", row.why, ")");
  const std::string answer =
      row.answer == HistoryAnswer::kUnknown ? row.why : absl::StrCat(row.verdict, " [", row.rule, "]", in_part);
  const std::string version = row.date.empty() ? row.version : absl::StrCat("LLVM of ", row.date);
  std::printf("%-14s %-34s %-9s %s\n", row.toolchain.c_str(), OneLine(version).c_str(),
              std::string(Name(row.answer)).c_str(), OneLine(answer).c_str());
  std::fflush(stdout);
}

// One case: a line per answer as it comes, then the sentences.
void PrintAlone(Historian& historian, const Case& test_case, CaseHistory* history) {
  *history = historian.Ask(test_case, PrintRow);
  std::printf("%s\n", OneLine(history->span).c_str());
  if (!history->dated_span.empty()) std::printf("dated builds: %s\n", OneLine(history->dated_span).c_str());
}

absl::StatusOr<int> RunHistory(const HistoryFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt(flags.file));
  const bool is_list = files.size() > 1;
  ToolchainFlags route;
  route.route = flags.route;
  Historian historian(flags);
  bool is_wrong = false;
  Json all = Json::array();
  if (is_list && !flags.json) std::printf("| case | releases | dated builds |\n|---|---|---|\n");
  for (const std::string& file : files) {
    TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(file, nullptr));
    TOSAIC_RETURN_IF_ERROR(route.ApplyRoute(file, &test_case));
    CaseHistory history;
    if (!is_list && !flags.json) {
      PrintAlone(historian, test_case, &history);
    } else {
      history = historian.Ask(test_case, [](const HistoryRow&) {});
    }
    is_wrong |= history.IsWrong();
    if (flags.json) {
      Json json{{"toolchains", ToJson(history.released)}, {"span", history.span}};
      if (!history.dated.empty()) json.update({{"dated", ToJson(history.dated)}, {"dated_span", history.dated_span}});
      if (is_list) json["name"] = file;
      all.push_back(std::move(json));
    } else if (is_list) {
      std::printf("| `%s` | %s | %s |\n", OneLine(file).c_str(), OneLine(history.span).c_str(),
                  OneLine(history.dated_span).c_str());
      std::fflush(stdout);
    }
  }
  if (flags.json) std::printf("%s\n", Dump(is_list ? all : all.front(), 2).c_str());
  return is_wrong ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddHistory(CLI::App& app, CommandLine& command_line) {
  CLI::App* history = app.add_subcommand(
      "history", "check a case on every MLIR of this machine: since when is it wrong, and until when?");
  auto flags = std::make_shared<HistoryFlags>();
  history->add_option("file", flags->file, absl::StrCat(kCaseFileHelp, ", or a folder of them"))->required();
  history->add_option("--route", flags->route, "the pass pipeline to lower with, by name (default: the case's own)")
      ->check(OneOf(RouteNames()));
  history->add_flag("--json", flags->json, "print the answer as JSON");
  AddLimits(*history, &flags->limits);
  flags->input.AddTo(*history);
  flags->policy.AddTo(*history);
  history->callback([flags, &command_line] { command_line.action = [flags] { return RunHistory(*flags); }; });
}

}  // namespace tosaic
