// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/scalar_body.h"

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

// The text of a lowered sub, as MLIR 22 prints it.
constexpr char kSub[] = R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
    %c7_i32 = arith.constant 7 : i32
    %0 = tensor.empty() : tensor<2xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<2xi32>, tensor<2xi32>) outs(%0 : tensor<2xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = arith.subi %in, %in_0 overflow<nsw, nuw> : i32
      %3 = arith.cmpi slt, %2, %c7_i32 : i32
      %4 = arith.extui %3 : i1 to i32
      linalg.yield %4 : i32
    } -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
}
)";

std::string TextOfBody(absl::string_view module) {
  const absl::StatusOr<ScalarBody> body = ReadScalarBody(module);
  return body.ok() ? ToString(*body) : std::string(body.status().message());
}

TEST(ScalarBody, IsReadFromTheTextOfALowering) {
  EXPECT_EQ(TextOfBody(kSub),
            "(i32, i32) %2 = arith.constant 7 : i32; %3 = arith.subi overflow<nsw nuw> %0 %1 : i32; "
            "%4 = arith.cmpi slt %3 %2 : i32 to i1; %5 = arith.extui %4 : i1 to i32; yield %5");
}

// Operands in another order are other arguments of the body, whatever the region calls them.
TEST(ScalarBody, FollowsTheInputsToTheArguments) {
  const std::string swapped = absl::StrReplaceAll(kSub, {{"ins(%arg0, %arg1", "ins(%arg1, %arg0"}});
  EXPECT_NE(TextOfBody(swapped).find("arith.subi overflow<nsw nuw> %1 %0"), std::string::npos) << TextOfBody(swapped);
}

TEST(ScalarBody, AnArgumentThatIsReturnedIsABody) {
  EXPECT_EQ(TextOfBody("func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n return %arg0 : tensor<f32>\n}\n"),
            "(f32) yield %0");
}

TEST(ScalarBody, AConstantOfEqualElementsIsAScalar) {
  const std::string constant = absl::StrReplaceAll(
      kSub, {{"%c7_i32 = arith.constant 7 : i32",
              "%c7_i32 = arith.constant 7 : i32\n    %cst = arith.constant dense<-3> : tensor<2xi32>"},
             {"ins(%arg0, %arg1", "ins(%arg0, %cst"}});
  EXPECT_EQ(TextOfBody(constant),
            "(i32, i32) %2 = arith.constant 7 : i32; %3 = arith.constant -3 : i32; "
            "%4 = arith.subi overflow<nsw nuw> %0 %3 : i32; %5 = arith.cmpi slt %4 %2 : i32 to i1; "
            "%6 = arith.extui %5 : i1 to i32; yield %6");
  EXPECT_EQ(TextOfBody(absl::StrReplaceAll(constant, {{"return %1", "return %cst"}})),
            "(i32, i32) %2 = arith.constant -3 : i32; yield %2");
  EXPECT_FALSE(ReadScalarBody(absl::StrReplaceAll(constant, {{"dense<-3>", "dense_resource<x>"}})).ok());
}

// Of rank 1, read at the last index.
TEST(ScalarBody, AConstantWithAnElementForEachChannelIsAnOp) {
  const std::string channels =
      absl::StrReplaceAll(kSub, {{"module {",
                                  "#map1 = affine_map<(d0, d1) -> (d1)>\n#map2 = affine_map<(d0, d1) -> (d0)>\n"
                                  "module {"},
                                 {"(d0) -> (d0)>", "(d0, d1) -> (d0, d1)>"},
                                 {"%0 = tensor.empty()",
                                  "%cst = arith.constant dense<[7, -8]> : tensor<2xi32>\n"
                                  "    %0 = tensor.empty()"},
                                 {"[#map, #map, #map]", "[#map, #map1, #map]"},
                                 {"ins(%arg0, %arg1", "ins(%arg0, %cst"}});
  const std::string text = TextOfBody(channels);
  EXPECT_NE(text.find("%3 = tosaic.channel 7, -8 : i32; %4 = arith.subi overflow<nsw nuw> %0 %3"), text.npos) << text;
  for (const char* map : {"#map, #map2, #map", "#map, #map, #map", "#map1, #map1, #map"}) {
    const std::string other = absl::StrReplaceAll(channels, {{"#map, #map1, #map", map}});
    EXPECT_EQ(TextOfBody(other), "not understood: a map that is no identity") << map;
  }
  const std::string matrix = absl::StrReplaceAll(channels, {{"dense<[7, -8]>", "dense<[[7, -8]]>"}});
  EXPECT_FALSE(ReadScalarBody(matrix).ok());
}

TEST(ScalarBody, AnEntryOfATableIsAnOp) {
  const std::pair<std::string, std::string> table = {
      "%0 = tensor.empty()", "%cst = arith.constant dense<\"0x0A0B\"> : tensor<2xi8>\n    %0 = tensor.empty()"};
  const std::string looked_up = absl::StrReplaceAll(
      kSub,
      {table,
       {"      linalg.yield %4 : i32",
        "      %5 = arith.index_cast %4 : i32 to index\n      %extracted = tensor.extract %cst[%5] : tensor<2xi8>\n"
        "      linalg.yield %extracted : i8"}});
  const std::string text = TextOfBody(looked_up);
  EXPECT_NE(text.find("%7 = tensor.extract \"0x0A0B\" 2 %6 : index to i8; yield %7"), text.npos) << text;
  for (const char* other : {"%arg0[%5]", "%0[%5]", "%cst[%5, %5]", "%cst[%arg0]"}) {
    EXPECT_FALSE(ReadScalarBody(absl::StrReplaceAll(looked_up, {{"%cst[%5]", other}})).ok()) << other;
  }
}

// Whatever is not a body of elements at one place is refused, never read as something simpler.
TEST(ScalarBody, WhatIsNotUnderstoodIsRefused) {
  const std::pair<std::string, std::string> edits[] = {
      {"(d0) -> (d0)>", "(d0) -> (0)>"},                   // a broadcast
      {"[#map, #map, #map]", "[#map, #map1, #map]"},       // another map
      {"ins(%arg0, %arg1", "ins(%arg0, %0"},               // no argument
      {"return %1", "return %0"},                          // no generic
      {"linalg.yield %4", "linalg.yield %out"},            // reads the output
      {"arith.subi %in, %in_0", "arith.subi %in, %arg0"},  // a tensor in the body
      {"      linalg.yield", "      \"what\"()\n      linalg.yield"},
      {"    return", "    %9 = linalg.generic {indexing_maps = [#map]} ins(%1 : tensor<2xi32>)\n    return"}};
  for (const auto& [from, to] : edits) {
    const std::string edited = absl::StrReplaceAll(kSub, {{from, to}});
    ASSERT_NE(edited, kSub) << from;
    EXPECT_FALSE(ReadScalarBody(edited).ok()) << edited << TextOfBody(edited);
  }
  EXPECT_FALSE(ReadScalarBody("").ok());
}

}  // namespace
}  // namespace tosaic
