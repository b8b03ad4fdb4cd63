// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/unsigned_types.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "model/mlir_text.h"
#include "model/signature_program.h"
#include "model/support_table.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// Takes %arg0 as unsigned numbers with a zero point of 255.
Program Unsigned() {
  Program program = ParseSignature("rescale(tensor<2xi8>) -> tensor<2xi16>").value();
  program.ops[0].attributes.input_unsigned = true;
  const ValueRef zero_point = program.ops[0].operands[3];
  program.constants[static_cast<size_t>(zero_point.index)].SetBits(0, 255);
  return program;
}

bool IsWritable(const Program& program) {
  const SupportEntry* entry = FindUnwritable(program, Dialect::k19);
  EXPECT_TRUE(entry == nullptr || entry->rule == RuleId::kSupportNoSuchWord) << entry->reason;
  return entry == nullptr;
}

TEST(UnsignedTypes, AreWrittenForAttributes) {
  const Program program = Unsigned();
  for (const Dialect dialect : {Dialect::k16, Dialect::k19}) {
    EXPECT_TRUE(HasUnsignedTypes(Info(dialect)));
    const std::string text = ToMlir(program, dialect);
    EXPECT_TRUE(absl::StrContains(text, "(%arg0: tensor<2xui8>) -> (tensor<2xi16>)")) << text;
    EXPECT_TRUE(absl::StrContains(text, "input_zp = 255 : i32")) << text;
    EXPECT_TRUE(absl::StrContains(text, "(tensor<2xui8>) -> tensor<2xi16>\n")) << text;
  }
  EXPECT_FALSE(HasUnsignedTypes(Info(Dialect::k22)));
  EXPECT_TRUE(absl::StrContains(ToMlir(program), "(%arg0: tensor<2xi8>")) << ToMlir(program);
}

TEST(UnsignedTypes, AValueHasOneType) {
  Program program = Unsigned();
  program.results.push_back({Kind::kArgument, 0});
  EXPECT_TRUE(IsWritable(program)) << "a return takes any type";
  Program other = program;
  other.ops.push_back({OpKind::kIdentity, {{Kind::kArgument, 0}}, {}, program.arguments[0]});
  EXPECT_FALSE(IsWritable(other));
  Program both = program;
  both.ops.push_back(program.ops[0]);
  EXPECT_TRUE(IsWritable(both));
  both.ops[1].attributes.input_unsigned = false;
  EXPECT_FALSE(IsWritable(both));
}

TEST(UnsignedTypes, AreNotThoseOfTheCase) {
  for (const bool is_unsigned : {false, true}) {
    Program program = Unsigned();
    program.ops[0].attributes.input_unsigned = is_unsigned;
    program.arguments[0].element_type = ElementType::kUi8;
    EXPECT_FALSE(WithUnsignedTypes(program));
    program.arguments[0].element_type = ElementType::kI48;
    EXPECT_EQ(WithUnsignedTypes(program).has_value(), !is_unsigned) << "no type says it";
  }
}

}  // namespace
}  // namespace tosaic
