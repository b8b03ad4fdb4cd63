// corpus/spec: a case per example of the trait document and per combination of the RFC, with the decision that the
// documents give. A file without a row here, or a row without a file, fails.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "oracle/legality.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

struct SpecCase {
  const char* label;  // also the file's name
  Answer answer;
  const char* rule;
  size_t runs;  // only legal, ranked programs have some
};

const SpecCase kSpecCases[] = {
    {"rfc.case.dynxdyn-dynxdyn", Answer::kAccept, "bcast.verify.dyn-dyn", 16},
    {"rfc.case.1xdyn-dynxdyn", Answer::kAccept, "bcast.verify.dyn-dyn", 8},
    {"rfc.case.2x3-4x3", Answer::kRefuse, "bcast.infer.conflict", 0},
    {"rfc.case.1x5-3x5", Answer::kAccept, "bcast.verify.static-dyn", 1},
    {"rfc.case.3x5-3x5", Answer::kAccept, "bcast.verify.static-dyn", 1},
    {"rfc.case.2xdyn-dynxdyn", Answer::kAccept, "bcast.verify.static-dyn", 8},
    {"rfc.case.2x2-dynxdyn", Answer::kAccept, "bcast.verify.static-dyn", 4},
    {"rfc.case.dynx2-2xdyn", Answer::kAccept, "bcast.verify.static-dyn", 4},
    {"rfc.case.rank-equality", Answer::kRefuse, "legal.rank", 0},
    {"rfc.case.modification-1", Answer::kRefuse, "bcast.verify.different", 0},
    {"rfc.case.modification-1-instead", Answer::kAccept, "bcast.verify.equal", 1},
    {"rfc.case.modification-2", Answer::kAccept, "bcast.verify.dyn-static", 3},
    {"rfc.case.add-1d-matching-static", Answer::kAccept, "bcast.verify.equal", 1},
    {"rfc.case.abs-1d-dynamic", Answer::kAccept, "bcast.verify.dyn-dyn", 2},
    {"rfc.case.abs-1d-cast-result", Answer::kAccept, "bcast.verify.static-dyn", 1},
    {"rfc.case.add-1d-broadcast-static-to-static", Answer::kAccept, "bcast.verify.equal", 1},
    {"rfc.case.add-1d-broadcast-dynamic-to-static", Answer::kAccept, "bcast.verify.equal", 2},
    {"rfc.case.add-1d-broadcast-static-to-dynamic", Answer::kAccept, "bcast.verify.dyn-dyn", 2},
    {"rfc.case.add-1d-all-dynamic", Answer::kAccept, "bcast.verify.dyn-dyn", 4},
    {"rfc.case.add-2d-all-dynamic", Answer::kAccept, "bcast.verify.dyn-dyn", 16},
    {"rfc.case.add-0d", Answer::kAccept, "bcast.verify.equal", 1},
    {"rfc.case.add-2d-different-ranks", Answer::kRefuse, "legal.rank", 0},
    {"rfc.case.select-2d-one-dynamic", Answer::kAccept, "bcast.verify.dyn-dyn", 8},
    {"rfc.case.reply-static", Answer::kAccept, "bcast.verify.equal", 1},
    {"bcast.example.exact-match", Answer::kAccept, "bcast.verify.equal", 1},
    {"bcast.example.dynamic-match", Answer::kAccept, "bcast.verify.dyn-dyn", 4},
    {"bcast.example.broadcast-1-4", Answer::kAccept, "bcast.verify.equal", 1},
    {"bcast.example.relaxed-result", Answer::kAccept, "bcast.verify.static-dyn", 1},
    {"bcast.example.rank-expansion", Answer::kRefuse, "legal.rank", 0},
    {"bcast.example.unranked-result", Answer::kAccept, "bcast.verify.unranked-result", 0},
    {"bcast.example.unranked-operands", Answer::kAccept, "bcast.verify.unranked-operands", 0},
    {"bcast.example.operands-differ", Answer::kRefuse, "bcast.infer.conflict", 0},
    {"bcast.example.result-rank", Answer::kRefuse, "legal.rank", 0},
    {"bcast.example.static-result", Answer::kAccept, "bcast.verify.dyn-static", 3},
    {"bcast.example.result-differs", Answer::kRefuse, "bcast.verify.different", 0},
    {"bcast.example.result-broadcast", Answer::kRefuse, "bcast.verify.different", 0},
};

std::filesystem::path Folder() { return std::filesystem::path(TOSAIC_SOURCE_DIR) / "corpus" / "spec"; }

std::string Read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

class SpecCorpus : public testing::TestWithParam<SpecCase> {};

TEST_P(SpecCorpus, IsDecidedAsTheDocumentsSay) {
  const SpecCase& expected = GetParam();
  const std::string text = Read(Folder() / absl::StrCat(expected.label, ".json"));
  const absl::StatusOr<Case> spec_case = CaseFromText(text);
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  EXPECT_EQ(CaseToText(*spec_case), text) << "the file is in the canonical form";
  EXPECT_TRUE(absl::StartsWith(spec_case->origin, absl::StrCat(expected.label, " ("))) << "cites its passage";
  const Legality legality = JudgeLegality(spec_case->program, {});
  EXPECT_EQ(legality.answer, expected.answer);
  EXPECT_EQ(legality.rule, expected.rule);
  EXPECT_FALSE(legality.beyond_spec);
  EXPECT_EQ(spec_case->runs.size(), expected.runs);
  for (const tosaic::Run& run : spec_case->runs) EXPECT_TRUE(SizesOfAllOps(spec_case->program, run));
}

TEST_P(SpecCorpus, StrictPolicyChangesOnlyDynamicToStatic) {
  const SpecCase& expected = GetParam();
  const absl::StatusOr<Case> spec_case = CaseFromText(Read(Folder() / absl::StrCat(expected.label, ".json")));
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  const Legality legality = JudgeLegality(spec_case->program, {.refuse_static_result_of_dynamic_inference = true});
  const bool changes = absl::string_view(expected.rule) == "bcast.verify.dyn-static";
  EXPECT_EQ(legality.answer, changes ? Answer::kRefuse : expected.answer);
}

INSTANTIATE_TEST_SUITE_P(Files, SpecCorpus, testing::ValuesIn(kSpecCases), [](const auto& info) {
  return absl::StrReplaceAll(info.param.label, {{".", "_"}, {"-", "_"}});
});

TEST(SpecCorpusTest, TableAndFolderAreTheSame) {
  std::set<std::string> in_table, in_folder;
  for (const SpecCase& spec_case : kSpecCases) in_table.insert(absl::StrCat(spec_case.label, ".json"));
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    in_folder.insert(entry.path().filename().string());
  }
  EXPECT_EQ(in_table, in_folder);
}

// A dynamic dimension that is 1 at run time meets a larger one: what the RFC found lowered wrongly.
TEST(SpecCorpusTest, DynamicDimensionsOf1MeetLargerOnes) {
  const absl::StatusOr<Case> spec_case = CaseFromText(Read(Folder() / "rfc.case.2xdyn-dynxdyn.json"));
  ASSERT_TRUE(spec_case.ok());
  std::set<std::vector<std::vector<int64_t>>> sizes;
  for (const tosaic::Run& run : spec_case->runs) sizes.insert({run[0].sizes(), run[1].sizes()});
  EXPECT_TRUE(sizes.contains({{2, 3}, {2, 3}}));
  EXPECT_TRUE(sizes.contains({{2, 3}, {1, 1}}));
  EXPECT_TRUE(sizes.contains({{2, 1}, {2, 3}}));
  EXPECT_TRUE(sizes.contains({{2, 1}, {1, 3}}));
}

}  // namespace
}  // namespace tosaic
