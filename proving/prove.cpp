// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/prove.h"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "checking/provenance.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/blame_of_base.h"
#include "generators/value_sweeps.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "proving/decision.h"
#include "proving/questions.h"
#include "toolchain/observe_isolated.h"
#include "workers/map.h"
#include "workers/worker_process.h"

namespace tosaic {

// Elements for which a body is wrong, by what the solver says.
struct Refutation {
  Case example;
  bool is_exact = true;  // Decision::is_exact
  std::string why;
  std::vector<std::string> inputs;
};
void Fields(Visitor& v, Refutation& refutation) {
  v("example", refutation.example);
  v("is_exact", refutation.is_exact);
  v("why", refutation.why);
  v("inputs", refutation.inputs);
}

// A worker's answer: a row of what is not refuted, and what is.
struct ProvedTile {
  ProofRow row;
  std::vector<Refutation> refutations;
};
void Fields(Visitor& v, ProvedTile& tile) {
  v("row", tile.row);
  v("refutations", tile.refutations);
}

namespace {

// Where code is run. The contract's route ends at the IR.
constexpr char kRunRoute[] = "loops", kFoldingRunRoute[] = "after-canonicalize";
constexpr char kSmallFloatsRunRoute[] = "apfloat";  // that which makes code of fp8
constexpr char kFolds[] = "func.func(canonicalize)";
// Mul's rounding shift is an op of the dialect until this pass.
constexpr char kScaleToArith[] = "func.func(tosa-to-arith{include-apply-rescale=true})";
constexpr size_t kMostRefutations = 8;  // of an op with its element types
constexpr int kWallPerCpu = 3;
constexpr int kSpareSeconds = 20;  // of a worker, for lowering and for a solver that is slow to give up

double OwnCpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return CpuSeconds(usage);
}

// The passes of a run, as pipelines.
struct ProvedPipelines {
  std::string route;  // as it was asked for, and of folders behind the canonicalizer
  std::string body;   // to the body that is proved
  bool folders = false;
};
// The route that makes code of a tile's programs. None folds those of fp8.
std::string RunRouteOf(const ProofTile& tile, bool folders) {
  if (folders) return kFoldingRunRoute;
  return IsFp8(tile.input) || IsFp8(tile.result) ? kSmallFloatsRunRoute : kRunRoute;
}
ProvedPipelines PipelinesOf(const ToolchainDescription& description, const ProofOptions& options) {
  ProvedPipelines pipelines{.route = description.PipelineOf(options.route), .folders = options.folders};
  if (options.folders) pipelines.route = ChainPipelines({kFolds, pipelines.route});
  pipelines.body = ChainPipelines({pipelines.route, kScaleToArith});
  return pipelines;
}

// In a worker: one op with its element types.
class TileProof {
 public:
  TileProof(Toolchain& toolchain, const ProvedPipelines& pipelines, const ProofTile& tile, int seconds)
      : toolchain_(toolchain), pipelines_(pipelines), tile_(tile), seconds_(seconds), started_(OwnCpuSeconds()) {}

  ProvedTile Take() {
    ProofRow& row = answer_.row;
    row.op = std::string(Name(tile_.op));
    row.types = ToString(TypePair{tile_.input, tile_.result});
    row.settings = tile_.settings.size();
    row.verdict = ProofVerdict::kProved;
    for (const ProofSetting& setting : tile_.settings) {
      std::set<std::string> asked;
      // The others are asked about all the same: what one shows may be known.
      const size_t refuted = answer_.refutations.size();
      if (refuted == kMostRefutations) break;
      for (int rank = 0; rank <= kProvedRanks && answer_.refutations.size() == refuted; ++rank) {
        if (left_ == &setting) break;
        if (rank == 1 || setting.of_every_rank) Ask(setting, rank, &asked);
      }
    }
    row.seconds = OwnCpuSeconds() - started_;
    return std::move(answer_);
  }

 private:
  void Ask(const ProofSetting& setting, int rank, std::set<std::string>* asked) {
    const Program program = OfRank(setting.program, rank);
    const auto unknown = [&](absl::string_view why) {
      Note({.verdict = ProofVerdict::kUnknown, .why = std::string(why)}, setting, rank);
    };
    const absl::StatusOr<std::string> lowered = Lowered(program, pipelines_.body);
    if (!lowered.ok()) {
      if (setting.is_optional) return Leave(setting);
      answer_.row.refused = true;
      return unknown(lowered.status().message());
    }
    const absl::StatusOr<ScalarBody> body = ReadScalarBody(*lowered);
    if (!body.ok()) return unknown(body.status().message());
    if (!asked->insert(ToString(*body)).second) return;
    ++answer_.row.bodies;
    const double left = seconds_ - (OwnCpuSeconds() - started_);
    if (left <= 0) return unknown("no time left");
    // The solver counts wall time, of which a busy machine takes more; the worker's limit counts CPU time.
    const Decision decision = DecideBody(program, *body, static_cast<unsigned>(kWallPerCpu * 1000 * left));
    if (decision.verdict != ProofVerdict::kRefuted) return Note(decision, setting, rank);
    Refutation& refutation = answer_.refutations.emplace_back();
    refutation.example = CaseOfElements(decision.program, decision.inputs, RunRouteOf(tile_, pipelines_.folders));
    refutation.is_exact = decision.is_exact;
    refutation.why = InWords(decision, setting, rank);
    for (size_t i = 0; i < decision.inputs.size(); ++i) {
      refutation.inputs.push_back(BitsToString(program.arguments[i].element_type, decision.inputs[i]));
    }
  }

  absl::StatusOr<std::string> Lowered(const Program& program, const std::string& pipeline) {
    return toolchain_.lowering()->LowerText(ToMlir(program, toolchain_.description().dialect), pipeline, false);
  }

  static std::string InWords(const Decision& decision, const ProofSetting& setting, int rank) {
    return absl::StrCat(decision.why, setting.text.empty() ? "" : " with ", setting.text,
                        rank == 0 ? "" : absl::StrCat(" at rank ", rank));
  }

  // A setting that the lowering does not take has no body, and is not counted.
  void Leave(const ProofSetting& setting) {
    left_ = &setting;
    --answer_.row.settings;
  }

  // The first reason of the worst verdict stays.
  void Note(const Decision& decision, const ProofSetting& setting, int rank) {
    ProofRow& row = answer_.row;
    if (decision.verdict <= row.verdict) return;
    row.verdict = decision.verdict;
    row.why = InWords(decision, setting, rank);
  }

  Toolchain& toolchain_;
  const ProvedPipelines& pipelines_;
  const ProofTile& tile_;
  const double seconds_;
  const double started_;
  ProvedTile answer_;
  const ProofSetting* left_ = nullptr;  // the last that the lowering does not take
};

class ProofRun {
 public:
  ProofRun(Toolchain& toolchain, const ProofOptions& options, const std::atomic<bool>* stop)
      : toolchain_(toolchain),
        options_(options),
        stop_(stop),
        pipelines_(PipelinesOf(toolchain.description(), options)),
        tiles_(options.folders ? FolderTiles(options.ops, options.types) : ProofTiles(options.ops, options.types)) {}

  absl::StatusOr<ProofSummary> Run();

 private:
  bool Stopped() const { return stop_ != nullptr && *stop_; }
  absl::Status AskAll();
  void Confirm(ProvedTile* tile);
  CheckedCase Execute(const Case& example);
  const Finding& Collect(const ProvedTile& tile, const Refutation& refutation, const CheckedCase& checked);

  Toolchain& toolchain_;
  const ProofOptions& options_;
  const std::atomic<bool>* stop_;
  const ProvedPipelines pipelines_;
  const std::vector<ProofTile> tiles_;
  std::map<size_t, ProvedTile> proved_;                            // by index into tiles_
  std::map<std::pair<FindingSignature, bool>, Finding> findings_;  // and whether stock MLIR has the example right
  ProofSummary summary_;
};

absl::Status ProofRun::AskAll() {
  PoolOptions workers{.jobs = options_.jobs, .limits = options_.limits};
  workers.limits.cpu_seconds = options_.timeout_seconds + kSpareSeconds;
  workers.limits.wall_seconds = 2 * kWallPerCpu * workers.limits.cpu_seconds;
  ProgressLine progress;
  uint64_t counts[3] = {};
  return MapIndices<ProvedTile>(
      workers, stop_, tiles_.size(),
      [&](uint64_t task) { return TileProof(toolchain_, pipelines_, tiles_[task], options_.timeout_seconds).Take(); },
      [&](uint64_t task, WorkerResult<ProvedTile> result) {
        const ProofTile& tile = tiles_[task];
        ProvedTile& answer = proved_[task] = std::move(result.answer);
        if (result.death) {
          answer.row.op = std::string(Name(tile.op));
          answer.row.types = ToString(TypePair{tile.input, tile.result});
          answer.row.settings = tile.settings.size();
          answer.row.why = result.death->how == Death::How::kDeadline      ? "no time left"
                           : result.death->how == Death::How::kOutOfMemory ? "no memory left"
                                                                           : "lowering or solving it ended the process";
        }
        ++counts[static_cast<size_t>(answer.refutations.empty() ? answer.row.verdict : ProofVerdict::kRefuted)];
        progress.Show(absl::StrCat(proved_.size(), "/", tiles_.size(), " tiles, ", counts[0], " proved, ", counts[2],
                                   " refuted, ", counts[1], " unknown"));
      });
}

// On the route that is edited, behind what is put into it, or else on a plain one.
CheckedCase ProofRun::Execute(const Case& example) {
  if (options_.route != kCustomRoute) return CheckCase(toolchain_, example, options_.limits, options_.judge);
  // The canonicalizer is in pipelines_.route already.
  const std::string run = options_.folders ? kRunRoute : example.route;
  const std::string through = ChainPipelines({pipelines_.route, toolchain_.description().PipelineOf(run)});
  const auto observe = [&](const Case& test_case) {
    return ObserveIsolated([&] { return toolchain_.lowering()->ObserveThrough(test_case, through); }, options_.limits);
  };
  return CheckWith(observe, example, options_.judge);
}

// Runs the solver's counterexamples. Where the documents allow more than the formula's value, only a run refutes. The
// row shows a new divergence rather than a known one.
void ProofRun::Confirm(ProvedTile* tile) {
  ProofRow& row = tile->row;
  int shown = -1;
  for (const Refutation& refutation : tile->refutations) {
    if (Stopped()) return;
    const CheckedCase checked = Execute(refutation.example);
    const Judgement& judgement = checked.judgement;
    const bool diverges = IsDivergence(judgement.verdict);
    if (judgement.verdict == Verdict::kHarnessFault) {
      summary_.harness_faults.push_back(absl::StrCat(row.op, " ", row.types, ": ", judgement.actual));
    }
    const bool is_new = diverges && IsNew(Collect(*tile, refutation, checked));
    const bool has_range = !refutation.is_exact || IsFloat(refutation.example.program.ops[0].result.element_type);
    const bool is_allowed = !diverges && has_range && refutation.why.rfind("poison", 0) != 0;
    const int weight = is_allowed ? 0 : !diverges ? 1 : is_new ? 3 : 2;
    if (weight <= shown) continue;
    shown = weight;
    row.verdict = std::max(row.verdict, is_allowed ? ProofVerdict::kUnknown : ProofVerdict::kRefuted);
    row.why = refutation.why;
    row.inputs = refutation.inputs;
    row.execution = absl::StrCat(Name(judgement.verdict), diverges ? " [" : "", diverges ? Name(judgement.rule) : "",
                                 diverges ? "]" : "");
  }
}

// The finding of a confirmed refutation.
const Finding& ProofRun::Collect(const ProvedTile& tile, const Refutation& refutation, const CheckedCase& checked) {
  const Case& example = refutation.example;
  const auto judged = [&] { return checked.judgement; };
  const bool base_is_right =
      options_.base && IsPatchToBlame(toolchain_, *options_.base, example, judged, options_.limits, options_.judge, {});
  Finding& finding = findings_[{checked.signature, base_is_right}];
  if (++finding.count > 1) return finding;
  finding.signature = checked.signature;
  finding.judgement = checked.judgement;
  finding.op = tile.row.op;
  finding.route = example.route;
  const KnownDivergences::Entry* known =
      options_.known.Explaining(base_is_right).Find(checked.signature, &example, toolchain_);
  finding.cause = known != nullptr ? known->cause : ToString(checked.signature);
  if (known != nullptr) finding.known_reason = known->reason;
  ValuesEvidence& values = finding.values();
  values.types = tile.row.types;
  values.example = example;
  values.listed = {{checked.judgement, refutation.inputs}};
  return finding;
}

absl::StatusOr<ProofSummary> ProofRun::Run() {
  TOSAIC_RETURN_IF_ERROR(CheckEachTypeHasTile("proof", options_.types, tiles_));
  if (toolchain_.lowering() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(toolchain_.description().name, kLacksText));
  }
  const absl::Time started = absl::Now();
  summary_.provenance = ProvenanceOf(options_.command_line, toolchain_, {options_.route}, options_.judge.policies);
  summary_.route = options_.route;
  summary_.folders = options_.folders;
  summary_.ranks = options_.folders ? 1 : kProvedRanks;
  summary_.timeout_seconds = static_cast<uint64_t>(options_.timeout_seconds);
  TOSAIC_RETURN_IF_ERROR(AskAll());
  for (auto& [index, tile] : proved_) {
    if (!Stopped()) Confirm(&tile);
    summary_.rows.push_back(tile.row);
  }
  for (auto& [signature, finding] : findings_) summary_.findings.push_back(std::move(finding));
  summary_.interrupted = Stopped();
  summary_.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - started);
  return std::move(summary_);
}

}  // namespace

absl::StatusOr<ProofSummary> Prove(Toolchain& toolchain, const ProofOptions& options, const std::atomic<bool>* stop) {
  return ProofRun(toolchain, options, stop).Run();
}

}  // namespace tosaic
