// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The catalogue's column of the specification against the table that MLIR itself is built with
// (TosaComplianceData.h.inc, generated from the specification's sources).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Tosa/IR/TosaProfileCompliance.h"
#include "model/op_catalogue.h"

// Specialised in the library, but not declared in the header.
template <>
OperationProfileComplianceMap TosaProfileCompliance::getProfileComplianceMap<mlir::tosa::Profile>();
template <>
OperationExtensionComplianceMap TosaProfileCompliance::getProfileComplianceMap<mlir::tosa::Extension>();

namespace tosaic {
namespace {

// "i32, i32 -> i32: PRO-INT or PRO-FP", as MLIR's table has it: a type per operand.
using Lines = std::set<std::string>;

// The differences in form, and the only ones there are: MLIR's table has no operands of one type alone, which are
// shifts (i8) and select's condition (i1), and no multipliers. Zero points are there.
std::vector<std::string> OperandsInTable(const OpInfo& op, const TypeTuple& tuple) {
  std::vector<std::string> types;
  for (const OperandRole role : op.operands) {
    if (Info(role).type == OperandTyping::kInput) types.emplace_back(Name(tuple.input));
    if (Info(role).type == OperandTyping::kResult) types.emplace_back(Name(tuple.result));
  }
  return types;
}

std::string Line(const std::vector<std::string>& operands, absl::string_view result, absl::string_view profile) {
  return absl::StrCat(absl::StrJoin(operands, ", "), " -> ", result, ": ", profile);
}

Lines Ours(const OpInfo& op) {
  Lines lines;
  for (const TypeTuple& tuple : op.spec_types) {
    lines.insert(Line(OperandsInTable(op, tuple), Name(tuple.result), Name(tuple.profile)));
  }
  return lines;
}

template <typename Mode>
std::string ModesName(const OpComplianceInfo<Mode>& entry, absl::string_view prefix) {
  std::vector<std::string> names;
  for (Mode mode : entry.mode) {
    std::string name = mlir::tosa::stringifyEnum(mode).str();
    if (absl::StartsWith(name, "pro_")) name = name.substr(4);
    std::transform(name.begin(), name.end(), name.begin(), ::toupper);
    names.push_back(absl::StrCat(prefix, name));
  }
  return absl::StrJoin(names, entry.condition == CheckCondition::allOf ? " and " : " or ");
}

std::string TypeName(const TypeInfo& type) {
  if (type.typeID == mlir::IntegerType::getTypeID()) return absl::StrCat("i", type.bitWidth);
  const std::pair<mlir::TypeID, const char*> floats[] = {
      {mlir::Float16Type::getTypeID(), "f16"},       {mlir::BFloat16Type::getTypeID(), "bf16"},
      {mlir::Float32Type::getTypeID(), "f32"},       {mlir::Float8E4M3FNType::getTypeID(), "f8E4M3FN"},
      {mlir::Float8E5M2Type::getTypeID(), "f8E5M2"},
  };
  for (const auto& [id, name] : floats) {
    if (type.typeID == id) return name;
  }
  return "?";
}

template <typename Mode>
void AddTheirs(const OpInfo& op, SpecificationVersion version, absl::string_view prefix, Lines* lines) {
  auto map = TosaProfileCompliance().getProfileComplianceMap<Mode>();
  for (const OpComplianceInfo<Mode>& entry : map[absl::StrCat("tosa.", op.name)]) {
    for (const VersionedTypeInfo& types : entry.operandTypeInfoSet) {
      if (types.second != version) continue;
      std::vector<std::string> names;
      for (const TypeInfo& type : types.first) names.push_back(TypeName(type));
      const std::string result = names.back();
      names.pop_back();
      lines->insert(Line(names, result, ModesName(entry, prefix)));
    }
  }
}

Lines Theirs(const OpInfo& op, SpecificationVersion version) {
  Lines lines;
  AddTheirs<mlir::tosa::Profile>(op, version, "PRO-", &lines);
  AddTheirs<mlir::tosa::Extension>(op, version, "EXT-", &lines);
  return lines;
}

Lines Minus(const Lines& a, const Lines& b) {
  Lines difference;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(difference, difference.end()));
  return difference;
}

std::vector<OpKind> AllKinds() {
  std::vector<OpKind> kinds;
  for (const OpInfo& op : AllOps()) kinds.push_back(op.kind);
  return kinds;
}

class CatalogueCompliance : public testing::TestWithParam<OpKind> {};

TEST_P(CatalogueCompliance, HasTheTuplesAndProfilesOfMlirsTable) {
  const OpInfo& op = Info(GetParam());
  const Lines ours = Ours(op);
  const Lines theirs = Theirs(op, SpecificationVersion::V_1_0);
  EXPECT_EQ(ours.size(), op.spec_types.size()) << "a tuple is listed twice";
  EXPECT_EQ(absl::StrJoin(Minus(ours, theirs), "\n"), "") << "in the catalogue, not in MLIR's table";
  EXPECT_EQ(absl::StrJoin(Minus(theirs, ours), "\n"), "") << "in MLIR's table, not in the catalogue";
}

// The draft's additions, but for the casts of i1, which it got after MLIR 22 took its table.
TEST_P(CatalogueCompliance, HasTheDraftsTuples) {
  const OpInfo& op = Info(GetParam());
  Lines ours;
  for (const ElementTypeInfo& input : AllElementTypes()) {
    for (const ElementTypeInfo& result : AllElementTypes()) {
      if (!IsDraftTuple(op, input.type, result.type)) continue;
      const bool is_later =
          op.kind == OpKind::kCast && (input.type == ElementType::kI1 || result.type == ElementType::kI1);
      if (is_later) continue;
      const TypeTuple tuple = {input.type, result.type, Profile::kExtInt64};
      ours.insert(Line(OperandsInTable(op, tuple), result.name, Name(Profile::kExtInt64)));
    }
  }
  EXPECT_EQ(ours, Theirs(op, SpecificationVersion::V_1_1_DRAFT));
}

INSTANTIATE_TEST_SUITE_P(AllOps, CatalogueCompliance, testing::ValuesIn(AllKinds()),
                         [](const auto& info) { return std::string(Name(info.param)); });

}  // namespace
}  // namespace tosaic
