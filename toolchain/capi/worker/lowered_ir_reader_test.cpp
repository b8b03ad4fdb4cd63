// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/lowered_ir_reader.h"

#include <string>

#include "gtest/gtest.h"
#include "toolchain/capi/worker/session.h"

namespace tosaic {
namespace {

// Who reads a tensor.dim, a copy or a size asks for the type of a tensor, which may be of no element type of TOSA's.
TEST(LoweredIrReader, ReadsAnOpOnTensorsOfAnotherElementTypeAsAnythingElse) {
#ifndef TOSAIC_MLIR_C_LIBRARY
  GTEST_SKIP() << "not tried: this MLIR comes without the archives of its C API";
#else
  const absl::StatusOr<CLibrary> library = CLibrary::Load(TOSAIC_MLIR_C_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  CapiSession session(*library);
  const std::string text = R"(
    func.func @f(%a: tensor<2xindex>, %b: tensor<?xindex>, %c: tensor<2xf32>, %s: f32) -> tensor<?xf32> {
      %c1 = arith.constant 1 : index
      %n = tensor.dim %b, %c1 : tensor<?xindex>
      %cast = tensor.cast %a : tensor<2xindex> to tensor<?xindex>
      %e = tensor.empty() : tensor<2xindex>
      %copy = linalg.broadcast ins(%a : tensor<2xindex>) outs(%e : tensor<2xindex>) dimensions = []
      %m = linalg.map ins(%a : tensor<2xindex>) outs(%c : tensor<2xf32>) (%x: index, %y: f32) { linalg.yield %s : f32 }
      %same = linalg.map ins(%c : tensor<2xf32>) outs(%c : tensor<2xf32>) (%x: f32, %y: f32) { linalg.yield %x : f32 }
      %r = tensor.cast %same : tensor<2xf32> to tensor<?xf32>
      return %r : tensor<?xf32>
    })";
  std::string object;
  const CapiReply reply = session.Do({.jobs = {{.module = text, .extracts = true}}}, &object);
  ASSERT_EQ(reply.answers.size(), 1u);
  ASSERT_TRUE(reply.answers[0].observation.lowered) << testing::PrintToString(reply.answers[0].observation.diagnostics);
  std::vector<LoweredValue::Kind> kinds;
  for (const LoweredValue& value : reply.answers[0].observation.lowered->values) kinds.push_back(value.kind);
  using Kind = LoweredValue::Kind;
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kArgument, Kind::kArgument, Kind::kArgument, Kind::kArgument, Kind::kIndex,
                                      Kind::kOther, Kind::kOther, Kind::kOther, Kind::kOther, Kind::kOther,
                                      Kind::kGeneric, Kind::kCast}));
#endif
}

TEST(LoweredIrReader, ReadsIndexingMapsAsTheyArePrinted) {
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> (0, d0, d1)>")), "(0, d0, d1)");
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> (d0 + d1, -1)>")), "(?, -1)");
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> ((d0 + d1) * 2, d12)>")), "(?, d12)");
  EXPECT_EQ(ToString(ParseIndexingMap("<(d0)[s0] -> (s0)>, ")), "(?)");
  EXPECT_EQ(ParseIndexingMap("affine_map<() -> ()>").size(), 0u);
}

TEST(LoweredIrReader, ReadsArraysAsTheyArePrinted) {
  EXPECT_EQ(ParseNumbers("array<i64: 1, 0>"), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(ParseNumbers("array<i64>"), std::vector<int64_t>{});
}

TEST(LoweredIrReader, ReadsAListOfMaps) {
  const std::vector<IndexingMap> maps = ParseIndexingMaps("[affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]");
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(ToString(maps[0]), "(d0)");
  EXPECT_EQ(ToString(maps[1]), "()");
}

TEST(LoweredIrReader, ReadsReassociationsAsTheyArePrinted) {
  EXPECT_EQ(ParseGroups("[[0, 1], [2]]"), (std::vector<std::vector<int>>{{0, 1}, {2}}));
  EXPECT_EQ(ParseGroups("[[0 : i64, 1 : i64]]"), (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(ParseGroups("[]"), std::vector<std::vector<int>>{});
}

}  // namespace
}  // namespace tosaic
