// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filled-in templates are valid to their languages' tools; ci/check_templates.sh has these read the templates
// themselves.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reports/reproducer/reproducer.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TensorType Type(const char* text) { return ParseTensorType(text).value(); }

// A sum of an unranked and a ranked tensor.
Reproduction Sum(Showing showing, bool is_plain) {
  Reproduction r;
  Case& test_case = r.test_case;
  test_case.program.arguments = {Type("tensor<*xf32>"), Type("tensor<?xf32>")};
  test_case.program.ops = {{OpKind::kAdd,
                            {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}},
                            {},
                            Type(is_plain ? "tensor<?xf32>" : "tensor<*xf32>")}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {2}), Tensor(ElementType::kF32, {2})}};
  r.showing = showing;
  r.judgement.verdict = is_plain ? Verdict::kCrash : Verdict::kWrongValue;
  r.judgement.rule = RuleId::kValueAddPlain;
  r.judgement.expected = "it's 1";
  r.judgement.actual = "$(2)";
  r.program = "func.func @main() {\n}\n";
  r.pipeline = is_plain ? "" : "builtin.module(tosa-attach-target,arith-to-apfloat,convert-func-to-llvm)";
  r.optimized = r.has_plugin = r.frees = !is_plain;
  r.host_cpu = is_plain;
  r.shown.sizes = {{2}};
  r.shown.elements = {{{0, 1}}, {{0, 0xffffffff}}};
  if (!is_plain) r.twin = test_case;
  r.twin_program = r.program;
  return r;
}

TEST(Templates, ScriptsAndDriversPassTheirTools) {
  TemporaryDirectory temporary;
  const std::string templates = absl::StrCat(TOSAIC_SOURCE_DIR, "/reports/reproducer/templates/");
  std::filesystem::copy_file(templates + ".shellcheckrc", temporary / ".shellcheckrc");
  for (int showing = 0; showing <= static_cast<int>(Showing::kIr); ++showing) {
    for (const bool is_plain : {false, true}) {
      const auto files = ReproducerFiles(Sum(static_cast<Showing>(showing), is_plain));
      const std::string name = absl::StrCat(showing, is_plain ? "-plain" : "");
      Spill(temporary / absl::StrCat(name, ".sh"), files.at("repro.sh"));
      Reproduction elsewhere = Sum(static_cast<Showing>(showing), is_plain);
      elsewhere.cpu = FindCpu("aarch64");
      Spill(temporary / absl::StrCat(name, "-elsewhere.sh"), ReproducerFiles(elsewhere).at("repro.sh"));
      if (files.contains("driver.c")) Spill(temporary / absl::StrCat(name, ".c"), files.at("driver.c"));
    }
  }
  Reproduction hindered = Sum(Showing::kExecutes, true);
  hindered.obstacle = "nobody's fault";
  Spill(temporary / "obstacle.sh", ReproducerFiles(hindered).at("repro.sh"));
  hindered.one_pass = {"builtin.module(func.func(canonicalize))", "module {\n}\n", "it's 2"};
  Spill(temporary / "one-pass.sh", ReproducerFiles(hindered).at("repro.sh"));
  EXPECT_EQ(std::system(absl::StrCat("shellcheck ", temporary / "*.sh").c_str()), 0);
  EXPECT_EQ(std::system(absl::StrCat("clang-22 -fsyntax-only -Wall -Werror ", temporary / "*.c").c_str()), 0);
}

}  // namespace
}  // namespace tosaic
