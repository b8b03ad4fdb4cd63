// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/ir_in_short.h"

#include <gtest/gtest.h>

namespace tosaic {
namespace {

TEST(IrInShort, CountsTheOpsThatBeginALine) {
  const std::map<std::string, uint64_t> ops = OpsIn(R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %0:2 = "tosa.split"(%arg0) {text = "scf.if"} : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    %1 = scf.if %true -> (tensor<?xf32>) {
      %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      scf.yield %2 : tensor<?xf32>
    } else {
      scf.yield %arg0 : tensor<?xf32>
    }
    // math.exp in a comment
    llvm.unreachable
    return %1 : tensor<?xf32>
  }
})");
  EXPECT_EQ(ops, (std::map<std::string, uint64_t>{{"arith.constant", 1},
                                                  {"builtin.module", 1},
                                                  {"func.func", 1},
                                                  {"func.return", 1},
                                                  {"linalg.generic", 1},
                                                  {"linalg.yield", 1},
                                                  {"llvm.unreachable", 1},
                                                  {"scf.if", 1},
                                                  {"scf.yield", 2},
                                                  {"tosa.split", 1}}));
}

TEST(IrInShort, TheFirstPlaceIsBeforeBufferization) {
  EXPECT_EQ(UpToBufferization("builtin.module(func.func(a,b{x=1}),c,one-shot-bufferize{y=2},d)"),
            "builtin.module(func.func(a,b{x=1}),c)");
  EXPECT_EQ(UpToBufferization("builtin.module(func.func(a),c)"), "builtin.module(func.func(a),c)");
  EXPECT_EQ(UpToBufferization("builtin.module(one-shot-bufferize)"), "builtin.module()");
}

}  // namespace
}  // namespace tosaic
