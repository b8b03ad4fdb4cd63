#include "toolchain/external/external_toolchain.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SourceMgr.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/support_table.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/external/tool_output.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// The start of a tool is shared by so many cases; more make a lost batch dearer and gain little.
constexpr size_t kBatch = 64;

// What a tool made of one module.
struct Answer {
  enum class How : uint8_t { kMade, kRefused, kSignal, kDeadline, kOutOfMemory, kFailure };
  How how = How::kFailure;
  int signal = 0;
  std::string module;  // kMade
  std::vector<std::string> errors;
};

// How a tool is asked, and how its output comes apart.
struct Question {
  std::vector<std::string> arguments;
  std::vector<std::string> (*split)(absl::string_view output);
  absl::string_view marks;  // every module that it makes has this text
};

// A directory for what is prepared, gone with the process that made it.
class ScratchDirectory {
 public:
  ScratchDirectory()
      : path_((std::filesystem::temp_directory_path() / "tosaic-prepared-XXXXXX").string()), owner_(getpid()) {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty() && owner_ == getpid()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }  // empty: there is none

 private:
  std::string path_;
  pid_t owner_;
};

// A case on its way through the tools: where the walk ended, or the LLVM IR with which it goes on in this process.
struct Walk {
  const Case* test_case = nullptr;
  const Route* route = nullptr;  // that of the case if it is not given; null then: the toolchain has no such route
  std::string program;           // in the dialect's words, then as the last tool left it
  std::optional<Answer> lowered;
  bool ended = false;
  Observation observation;
};

void EndWalk(Outcome outcome, std::vector<std::string> diagnostics, Walk* walk) {
  walk->ended = true;
  walk->observation.outcome = outcome;
  walk->observation.diagnostics = std::move(diagnostics);
}

void Enter(Stage stage, absl::Span<Walk* const> walks) {
  EnterStage(stage);
  for (Walk* walk : walks) walk->observation.stage = stage;
}

Outcome OutcomeOf(Answer::How how) {
  switch (how) {
    case Answer::How::kMade:
      return Outcome::kCompleted;
    case Answer::How::kRefused:
      return Outcome::kRefused;
    case Answer::How::kSignal:
      return Outcome::kSignal;
    case Answer::How::kDeadline:
      return Outcome::kDeadline;
    case Answer::How::kOutOfMemory:
      return Outcome::kOutOfMemory;
    case Answer::How::kFailure:
      break;
  }
  return Outcome::kToolFailure;
}

std::string FirstLine(absl::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

class ExternalToolchain : public Toolchain {
 public:
  static absl::StatusOr<std::unique_ptr<Toolchain>> Create(const ExternalTools& tools,
                                                           const ExternalToolchainOptions& options);

  std::string name() const override { return tools_.name(); }
  std::string version() const override { return absl::StrCat("LLVM ", tools_.version); }
  std::string directory() const override { return tools_.directory; }
  int mlir_version() const override { return tools_.major; }
  Dialect dialect() const override { return dialect_; }
  std::vector<const Route*> Routes() const override { return RoutesOfTools(dialect_); }
  std::string PipelineOf(absl::string_view name) const override {
    const Route* route = RouteNamed(name);
    return route == nullptr ? "" : std::string(route->pipeline);
  }
  std::vector<std::string> plugins() const override { return plugins_; }

  size_t batch_size() const override { return kBatch; }
  void Prepare(absl::Span<const Case> cases) override;
  Observation Observe(const Case& test_case) override;
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override;
  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override;
  Observation ObserveDecision(const Program& program) override;
  Observation ObserveProbe(const OpSignature& probe) override;
  std::unique_ptr<Decider> CreateDecider(const Program*, absl::Span<const ValueType>) override { return nullptr; }

 private:
  ExternalToolchain(const ExternalTools& tools, const ExternalToolchainOptions& options)
      : tools_(tools), limits_(options.limits), custom_pipeline_(options.pipeline) {}

  absl::Status FindDialect();
  absl::Status LoadPlugins(const std::vector<std::string>& files);
  absl::Status CheckPipeline();
  const Route* RouteNamed(absl::string_view name) const;

  Question Verification() const;
  Question Passes(absl::string_view pipeline, std::vector<std::string> more = {}) const;
  Question Translation() const;
  std::vector<Answer> Ask(const Question& question, absl::Span<const std::string> modules) const;
  Answer AskAlone(const Question& question, const std::string& module) const;
  std::optional<std::vector<Answer>> AskTogether(const Question& question, absl::Span<const std::string> modules) const;

  // The stages; each goes on with the walks that have not ended.
  void Build(absl::Span<Walk> walks) const;
  void TryLowering(absl::Span<Walk> walks) const;
  void Verify(absl::Span<Walk> walks) const;
  void Infer(absl::Span<Walk> walks) const;
  void Lower(absl::Span<Walk> walks) const;
  void EndLowering(Answer answer, Walk* walk) const;
  void Translate(absl::Span<Walk> walks) const;
  void WalkTools(absl::Span<Walk> walks) const;
  void Execute(Walk* walk);

  std::string PreparedFile(const Case& test_case) const;
  bool TakePrepared(const Case& test_case, Walk* walk) const;

  ExternalTools tools_;
  ToolLimits limits_;
  Dialect dialect_ = kCanonicalDialect;
  std::string custom_pipeline_;
  Route custom_route_{.name = kCustomRoute, .pipeline = "", .exercises = "what the user gave"};
  std::vector<std::string> plugin_arguments_;
  std::vector<std::string> plugins_;
  ScratchDirectory prepared_;
  CodeRunner code_;
};

// The walks that go on.
std::vector<Walk*> Going(absl::Span<Walk> walks) {
  std::vector<Walk*> going;
  for (Walk& walk : walks) {
    if (!walk.ended) going.push_back(&walk);
  }
  return going;
}

std::vector<std::string> ProgramsOf(absl::Span<Walk* const> walks) {
  std::vector<std::string> programs;
  for (const Walk* walk : walks) programs.push_back(walk->program);
  return programs;
}

const Route* ExternalToolchain::RouteNamed(absl::string_view name) const {
  if (name == kCustomRoute && !custom_pipeline_.empty()) return &custom_route_;
  return FindRoute(RoutesOfTools(dialect_), name);
}

Question ExternalToolchain::Verification() const {
  return {{tools_.opt, "--split-input-file", "--mlir-disable-threading", "--mlir-print-op-on-diagnostic=false"},
          SplitModules,
          "func"};
}

Question ExternalToolchain::Passes(absl::string_view pipeline, std::vector<std::string> more) const {
  Question question = Verification();
  question.arguments.insert(question.arguments.end(), plugin_arguments_.begin(), plugin_arguments_.end());
  question.arguments.push_back(absl::StrCat("--pass-pipeline=", pipeline));
  question.arguments.insert(question.arguments.end(), more.begin(), more.end());
  return question;
}

Question ExternalToolchain::Translation() const {
  return {{tools_.translate, "--split-input-file", "--allow-unregistered-dialect", "--mlir-to-llvmir"},
          SplitLlvmModules,
          "define "};
}

// Every module's answer, if the tool ended as it should and it is clear which module each error is about.
std::optional<std::vector<Answer>> ExternalToolchain::AskTogether(const Question& question,
                                                                  absl::Span<const std::string> modules) const {
  // A module takes milliseconds. One that hangs is found by halves, and shall not cost a case's whole limit in each.
  ToolLimits limits = limits_;
  limits.cpu_seconds = std::min(limits.cpu_seconds, 2 + static_cast<int>(modules.size() / 16));
  const ToolEnd end = RunTool(question.arguments, JoinModules(modules), limits);
  if (end.how != ToolEnd::How::kExited) return std::nullopt;
  std::vector<std::string> made = question.split(end.out);
  if (made.size() != modules.size()) return std::nullopt;
  std::vector<Answer> answers(modules.size());
  for (ToolError& error : ErrorsIn(end.err, modules)) {
    if (!error.module) return std::nullopt;
    answers[*error.module].errors.push_back(std::move(error.message));
  }
  bool all_made = true;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (made[i].empty() == answers[i].errors.empty()) return std::nullopt;
    if (!made[i].empty() && !absl::StrContains(made[i], question.marks)) return std::nullopt;
    answers[i].how = made[i].empty() ? Answer::How::kRefused : Answer::How::kMade;
    answers[i].module = std::move(made[i]);
    all_made &= answers[i].how == Answer::How::kMade;
  }
  if ((end.status == 0) != all_made) return std::nullopt;
  return answers;
}

Answer ExternalToolchain::AskAlone(const Question& question, const std::string& module) const {
  const ToolEnd end = RunTool(question.arguments, module, limits_);
  Answer answer;
  const std::string tool = std::filesystem::path(question.arguments.front()).filename().string();
  switch (end.how) {
    case ToolEnd::How::kNotStarted:
      answer.errors = {absl::StrCat(tool, " does not run: ", FirstLine(end.err))};
      return answer;
    case ToolEnd::How::kTooMuchOutput:
      answer.errors = {absl::StrCat(tool, " does not stop printing")};
      return answer;
    case ToolEnd::How::kDeadline:
      answer.how = Answer::How::kDeadline;
      return answer;
    case ToolEnd::How::kSignal:
      answer.how = absl::StrContains(end.err, "out of memory") || absl::StrContains(end.err, "bad_alloc")
                       ? Answer::How::kOutOfMemory
                       : Answer::How::kSignal;
      answer.signal = answer.how == Answer::How::kSignal ? end.status : 0;
      answer.errors = LastWords(end.err);
      return answer;
    case ToolEnd::How::kExited:
      break;
  }
  for (ToolError& error : ErrorsIn(end.err, {module})) answer.errors.push_back(std::move(error.message));
  // What is wrong with the command line, and not with the module.
  for (const std::string& error : answer.errors) {
    if (absl::StrContains(error, "does not refer to a registered pass") ||
        absl::StrContains(error, "failed to add `") || absl::StrContains(error, "pass pipeline")) {
      return answer;
    }
  }
  std::vector<std::string> made = question.split(end.out);
  const std::string only = made.size() == 1 ? std::move(made.front()) : "";
  if (end.status == 0 && answer.errors.empty() && absl::StrContains(only, question.marks)) {
    answer.how = Answer::How::kMade;
    answer.module = only;
    return answer;
  }
  // A pass may fail without a word, but not without its dump.
  const bool failed = !answer.errors.empty() || FailedPass(end.err).has_value();
  if (end.status == 1 && failed && only.empty()) {
    answer.how = Answer::How::kRefused;
    return answer;
  }
  answer.errors.insert(answer.errors.begin(), absl::StrCat(tool, " ended with status ", end.status,
                                                           " and printed neither a module nor an error",
                                                           end.err.empty() ? "" : ": ", FirstLine(end.err)));
  return answer;
}

// All at once, or by halves, down to the one that is to blame.
std::vector<Answer> ExternalToolchain::Ask(const Question& question, absl::Span<const std::string> modules) const {
  if (modules.empty()) return {};
  if (modules.size() == 1) return {AskAlone(question, modules.front())};
  if (std::optional<std::vector<Answer>> answers = AskTogether(question, modules)) return *std::move(answers);
  const size_t half = modules.size() / 2;
  std::vector<Answer> answers = Ask(question, modules.first(half));
  for (Answer& answer : Ask(question, modules.subspan(half))) answers.push_back(std::move(answer));
  return answers;
}

void ExternalToolchain::Build(absl::Span<Walk> walks) const {
  Enter(Stage::kBuild, Going(walks));
  for (Walk* walk : Going(walks)) {
    const Case& test_case = *walk->test_case;
    if (walk->route == nullptr) walk->route = RouteNamed(test_case.route);
    if (const SupportEntry* entry = FindUnwritable(test_case.program, dialect_)) {
      EndWalk(Outcome::kRefused, {absl::StrCat(name(), ": ", entry->reason)}, walk);
    } else if (walk->route == nullptr) {
      EndWalk(Outcome::kRefused, {absl::StrCat(name(), " has no route '", test_case.route, "'")}, walk);
    } else {
      walk->program = ToMlir(test_case.program, dialect_);
    }
  }
}

void ExternalToolchain::Verify(absl::Span<Walk> walks) const {
  std::vector<Walk*> going = Going(walks);
  Enter(Stage::kVerify, going);
  std::erase_if(going, [](const Walk* walk) { return walk->lowered && walk->lowered->how == Answer::How::kMade; });
  std::vector<Answer> answers = Ask(Verification(), ProgramsOf(going));
  for (size_t i = 0; i < going.size(); ++i) {
    if (answers[i].how == Answer::How::kMade) continue;
    going[i]->observation.signal = answers[i].signal;
    EndWalk(OutcomeOf(answers[i].how), std::move(answers[i].errors), going[i]);
    Observation& observation = going[i]->observation;
    if (observation.outcome == Outcome::kRefused) observation.category = CategoryOf(observation.diagnostics.front());
  }
}

// The op alone in a function, with its operands as arguments or constants, and a result that says nothing.
Program ForInference(const Program& program, const OpApplication& op) {
  Program alone;
  OpApplication only = op;
  for (ValueRef& operand : only.operands) {
    const bool is_constant = operand.kind == ValueRef::Kind::kConstant;
    if (is_constant) {
      alone.constants.push_back(program.constants[static_cast<size_t>(operand.index)]);
    } else {
      alone.arguments.push_back(TypeOf(program, operand));
    }
    operand.kind = is_constant ? ValueRef::Kind::kConstant : ValueRef::Kind::kArgument;
    operand.index = static_cast<int>((is_constant ? alone.constants.size() : alone.arguments.size()) - 1);
  }
  only.result.shape = Shape::Unranked();
  alone.ops = {only};
  alone.results = {{ValueRef::Kind::kOp, 0}};
  return alone;
}

// What tosa-infer-shapes makes of a result without a shape is what the op's own inference says; where it says nothing,
// that is not told from "unranked", and left open.
void ExternalToolchain::Infer(absl::Span<Walk> walks) const {
  const std::vector<Walk*> going = Going(walks);
  Enter(Stage::kInfer, going);
  std::vector<std::string> modules;
  for (const Walk* walk : going) {
    const Program& program = walk->test_case->program;
    std::string& module = modules.emplace_back();
    for (size_t i = 0; i < program.ops.size(); ++i) {
      absl::StrAppend(&module, ToMlir(ForInference(program, program.ops[i]), dialect_, absl::StrCat("op", i)));
    }
  }
  const std::vector<Answer> answers =
      Ask(Passes("builtin.module(func.func(tosa-infer-shapes))", {"--mlir-print-op-generic"}), modules);
  for (size_t i = 0; i < going.size(); ++i) {
    // An op whose result says nothing may be illegal where the op is not; a pass that dies will die in lowering too.
    if (answers[i].how != Answer::How::kMade) continue;
    const std::vector<std::string> types = ResultTypes(answers[i].module);
    if (types.size() != going[i]->test_case->program.ops.size()) continue;
    for (const std::string& type : types) {
      const absl::StatusOr<TensorType> parsed = ParseTensorType(type);
      const bool says_something = parsed.ok() && parsed->shape.IsRanked();
      going[i]->observation.inferred.push_back(says_something ? std::optional(*parsed) : std::nullopt);
    }
  }
}

// A refusal or a death behind the verifier: which pass it was, and whether it left IR that does not verify.
void ExternalToolchain::EndLowering(Answer answer, Walk* walk) const {
  const Route& route = *walk->route;
  Observation& observation = walk->observation;
  if (answer.how == Answer::How::kRefused) {
    const Question question = Passes(route.pipeline, {"--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"});
    const std::string printed = RunTool(question.arguments, walk->program, limits_).err;
    // Of this call, for MLIR's garbage is another in every process.
    const std::vector<ToolError> errors = ErrorsIn(printed, {});
    if (!errors.empty()) answer.errors.clear();
    for (const ToolError& error : errors) answer.errors.push_back(error.message);
    if (std::string pass = PassWithLooseConstant(printed); !pass.empty()) {
      observation.pass = std::move(pass);
      answer.errors.insert(answer.errors.begin(), std::string(kLooseConstant));
      return EndWalk(Outcome::kIllegalIr, std::move(answer.errors), walk);
    }
    if (const std::optional<IrDump> dump = FailedPass(printed)) {
      observation.pass = dump->pass;
      const Answer again = AskAlone(Verification(), dump->ir);
      const bool same = !again.errors.empty() && std::find(answer.errors.begin(), answer.errors.end(),
                                                           again.errors.front()) != answer.errors.end();
      if (again.how == Answer::How::kRefused && same) {
        return EndWalk(Outcome::kIllegalIr, std::move(answer.errors), walk);
      }
    }
  } else if (answer.how != Answer::How::kFailure) {
    const Question question = Passes(route.pipeline, {"--mlir-print-ir-before-all"});
    observation.pass = LastPass(RunTool(question.arguments, walk->program, limits_).err);
    observation.signal = answer.signal;
  }
  EndWalk(OutcomeOf(answer.how), std::move(answer.errors), walk);
}

// What passes go through has been verified as well: a call less for most.
void ExternalToolchain::TryLowering(absl::Span<Walk> walks) const {
  Enter(Stage::kVerify, Going(walks));
  std::map<absl::string_view, std::vector<Walk*>> by_pipeline;
  for (Walk* walk : Going(walks)) {
    if (!walk->test_case->runs.empty()) by_pipeline[walk->route->pipeline].push_back(walk);
  }
  for (auto& [pipeline, on_it] : by_pipeline) {
    std::vector<Answer> answers = Ask(Passes(pipeline), ProgramsOf(on_it));
    for (size_t i = 0; i < on_it.size(); ++i) on_it[i]->lowered = std::move(answers[i]);
  }
}

void ExternalToolchain::Lower(absl::Span<Walk> walks) const {
  Enter(Stage::kLower, Going(walks));
  for (Walk* walk : Going(walks)) {
    if (walk->lowered->how == Answer::How::kMade) {
      walk->program = std::move(walk->lowered->module);
    } else {
      EndLowering(*std::move(walk->lowered), walk);
    }
  }
}

void ExternalToolchain::Translate(absl::Span<Walk> walks) const {
  const std::vector<Walk*> going = Going(walks);
  Enter(Stage::kTranslate, going);
  std::vector<Answer> answers = Ask(Translation(), ProgramsOf(going));
  for (size_t i = 0; i < going.size(); ++i) {
    if (answers[i].how == Answer::How::kMade) {
      going[i]->program = std::move(answers[i].module);
    } else {
      going[i]->observation.signal = answers[i].signal;
      EndWalk(OutcomeOf(answers[i].how), std::move(answers[i].errors), going[i]);
    }
  }
}

void ExternalToolchain::WalkTools(absl::Span<Walk> walks) const {
  Build(walks);
  TryLowering(walks);
  Verify(walks);
  Infer(walks);
  for (Walk* walk : Going(walks)) walk->ended = walk->test_case->runs.empty();  // only the decision was asked for
  Lower(walks);
  Translate(walks);
}

void ExternalToolchain::Execute(Walk* walk) {
  Enter(Stage::kTranslate, {walk});
  const Route& route = *walk->route;
  const absl::StatusOr<Jit*> jit = code_.JitFor(route);
  if (!jit.ok()) return EndWalk(Outcome::kToolFailure, {std::string(jit.status().message())}, walk);
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(walk->program, error, (*jit)->context());
  if (module == nullptr) {
    std::string why = absl::StrCat("LLVM " LLVM_VERSION_STRING " does not read it: ", error.getMessage().str());
    return EndWalk(Outcome::kIllegalIr, {std::move(why)}, walk);
  }
  code_.Run(std::move(module), route, *walk->test_case, {}, nullptr, &walk->observation);
}

std::string ExternalToolchain::PreparedFile(const Case& test_case) const {
  if (prepared_.path().empty() || FindUnwritable(test_case.program, dialect_) != nullptr) return "";
  const std::string key =
      absl::StrCat(test_case.route, test_case.runs.empty() ? "\n" : "\n\n", ToMlir(test_case.program, dialect_));
  return absl::StrCat(prepared_.path(), "/", llvm::MD5::hash(llvm::arrayRefFromStringRef(key)).digest().str().str());
}

void ExternalToolchain::Prepare(absl::Span<const Case> cases) {
  for (size_t begin = 0; begin < cases.size(); begin += kBatch) {
    std::vector<Walk> walks;
    for (const Case& test_case : cases.subspan(begin, kBatch)) walks.emplace_back().test_case = &test_case;
    WalkTools(absl::MakeSpan(walks));
    for (const Walk& walk : walks) {
      const std::string file = PreparedFile(*walk.test_case);
      if (file.empty()) continue;
      const Json json{{"ended", walk.ended}, {"program", walk.program}, {"observation", ToJson(walk.observation)}};
      // Under a name of its own first: a reader finds all of it or nothing.
      const std::string unfinished = absl::StrCat(file, ".", getpid());
      std::ofstream(unfinished, std::ios::binary) << Dump(json, -1);
      std::error_code ignored;
      std::filesystem::rename(unfinished, file, ignored);
    }
  }
}

bool ExternalToolchain::TakePrepared(const Case& test_case, Walk* walk) const {
  const std::string file = PreparedFile(test_case);
  if (file.empty()) return false;
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  const absl::StatusOr<Json> json = ParseJson(std::string(std::istreambuf_iterator<char>(in), {}));
  std::remove(file.c_str());
  if (!json.ok() || !json->contains("observation")) return false;
  absl::StatusOr<Observation> observation = FromJson<Observation>((*json)["observation"]);
  if (!observation.ok()) return false;
  walk->observation = *std::move(observation);
  walk->route = RouteNamed(test_case.route);
  walk->ended = (*json)["ended"].get<bool>();
  walk->program = (*json)["program"].get<std::string>();
  return true;
}

Observation ExternalToolchain::Observe(const Case& test_case) {
  Walk walk;
  walk.test_case = &test_case;
  if (!TakePrepared(test_case, &walk)) {
    walk = Walk();
    walk.test_case = &test_case;
    WalkTools({&walk, 1});
  }
  if (!walk.ended) Execute(&walk);
  return std::move(walk.observation);
}

absl::StatusOr<std::string> ExternalToolchain::LowerText(absl::string_view mlir, absl::string_view pipeline,
                                                         bool to_llvm_ir) {
  Answer answer = AskAlone(Passes(pipeline), std::string(mlir));
  if (answer.how == Answer::How::kMade && to_llvm_ir) answer = AskAlone(Translation(), answer.module);
  if (answer.how == Answer::How::kMade) return std::move(answer.module);
  return absl::InvalidArgumentError(answer.errors.empty() ? absl::StrCat(Name(OutcomeOf(answer.how)))
                                                          : answer.errors.front());
}

Observation ExternalToolchain::ObserveThrough(const Case& test_case, absl::string_view pipeline) {
  const Route* like = RouteNamed(test_case.route);
  Route route = like != nullptr ? *like : custom_route_;
  route.pipeline = pipeline;
  Walk walk;
  walk.test_case = &test_case;
  walk.route = &route;
  WalkTools({&walk, 1});
  if (!walk.ended) Execute(&walk);
  return std::move(walk.observation);
}

Observation ExternalToolchain::ObserveDecision(const Program& program) {
  Case decision;
  decision.program = program;
  return Observe(decision);
}

Observation ExternalToolchain::ObserveProbe(const OpSignature&) {
  Observation observation;
  observation.stage = Stage::kBuild;
  observation.outcome = Outcome::kRefused;
  observation.diagnostics = {absl::StrCat(name(), " has no op with the Broadcastable trait alone")};
  return observation;
}

// What the dialects spell differently, in each one's words; the tools take that of their own.
Program ShibbolethProgram() {
  Program program;
  const Shape one({Dim::Static(1)});
  program.arguments = {{one, ElementType::kI32}, {one, ElementType::kI8}, {one, ElementType::kF32}};
  program.constants = {Tensor(ElementType::kI8, {1}), Tensor(ElementType::kI32, {1})};
  using Kind = ValueRef::Kind;
  Attributes bounds;
  bounds.min_val = TypedBits{ElementType::kF32, 0};
  bounds.max_val = TypedBits{ElementType::kF32, 0x3f800000};
  program.ops = {
      {OpKind::kMul, {{Kind::kArgument, 0}, {Kind::kConstant, 1}, {Kind::kConstant, 0}}, {}, program.arguments[0]},
      {OpKind::kIntdiv, {{Kind::kArgument, 0}, {Kind::kConstant, 1}}, {}, program.arguments[0]},
      {OpKind::kNegate, {{Kind::kArgument, 1}, {Kind::kConstant, 0}, {Kind::kConstant, 0}}, {}, program.arguments[1]},
      {OpKind::kClamp, {{Kind::kArgument, 2}}, bounds, program.arguments[2]},
  };
  program.results = {{Kind::kOp, 0}, {Kind::kOp, 1}, {Kind::kOp, 2}, {Kind::kOp, 3}};
  return program;
}

absl::Status ExternalToolchain::FindDialect() {
  std::vector<Dialect> candidates = {NearestDialect(tools_.major)};
  for (const DialectInfo& info : AllDialects()) {
    if (info.dialect != candidates.front()) candidates.push_back(info.dialect);
  }
  Answer first;
  for (const Dialect candidate : candidates) {
    const Answer answer = AskAlone(Verification(), ToMlir(ShibbolethProgram(), candidate));
    if (answer.how == Answer::How::kMade) {
      dialect_ = candidate;
      return absl::OkStatus();
    }
    if (candidate == candidates.front()) first = answer;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      tools_.opt, " of LLVM ", tools_.version, " takes none of the TOSA dialects that Tosaic writes (of MLIR ",
      absl::StrJoin(AllDialects(), ", ",
                    [](std::string* out, const DialectInfo& info) { absl::StrAppend(out, info.version); }),
      "): ", first.errors.empty() ? "it does not end as it should" : first.errors.front()));
}

// mlir-opt itself loads them; what is wrong with one shows on a module with nothing in it.
absl::Status ExternalToolchain::LoadPlugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    auto error = [&](absl::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat("the pass plugin ", file, " does not load: ", why));
    };
    std::error_code ignored;
    const std::string path = std::filesystem::absolute(file, ignored).string();
    std::ifstream in(path, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(path, ignored)) return error("no such file");
    const std::string content(std::istreambuf_iterator<char>(in), {});
    plugin_arguments_.push_back(absl::StrCat("--load-pass-plugin=", path));
    std::vector<std::string> arguments = Verification().arguments;
    arguments.push_back(plugin_arguments_.back());
    const ToolEnd end = RunTool(arguments, "module {}\n", limits_);
    if (end.how != ToolEnd::How::kExited || end.status != 0 || absl::StrContains(end.err, "Failed to load")) {
      return error(end.err.empty() ? absl::StrCat(tools_.opt, " does not end as it should") : FirstLine(end.err));
    }
    const std::string digest = llvm::MD5::hash(llvm::arrayRefFromStringRef(content)).digest().str().str();
    plugins_.push_back(absl::StrCat(std::filesystem::path(path).filename().string(), " (MD5 ", digest, ")"));
  }
  return absl::OkStatus();
}

absl::Status ExternalToolchain::CheckPipeline() {
  // As `loops` in all but the pipeline: older versions align what they allocate.
  custom_route_.alignment = RouteNamed("loops")->alignment;
  if (custom_pipeline_.empty()) return absl::OkStatus();
  custom_route_.pipeline = custom_pipeline_;
  if (!absl::StartsWith(custom_pipeline_, "builtin.module(")) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pass pipeline '", custom_pipeline_, "' does not parse: it must be builtin.module(...)"));
  }
  const ToolEnd end = RunTool(Passes(custom_pipeline_).arguments, "module {}\n", limits_);
  if (end.how == ToolEnd::How::kExited && end.status == 0) return absl::OkStatus();
  const std::vector<ToolError> errors = ErrorsIn(end.err, {});
  return absl::InvalidArgumentError(absl::StrCat("the pass pipeline '", custom_pipeline_, "' does not parse: ",
                                                 errors.empty() ? FirstLine(end.err) : errors.front().message));
}

absl::StatusOr<std::unique_ptr<Toolchain>> ExternalToolchain::Create(const ExternalTools& tools,
                                                                     const ExternalToolchainOptions& options) {
  std::unique_ptr<ExternalToolchain> toolchain(new ExternalToolchain(tools, options));
  if (absl::Status status = toolchain->FindDialect(); !status.ok()) return status;
  if (absl::Status status = toolchain->LoadPlugins(options.plugins); !status.ok()) return status;
  if (absl::Status status = toolchain->CheckPipeline(); !status.ok()) return status;
  const absl::StatusOr<Jit*> jit = toolchain->code_.JitFor(toolchain->custom_route_);
  if (!jit.ok()) return jit.status();
  return toolchain;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ExternalToolchainOptions& options) {
  return ExternalToolchain::Create(tools, options);
}

}  // namespace tosaic
