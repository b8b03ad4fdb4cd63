// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/case_input.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "campaign/campaign.h"
#include "checking/case_limits.h"
#include "checking/files.h"
#include "codec/status.h"
#include "generators/fuzz_inputs.h"
#include "importing/mlir_cases.h"
#include "results/judgement_text.h"
#include "toolchain/adapter/adapter_toolchain.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/inherited.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

constexpr char kUnparsed[] = "does not parse: ";  // as toolchain/mlir/mlir_import.h says it

// The spelling of .mlir files: that of the toolchain, which for another version its own tools read.
Spelling SpellingOf(const ExternalTools& tools) {
  Spelling spelling{.dialect = NearestDialect(tools.major), .to_generic = nullptr};
  if (spelling.dialect == kCanonicalDialect) return spelling;
  spelling.to_generic = [tools](absl::string_view text) { return GenericForm(tools, text); };
  return spelling;
}

absl::StatusOr<Spelling> SpellingFor(const ToolchainFlags* toolchain) {
  // A library has the canonical dialect, and to an adapter programs are translated.
  if (toolchain == nullptr || !toolchain->IsExternal() || NamesCapiLibrary(toolchain->toolchain) ||
      NamesAdapter(toolchain->toolchain)) {
    return Spelling();
  }
  TOSAIC_ASSIGN_OR_RETURN(const ExternalTools tools, At("--toolchain", FindTools(toolchain->toolchain)));
  return SpellingOf(tools);
}

// For each function that does not parse, the newest MLIR of this machine that parses it, within a few seconds.
void NameWhoParses(const std::string& file, absl::string_view text, bool split, const Spelling& tried,
                   std::vector<MlirCase>* cases) {
  constexpr size_t kMostText = size_t{1} << 20;
  const WorkerLimits limits = {.cpu_seconds = 3, .wall_seconds = 5};
  const auto is_unparsed = [](const MlirCase& mlir_case) { return absl::StartsWith(mlir_case.skipped, kUnparsed); };
  if (text.size() > kMostText || absl::c_none_of(*cases, is_unparsed)) return;
  std::set<std::string> named;
  std::vector<ExternalTools> all = ListTools();
  absl::c_reverse(all);
  for (const ExternalTools& tools : all) {
    const Spelling spelling = SpellingOf(tools);
    if (!spelling.to_generic || spelling.dialect == tried.dialect) continue;  // what 22 parses is parsed always
    const absl::StatusOr<std::vector<MlirCase>> read = CasesInMlir(file, text, split, 1, /*seed=*/1, limits, spelling);
    if (!read.ok()) continue;
    for (MlirCase& mlir_case : *cases) {
      const auto same = absl::c_find_if(*read, [&](const MlirCase& other) { return other.name == mlir_case.name; });
      if (!is_unparsed(mlir_case) || same == read->end() || is_unparsed(*same) || !named.insert(mlir_case.name).second)
        continue;
      const std::string name(absl::StripSuffix(tools.name(), "-tools"));
      absl::StrAppend(&mlir_case.skipped, "; ", name, " parses it: --toolchain=", name);
    }
  }
}

// Tells by the file's name; for standard input and other names, by how the content begins.
bool HoldsMlir(const std::string& file, absl::string_view text) {
  if (absl::EndsWith(file, ".mlir")) return true;
  if (absl::EndsWith(file, ".json")) return false;
  text = absl::StripLeadingAsciiWhitespace(text);
  return !absl::StartsWith(text, "{") || absl::StartsWith(text, "{-#");
}

constexpr absl::string_view kBytecode = "ML\xefR";  // MLIR's own binary form begins with it

// A file for messages.
std::string PlaceOf(const std::string& file) { return file == "-" ? "standard input" : file; }

// Which function of its file a case is: "@f", or "line 4" for one that has no name.
std::string FunctionOf(absl::string_view name) {
  const absl::string_view function = name.substr(name.rfind(':') + 1);
  return absl::StrCat(absl::StartsWith(function, "@") ? "" : "line ", function);
}

// Whether the function of a case has the name that --function gives, with "@" or without.
bool IsOfFunction(absl::string_view name, absl::string_view wanted) {
  return absl::StripPrefix(FunctionOf(name), "@") == absl::StripPrefix(wanted, "@");
}

LoadedCase ToLoaded(MlirCase mlir_case) {
  LoadedCase loaded = {.name = std::move(mlir_case.name),
                       .skipped = std::move(mlir_case.skipped),
                       .part = std::move(mlir_case.part),
                       .has_other_results = mlir_case.has_other_results,
                       .spelled = mlir_case.spelled,
                       .untested = std::move(mlir_case.untested),
                       .no_run = std::move(mlir_case.no_run),
                       .expects_error = mlir_case.expects_error,
                       .from_mlir = true};
  if (mlir_case.test_case) loaded.spec_case.subject = *std::move(mlir_case.test_case);
  return loaded;
}

absl::StatusOr<std::vector<LoadedCase>> FromMlir(const std::string& file, absl::string_view text,
                                                 const CaseInput& input, const ToolchainFlags* toolchain) {
  if (absl::StrContains(text, '\0') && !absl::StartsWith(text, kBytecode)) {
    return absl::InvalidArgumentError(absl::StrCat(PlaceOf(file), ": this is not an MLIR file, but a binary one"));
  }
  TOSAIC_ASSIGN_OR_RETURN(const Spelling spelling, SpellingFor(toolchain));
  const WorkerLimits limits = toolchain == nullptr ? WorkerLimits() : toolchain->limits;
  TOSAIC_ASSIGN_OR_RETURN(std::vector<MlirCase> cases,
                          CasesInMlir(file, text, input.split, input.runs, /*seed=*/1, limits, spelling));
  if (toolchain != nullptr) NameWhoParses(file, text, input.split, spelling, &cases);
  const absl::string_view wanted = absl::StripPrefix(input.function, "@");
  std::vector<LoadedCase> loaded;
  if (cases.empty() && wanted.empty()) loaded.push_back({.name = file, .skipped = kNoFunction, .from_mlir = true});
  std::vector<std::string> others;
  std::map<std::string, int> times_named;
  for (MlirCase& mlir_case : cases) {
    bool is_wanted = wanted.empty() || IsOfFunction(mlir_case.name, wanted);
    // Functions of different parts of the file may have one name.
    if (const int time = ++times_named[mlir_case.name]; time > 1) {
      absl::StrAppend(&mlir_case.name, "-", time);
      is_wanted |= IsOfFunction(mlir_case.name, wanted);
      if (mlir_case.test_case) mlir_case.test_case->origin = mlir_case.name;
    }
    is_wanted ? loaded.push_back(ToLoaded(std::move(mlir_case))) : others.push_back(FunctionOf(mlir_case.name));
  }
  if (!loaded.empty() || wanted.empty()) return loaded;
  const std::string behind = absl::StrCat(wanted, kBehind);
  if (absl::c_linear_search(others, absl::StrCat("@", behind))) {
    return absl::InvalidArgumentError(absl::StrCat(PlaceOf(file), ": --function=", input.function,
                                                   ": no op of it is a case but those behind an op that is not "
                                                   "elementwise; --function=",
                                                   behind, " takes these"));
  }
  return absl::InvalidArgumentError(absl::StrCat(PlaceOf(file), ": --function=", input.function,
                                                 ": the file has no such function", others.empty() ? "" : ", but ",
                                                 absl::StrJoin(others, ", ")));
}

absl::StatusOr<std::vector<LoadedCase>> FromJson(const std::string& file, absl::string_view text,
                                                 const CaseInput& input) {
  if (!input.function.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(file, ": --function takes one of an .mlir file's functions"));
  }
  TOSAIC_ASSIGN_OR_RETURN(SpecCase read, At(PlaceOf(file), SpecCaseFromText(text)));
  LoadedCase loaded = {.name = file, .spec_case = std::move(read)};
  const Case* test_case = loaded.spec_case.test_case();
  if (test_case != nullptr && test_case->runs.empty()) loaded.no_run = "the file has no run";
  return std::vector<LoadedCase>{std::move(loaded)};
}

bool MakesOfBytes(absl::string_view target) {
  return absl::c_any_of(ByteDrivenTargets(), [&](const FuzzTarget& fuzz_target) { return fuzz_target.name == target; });
}

// The case that a libFuzzer target makes of the bytes; its routes are those of MLIR in process.
std::vector<LoadedCase> FromBytes(const std::string& file, absl::string_view text, const std::string& target) {
  const absl::Span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  SpecCase spec_case;
  spec_case.subject = SubjectOfInput(target, bytes, MixedRoutes(RoutesInProcess()));
  spec_case.origin = absl::StrCat(target, " ", std::filesystem::path(file).filename().string());
  if (Case* test_case = std::get_if<Case>(&spec_case.subject)) test_case->origin = spec_case.origin;
  return {{.name = file, .spec_case = std::move(spec_case)}};
}

}  // namespace

void CaseInput::AddTo(CLI::App& app) {
  std::vector<std::string> targets = {"fuzz_program"};  // whose inputs are case files
  for (const FuzzTarget& target : ByteDrivenTargets()) targets.emplace_back(target.name);
  app.add_option("--artifact-of", fuzz_target, "files are inputs of this libFuzzer target, as its artifacts are")
      ->check(OneOf(targets))
      ->type_name("TARGET");
  app.option_defaults()->group("Of an .mlir file");
  app.add_option("--function", function, "take this function alone")->type_name("NAME");
  app.add_flag("--split-input-file", split, "take the file apart at lines '// -----', as mlir-opt does");
  app.add_option(
         "--runs", runs,
         "runs of random data drawn for a function (default: 8, and as many as give each argument every special "
         "value, and each two every pair of the main ones)")
      ->check(NumberFrom(1, 1000));
  app.option_defaults()->group("Options");
}

absl::StatusOr<std::vector<LoadedCase>> CaseInput::LoadAll(const std::string& file,
                                                           const ToolchainFlags* toolchain) const {
  // /dev/stdin opens anew what stands in for a closed one, and can read that.
  if (file == "-" && IsInputClosed()) return absl::InvalidArgumentError("standard input is closed");
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(file == "-" ? "/dev/stdin" : file));
  absl::StatusOr<std::vector<LoadedCase>> loaded = MakesOfBytes(fuzz_target) ? FromBytes(file, text, fuzz_target)
                                                   : HoldsMlir(file, text)   ? FromMlir(file, text, *this, toolchain)
                                                                             : FromJson(file, text, *this);
  if (!loaded.ok()) return loaded;
  for (LoadedCase& loaded_case : *loaded) {
    Case* test_case = std::get_if<Case>(&loaded_case.spec_case.subject);
    if (test_case == nullptr || !loaded_case.skipped.empty()) continue;
    const std::string beyond = BeyondLimits(*test_case);
    if (loaded_case.from_mlir && !beyond.empty()) {
      loaded_case.skipped = beyond;
      for (size_t op = 0; op < test_case->program.ops.size(); ++op) {
        loaded_case.untested.push_back(OpInWords(test_case->program, op));
      }
    }
    if (!beyond.empty() && !loaded_case.from_mlir) return absl::InvalidArgumentError(absl::StrCat(file, ": ", beyond));
    if (beyond.empty() && toolchain != nullptr) TOSAIC_RETURN_IF_ERROR(toolchain->ApplyRoute(file, test_case));
  }
  return loaded;
}

std::string CaseInput::FlagOfMlir() const { return !function.empty() ? "--function" : runs ? "--runs" : ""; }

absl::Status CaseInput::CheckUsed(const std::vector<LoadedCase>& loaded) const {
  const bool any = absl::c_any_of(loaded, [](const LoadedCase& loaded_case) { return loaded_case.from_mlir; });
  if (FlagOfMlir().empty() || any || loaded.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(PlaceOf(loaded[0].name), ": this is no .mlir file, and ", FlagOfMlir(), " is of these alone"));
}

absl::StatusOr<std::vector<LoadedCase>> CaseInput::LoadAll(const std::vector<std::string>& files,
                                                           const ToolchainFlags* toolchain) const {
  std::vector<LoadedCase> all;
  bool any_read = false;
  for (const std::string& file : files) {
    absl::StatusOr<std::vector<LoadedCase>> loaded = LoadAll(file, toolchain);
    if (loaded.ok()) {
      any_read = true;
      absl::c_move(*loaded, std::back_inserter(all));
      continue;
    }
    const std::string why(absl::StripPrefix(loaded.status().message(), absl::StrCat(PlaceOf(file), ": ")));
    all.push_back({.name = file, .skipped = why, .unread = std::move(loaded).status()});
  }
  if (!any_read) return all.front().unread;
  TOSAIC_RETURN_IF_ERROR(CheckUsed(all));
  return all;
}

ProgramReader ReaderFor(const ToolchainFlags& flags) {
  const absl::StatusOr<Spelling> spelling = SpellingFor(&flags);
  if (!spelling.ok()) return nullptr;
  return [spelling = *spelling](absl::string_view mlir) { return ReadWholeFunction(mlir, spelling); };
}

std::vector<Case> CasesIn(const std::vector<LoadedCase>& loaded) {
  std::vector<Case> cases;
  for (const LoadedCase& loaded_case : loaded) {
    const Case* test_case = loaded_case.spec_case.test_case();
    if (test_case != nullptr && loaded_case.skipped.empty()) cases.push_back(*test_case);
  }
  return cases;
}

std::string WhyNoCase(const std::vector<LoadedCase>& loaded) {
  constexpr size_t kMost = 3;
  std::vector<std::string> reasons;
  for (const LoadedCase& loaded_case : loaded) {
    if (loaded_case.skipped == kNoFunction) continue;
    reasons.push_back(absl::StrCat(FunctionOf(loaded_case.name), ": ", loaded_case.skipped));
  }
  if (reasons.empty()) return kNoFunction;
  const size_t more = reasons.size() - std::min(reasons.size(), kMost);
  reasons.resize(reasons.size() - more);
  return absl::StrCat("no function in it is a case: ", absl::StrJoin(reasons, "; "),
                      more > 0 ? absl::StrCat("; and ", more, " more") : "");
}

absl::StatusOr<Case> CaseInput::Load(const std::string& file, const ToolchainFlags* toolchain) const {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<LoadedCase> loaded, LoadAll(file, toolchain));
  TOSAIC_RETURN_IF_ERROR(CheckUsed(loaded));
  std::vector<const Case*> cases;
  std::vector<std::string> names;
  for (const LoadedCase& loaded_case : loaded) {
    if (!loaded_case.skipped.empty()) continue;
    if (loaded_case.from_mlir && IsOfFunction(loaded_case.name, function)) return *loaded_case.spec_case.test_case();
    if (loaded_case.spec_case.test_case() == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(file, ": this is a probe of the trait, which has no program"));
    }
    cases.push_back(loaded_case.spec_case.test_case());
    names.push_back(loaded_case.from_mlir ? loaded_case.name.substr(file.size() + 1) : loaded_case.name);
  }
  if (cases.size() == 1) return *cases.front();
  if (cases.empty()) return absl::InvalidArgumentError(absl::StrCat(PlaceOf(file), ": ", WhyNoCase(loaded)));
  return absl::InvalidArgumentError(absl::StrCat(PlaceOf(file), ": ", cases.size(),
                                                 " functions of it are cases; --function takes one of ",
                                                 absl::StrJoin(names, ", ")));
}

std::string PartInWords(absl::string_view part) {
  if (absl::ConsumePrefix(&part, "behind ")) {
    return absl::StrCat("the ops after ", part, ", for whose results Tosaic draws data");
  }
  if (absl::ConsumePrefix(&part, "up to ")) return absl::StrCat("the ops before ", part);
  return std::string(part);
}

// A plain file name that ends so: the name of a function may have slashes, several lines and any length.
static std::string CaseFileName(std::string name, const std::string& end) {
  for (char& c : name) {
    if (c == '/' || absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '-';
  }
  constexpr size_t kMost = 255;  // bytes, of file systems
  const auto is_inside = [&](size_t at) { return (static_cast<unsigned char>(name[at]) & 0xc0) == 0x80; };
  size_t size = std::min(name.size(), kMost - end.size());
  while (size > 0 && size < name.size() && is_inside(size)) --size;  // no half of a character
  return name.substr(0, size) + end;
}

absl::Status SaveCases(const std::string& directory, const std::vector<LoadedCase>& cases) {
  TOSAIC_RETURN_IF_ERROR(MakeDirectories(directory));
  std::set<std::string> used;
  std::map<std::string, std::string> texts;  // by path
  for (const LoadedCase& loaded_case : cases) {
    if (!loaded_case.skipped.empty()) continue;
    const size_t colon = loaded_case.from_mlir ? loaded_case.name.rfind(":@") : std::string::npos;
    const std::filesystem::path file = loaded_case.name.substr(0, colon);
    const std::string from = file == "-" ? "stdin" : file.stem().string();
    const std::string function = colon == std::string::npos ? "" : loaded_case.name.substr(colon + 2);
    const std::string stem = function.empty() ? from : absl::StrCat(from, "-", function);
    std::string name = CaseFileName(stem, ".json");
    for (int i = 2; !used.insert(name).second; ++i) name = CaseFileName(stem, absl::StrCat("-", i, ".json"));
    TOSAIC_ASSIGN_OR_RETURN(const std::string path, At("--save", PathBelow(directory, name)));
    texts[path] = SpecCaseToText(loaded_case.spec_case);
    if (const absl::StatusOr<std::string> before = ReadFile(path); before.ok() && *before != texts[path]) {
      return absl::InvalidArgumentError(
          absl::StrCat("--save: ", path, " is another case already; give a new directory, or remove it"));
    }
  }
  for (const auto& [path, text] : texts) TOSAIC_RETURN_IF_ERROR(WriteFile(path, text));
  return absl::OkStatus();
}

}  // namespace tosaic
