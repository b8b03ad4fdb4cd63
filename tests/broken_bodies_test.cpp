// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic prove` over the real MLIR: the lowering as it is, and with each mistake of the plugin that lies in a body,
// which is never proved.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "mutants/broken_lowering.h"
#include "proving/prove.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {

namespace {

constexpr char kBodiesOf[] = "tosa-to-linalg";

// Rows by op and types of a pipeline's bodies.
std::map<std::string, ProofRow> RowsOf(const std::string& passes, ProofOptions options) {
  ToolchainOptions toolchain_options;
  toolchain_options.plugins = {TOSAIC_PLUGIN};
  toolchain_options.pipeline = absl::StrCat("builtin.module(func.func(", passes, "))");
  toolchain_options.custom_like = "contract";
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain(toolchain_options);
  EXPECT_TRUE(toolchain.ok()) << toolchain.status();
  options.route = std::string(kCustomRoute);
  std::map<std::string, ProofRow> rows;
  const absl::StatusOr<ProofSummary> summary = Prove(**toolchain, options, nullptr);
  EXPECT_TRUE(summary.ok()) << summary.status();
  if (!summary.ok()) return rows;
  EXPECT_TRUE(summary->harness_faults.empty()) << summary->harness_faults.front();
  for (const ProofRow& row : summary->rows) rows[absl::StrCat(row.op, " ", row.types)] = row;
  return rows;
}

// With a pass behind tosa-to-linalg. No types: all.
std::map<std::string, ProofRow> Proofs(const std::vector<OpKind>& ops, const std::string& pass,
                                       std::vector<ElementType> types = {},
                                       std::optional<double> cpu_seconds = std::nullopt) {
  ProofOptions options;
  options.ops = ops;
  options.types = std::move(types);
  if (cpu_seconds) options.timeout_seconds = static_cast<int>(*cpu_seconds);
  return RowsOf(absl::StrCat(kBodiesOf, pass.empty() ? "" : ",", pass), options);
}

// Of constant and equal operands, with a mistake of the plugin in front of tosa-to-linalg.
std::map<std::string, ProofRow> Folds(OpKind op, const std::string& mistake, std::vector<ElementType> types = {}) {
  ProofOptions options;
  options.ops = {op};
  options.types = std::move(types);
  options.folders = true;
  options.known = KnownDivergences::FromFile(TOSAIC_SOURCE_DIR "/corpus/known-divergences.json").value();
  const std::string pass = mistake.empty() ? "" : absl::StrCat("tosaic-break{what=", mistake, "},");
  return RowsOf(absl::StrCat(pass, kBodiesOf), options);
}

// Mistakes in bodies: not those in shapes and maps, of ops without proofs, of element types beyond 1.0, or within the
// letter of the specification.
std::vector<BrokenLowering> InBodies() {
  std::vector<BrokenLowering> chosen;
  const absl::StatusOr<std::vector<BrokenLowering>> all = BrokenLoweringsOf(TOSAIC_PLUGIN);
  if (!all.ok()) return chosen;
  for (const BrokenLowering& broken : *all) {
    const bool is_elsewhere = broken.after != kBodiesOf || broken.route != "loops" || broken.ops.size() != 1;
    if (is_elsewhere || broken.strict_values) continue;
    if (broken.name == "narrow-sum" || broken.name == "rescale-first-for-last") continue;  // of i64; per channel
    chosen.push_back(broken);
  }
  return chosen;
}

// The ops that have some: what is right of an op is proved once for all of its mistakes.
std::vector<OpKind> BrokenOps() {
  std::vector<OpKind> ops;
  for (const BrokenLowering& broken : InBodies()) {
    if (!absl::c_linear_search(ops, broken.ops[0])) ops.push_back(broken.ops[0]);
  }
  return ops;
}

double Slowest(const std::map<std::string, ProofRow>& rows) {
  double slowest = 0;
  for (const auto& [tile, row] : rows) slowest = std::max(slowest, row.seconds);
  return slowest;
}

class BrokenBodies : public testing::TestWithParam<OpKind> {};

using Rows = std::map<std::string, ProofRow>;

// Rows by the element type of the inputs, beginning with those that take least time.
std::vector<std::pair<ElementType, Rows>> ByInput(const Rows& rows) {
  std::map<ElementType, Rows> by_input;
  for (const auto& [tile, row] : rows) {
    by_input[FindElementType(row.types.substr(0, row.types.find('-'))).value()][tile] = row;
  }
  std::vector<std::pair<ElementType, Rows>> sorted(by_input.begin(), by_input.end());
  absl::c_sort(sorted, [](const auto& a, const auto& b) { return Slowest(a.second) < Slowest(b.second); });
  return sorted;
}

// Whether any tile is refuted, which a run shows.
bool IsAnyRefuted(const Rows& rows, const std::string& mistake) {
  bool is_any = false;
  for (const auto& [tile, row] : rows) {
    if (row.verdict != ProofVerdict::kRefuted) continue;
    is_any = true;
    EXPECT_TRUE(absl::StartsWith(row.execution, "wrong-value")) << mistake << " " << tile << ": " << row.execution;
  }
  return is_any;
}

// Whether any tile that is proved of the right bodies is not with the mistake.
bool IsAnyLost(const Rows& right, const Rows& wrong, const std::string& mistake) {
  EXPECT_EQ(right.size(), wrong.size()) << mistake;
  return absl::c_any_of(right, [&](const auto& tile_and_row) {
    const auto broken = wrong.find(tile_and_row.first);
    return tile_and_row.second.verdict == ProofVerdict::kProved && broken != wrong.end() &&
           broken->second.verdict != ProofVerdict::kProved;
  });
}

TEST_P(BrokenBodies, AreNotProved) {
  const OpKind op = GetParam();
  const std::vector<ElementType> inputs =
      op == OpKind::kRescale ? std::vector{ElementType::kI8} : std::vector<ElementType>();
  const Rows all = Proofs({op}, "", inputs);
  for (const auto& [tile, row] : all) EXPECT_NE(row.verdict, ProofVerdict::kRefuted) << tile << ": " << row.why;
  const bool is_any_proved =
      absl::c_any_of(all, [](const auto& row) { return row.second.verdict == ProofVerdict::kProved; });
  for (const BrokenLowering& broken : InBodies()) {
    if (broken.ops[0] != op) continue;
    const auto is_shown = [&](const std::pair<ElementType, Rows>& input_and_rows) {
      const auto& [input, right] = input_and_rows;
      // Most are refuted at once. One that the solver does not end with gets more time than the right bodies took.
      const auto rows = [&](double seconds) { return Proofs({op}, broken.pass, {input}, seconds); };
      if (IsAnyRefuted(rows(1), broken.name)) return true;
      const Rows wrong = rows(2 + 2 * Slowest(right));
      return IsAnyRefuted(wrong, broken.name) || IsAnyLost(right, wrong, broken.name);
    };
    EXPECT_TRUE(!is_any_proved || absl::c_any_of(ByInput(all), is_shown)) << broken.name << ": " << broken.breaks;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenBodies, testing::ValuesIn(BrokenOps()),
                         [](const testing::TestParamInfo<OpKind>& info) { return std::string(Name(info.param)); });

TEST(BrokenBodiesList, IsLongEnoughToTellSomething) { EXPECT_GE(InBodies().size(), 60u); }

// What folds an op by a constant, or by equal operands: some row is refuted that the stock MLIR has proved, or by other
// elements, and a run shows it.
TEST(BrokenFolders, AreRefuted) {
  const std::tuple<OpKind, ElementType, const char*> mistakes[] = {
      {OpKind::kAdd, ElementType::kI32, "add-of-itself"},
      {OpKind::kBitwiseXor, ElementType::kI16, "xor-of-itself"},
      {OpKind::kMul, ElementType::kF32, "mul-of-itself"},
      {OpKind::kMul, ElementType::kI32, "fold-mul-one"},
      {OpKind::kSub, ElementType::kI32, "fold-sub-constant"},
      {OpKind::kSub, ElementType::kF32, "fold-sub-itself"},
      {OpKind::kMinimum, ElementType::kF32, "fold-minimum-limit"},
      {OpKind::kEqual, ElementType::kF32, "fold-equal-itself"},
      {OpKind::kIdentity, ElementType::kF32, "identity-is-finite"},
  };
  for (const auto& [op, type, mistake] : mistakes) {
    const auto right = Folds(op, "", {type}), wrong = Folds(op, mistake, {type});
    const ProofRow& stock = right.begin()->second;
    const ProofRow& row = wrong.begin()->second;
    EXPECT_EQ(row.verdict, ProofVerdict::kRefuted) << mistake;
    EXPECT_NE(row.why, stock.why) << mistake;
    EXPECT_TRUE(absl::StartsWith(row.execution, "wrong-value")) << mistake << ": " << row.execution;
  }
}

// F5 and the clamp with infinite bounds (docs/findings.md) are all that is wrong of the stock folders there.
TEST(ProvedFolders, AreRightButForWhatIsKnown) {
  for (const OpKind op : {OpKind::kMul, OpKind::kClamp, OpKind::kSelect, OpKind::kLogicalRightShift}) {
    for (const auto& [tile, row] : Folds(op, "")) {
      const bool is_float = absl::EndsWith(tile, "f16") || absl::EndsWith(tile, "f32");
      const bool is_wrong = is_float && (op == OpKind::kMul || op == OpKind::kClamp);
      EXPECT_EQ(row.verdict, is_wrong ? ProofVerdict::kRefuted : ProofVerdict::kProved) << tile << ": " << row.why;
      EXPECT_GT(row.bodies, 0u) << tile;
    }
  }
}

// At least nine tenths of what has exact formulas, and nothing refuted.
TEST(ProvedBodies, MostOfTheLoweringIsProvedForEveryValue) {
  std::vector<OpKind> ops;
  for (const OpInfo& op : AllOps()) {
    const bool is_exact = op.accuracy.kind == Accuracy::Kind::kExact || op.kind == OpKind::kCast;
    if (is_exact && IsElementwise(op)) ops.push_back(op.kind);
  }
  size_t proved = 0;
  const std::map<std::string, ProofRow> rows = Proofs(ops, "");
  for (const auto& [tile, row] : rows) {
    EXPECT_NE(row.verdict, ProofVerdict::kRefuted) << tile << ": " << row.why;
    proved += row.verdict == ProofVerdict::kProved ? 1 : 0;
    if (tile == "cast f32-i32" || tile == "clamp f32") EXPECT_EQ(row.verdict, ProofVerdict::kProved) << row.why;
  }
  EXPECT_GE(rows.size(), 100u);
  EXPECT_GE(10 * proved, 9 * rows.size()) << proved << " of " << rows.size();
}

// The form whose products are in two halves, which no run can try exhaustively.
TEST(ProvedBodies, TheScalesOf32BitsAre) {
  const std::string in_halves = "tosa-to-arith{include-apply-rescale=true use-32-bit=true}";
  std::map<std::string, ProofRow> rows = Proofs({OpKind::kRescale}, in_halves, {ElementType::kI32});
  rows.merge(Proofs({OpKind::kMul}, in_halves));
  for (const auto& [tile, row] : rows) EXPECT_NE(row.verdict, ProofVerdict::kRefuted) << tile << ": " << row.why;
  EXPECT_EQ(rows.at("rescale i32").verdict, ProofVerdict::kProved) << rows.at("rescale i32").why;
}

}  // namespace
}  // namespace tosaic
