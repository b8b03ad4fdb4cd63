// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One MLIR, three ways to it: linked to Tosaic, behind its C API, and as tools. Whatever the documents decide must be
// observed and judged alike by all of them: what differs is a mistake of ours. TOSAIC_CASES=2000 is the long form,
// which takes all cases of known findings too, and not the first of each on each route.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "campaign/campaign.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/library_function.h"
#include "codec/codec.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/external/external_toolchain.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

uint64_t CasesAskedFor() {
  uint64_t count = 48;
  if (const char* asked_for = std::getenv("TOSAIC_CASES")) (void)absl::SimpleAtoi(asked_for, &count);
  return count;
}

// Any NaN is as good as another.
Tensor WithPlainNans(Tensor tensor) {
  const ElementType type = tensor.element_type();
  for (size_t i = 0; i < tensor.element_count() && IsFloat(type); ++i) {
    if (std::isnan(ElementToDouble(type, tensor.Bits(i)))) tensor.SetBits(i, BitMask(type));
  }
  return tensor;
}

// The facts that must be the same, a line each. Tools cannot tell an inference that says nothing from an unranked
// result, nor of which element type an op's own inference speaks. `with_inference`: no death took what was inferred
// along.
std::vector<std::string> Facts(const CheckedCase& checked, bool of_tools, bool with_inference) {
  const Observation& observation = checked.observation;
  const Judgement& judgement = checked.judgement;
  std::vector<std::string> notes = judgement.notes;
  if (of_tools) std::erase(notes, std::string(Name(RuleId::kInferElementType)));
  std::vector<std::string> facts = {
      absl::StrCat("verdict ", Name(judgement.verdict), " ", Name(judgement.rule)),
      absl::StrCat("expected ", judgement.expected),
      absl::StrCat("signature ", checked.signature.empty() ? "" : ToString(checked.signature)),
      absl::StrCat("notes ", absl::StrJoin(notes, "; ")),
  };
  for (size_t i = 0; i < observation.inferred.size() && with_inference; ++i) {
    const std::optional<TensorType>& type = observation.inferred[i];
    const bool says_something = type && (type->shape.IsRanked() || !of_tools);
    facts.push_back(absl::StrCat("inferred ", i, " ",
                                 !says_something ? "nothing"
                                 : of_tools      ? ToString(type->shape)
                                                 : ToString(*type)));
  }
  if (judgement.verdict == Verdict::kUndefined) return facts;  // anything may come of it
  facts.push_back(absl::StrCat("compared ", judgement.compared, ", masked ", judgement.masked));
  if (judgement.masked > 0) return facts;
  facts.push_back(
      absl::StrCat("ends ", Name(observation.outcome), " at ", Name(observation.stage), " in ", observation.pass));
  for (size_t i = 0; i < observation.runs.size(); ++i) {
    RunObservation run = observation.runs[i];
    for (ResultObservation& result : run.results) result.tensor = WithPlainNans(std::move(result.tensor));
    for (ResultObservation& result : run.results) {  // the verdict says it; the instructions are the printer's
      result.poisoned.clear();
      result.poisoned_otherwise.clear();
    }
    run.poison.clear();
    run.stopped = run.stopped.substr(0, run.stopped.find("Location:"));  // in a text, or in none
    facts.push_back(absl::StrCat("run ", i, " ", ToLine(run)));
  }
  return facts;
}

class OneMlir : public testing::Test {
 protected:
  void SetUp() override {
    ways_["in process"] = CreateMlirToolchain({.library_function = OracleLibrary()}).value();
#ifdef TOSAIC_MLIR_C_LIBRARY
    ways_["library"] = CreateCapiToolchain({.file = TOSAIC_MLIR_C_LIBRARY},
                                           {.library_function = OracleLibrary(), .worker = TOSAIC_CAPI_WORKER})
                           .value();
#endif
    ways_["tools"] = CreateExternalToolchain(FindTools(TOSAIC_LLVM_TOOLS).value(), {}).value();
  }

  CheckedCase Check(const std::string& way, const Case& test_case) { return CheckCase(*ways_[way], test_case, {}, {}); }

  void ExpectAlike(const std::vector<Case>& cases) {
    for (auto& [way, toolchain] : ways_) toolchain->Prepare(cases);
    for (const Case& test_case : cases) {
      const CheckedCase here = Check("in process", test_case);
      for (const std::string way : {"library", "tools"}) {
        if (!ways_.contains(way) || FindRoute(ways_[way]->description().routes, test_case.route) == nullptr) continue;
        const CheckedCase there = Check(way, test_case);
        const bool has_died =
            Outcome::kSignal == here.observation.outcome || Outcome::kSignal == there.observation.outcome;
        // Tools infer by a pass, which may refuse what the verifier accepts wrongly.
        const bool is_refused = here.judgement.verdict == Verdict::kFalseAccept && there.observation.inferred.empty();
        const bool with_inference = !has_died && !is_refused;
        const std::vector<std::string> wanted = Facts(here, way == "tools", with_inference);
        const std::vector<std::string> facts = Facts(there, way == "tools", with_inference);
        EXPECT_EQ(facts.size(), wanted.size()) << way << ": " << ToLine(test_case);
        for (size_t i = 0; i < std::min(facts.size(), wanted.size()); ++i) {
          EXPECT_EQ(facts[i], wanted[i]) << way << ": " << test_case.origin << " on " << test_case.route;
        }
      }
    }
  }

  std::map<std::string, std::unique_ptr<Toolchain>> ways_;
};

TEST_F(OneMlir, IsObservedAndJudgedAlikeOnGeneratedCases) {
  GeneratorOptions options;
  options.routes = MixedRoutes(ways_["in process"]->description().routes);
  options.misfit_percent = 5;
  options.twin_percent = 15;
  options.reshape_percent = 40;
  std::vector<Case> cases;
  for (uint64_t number = 0; number < CasesAskedFor(); ++number) cases.push_back(GenerateCase(2026, number, options));
  ExpectAlike(cases);
}

TEST_F(OneMlir, IsObservedAndJudgedAlikeOnKnownFindings) {
  std::vector<Case> cases;
  std::set<std::pair<std::string, std::string>> seen;  // a finding, and a route that shows it
  const std::vector<std::string> files = CaseFilesAt({absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions")}).value();
  for (const std::string& file : files) {
    Case test_case = ReadCase(file).value();
    // MLIR reads what was never written, or beyond an array.
    constexpr absl::string_view kOfMemory[] = {": F2", ": F3", ": F29", ": F30"};
    const bool depends_on_memory =
        absl::c_any_of(kOfMemory, [&](absl::string_view cause) { return absl::EndsWith(test_case.origin, cause); });
    const bool is_first = seen.insert({test_case.origin, test_case.route}).second;
    if (depends_on_memory || (!is_first && std::getenv("TOSAIC_CASES") == nullptr)) continue;
    cases.push_back(std::move(test_case));
  }
  EXPECT_GT(cases.size(), 100u);
  ExpectAlike(cases);
}

}  // namespace
}  // namespace tosaic
