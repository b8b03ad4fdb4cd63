// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/known_names.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/known_divergences.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

// Nothing would match, and so what the entry is about would be new again.
TEST(KnownNamesTest, AMisspeltNameIsRefused) {
  const auto read = [](absl::string_view keys) {
    return KnownDivergences::FromText(absl::StrCat(R"({"known": [{"reason": "r", )", keys, "}]}")).status();
  };
  const std::pair<const char*, const char*> bad[] = {
      {R"("signature": "wrong-vale/add/*")",
       "signature: no verdict is called 'wrong-vale'; did you mean 'wrong-value'?"},
      {R"("signature": "crash/mull/*")", "signature: no op is called 'mull'; did you mean 'mul'?"},
      {R"("signature": "crash/mul/f33/loops/run.signal/*")", "route is called 'f33'; did you mean"},
      {R"("signature": "crash/*/lops/run.signal/*")", "route is called 'lops'; did you mean 'loops'?"},
      {R"("signature": "crash/*/run.sinal/*")", "signature: no rule is called 'run.sinal'; did you mean 'run.signal'?"},
      {R"("signature": {"op": "mull"})", "signature: no op is called 'mull'; did you mean 'mul'?"},
      {R"("signature": {"verdict": "crush"})", "signature: no verdict is called 'crush'; did you mean 'crash'?"},
      {R"("signature": {"types": "i8-x*"})", "signature: no element type is called 'i8-x*'"},
      {R"("signature": {"route": "lops"})", "signature: no route is called 'lops'; did you mean 'loops'?"},
      {R"("signature": {"rule": "valeu.*"})", "signature: no rule is called 'valeu.*'"},
      {R"("signature": {"strictness": "strict"})", "signature: no strictness is called 'strict'"},
      {R"_("signature": "crash/*", "ops": ["x", "ad(*, 0)"])_", "ops: no op is called 'ad'; did you mean"},
      {R"("signature": "crash/*", "types": ["i48-*", "i49"])", "types: no element type is called 'i49'; did you mean"},
  };
  for (const auto& [keys, message] : bad) {
    EXPECT_TRUE(absl::StrContains(read(keys).message(), absl::StrCat("known[0].", message)) ||
                absl::StrContains(read(keys).message(), absl::StrCat("element type or ", message)))
        << keys << ": " << read(keys);
  }
  for (const char* keys :
       {R"("signature": "*/mull/*")", R"("signature": "campaign/one")", R"("signature": "crash/never/*")",
        R"("signature": "crash/add/custom/run.signal/any pass/signal-11")",
        R"("signature": "false-reject/add/after-downgrade/f32")", R"("signature": {"route": "to-spirv", "types": ""})",
        R"("signature": {"detail": "my.pass"}, "passes": ["my-pass"], "types": ["ui64-i64"])",
        R"_("signature": "crash/*", "ops": ["*(add(*"])_"}) {
    EXPECT_TRUE(read(keys).ok()) << read(keys);
  }
}

}  // namespace
}  // namespace tosaic
