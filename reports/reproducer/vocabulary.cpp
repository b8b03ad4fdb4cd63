// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only an MLIR that knows these words can give an answer about the program.
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/mlir_text.h"
#include "model/special_operands.h"
#include "model/support_table.h"
#include "reports/reproducer/parts.h"

namespace tosaic {
namespace {

// The op on operands of one element, of the program's element types where the specification has them.
Program Plain(const Program& program, const OpApplication& op) {
  const OpInfo& info = Info(op.op);
  const bool is_plain = HasSpecTypes(program, op);
  const ElementType input = is_plain ? InputElementType(program, op) : info.spec_types.front().input;
  const ElementType result = is_plain ? op.result.element_type : info.spec_types.front().result;
  const Shape shape = Shape::OfSizes({1});
  Program plain;
  OpApplication application{.op = op.op, .operands = {}, .attributes = op.attributes, .result = {shape, result}};
  ForEachValue(application.attributes, ByKind{[&](const AttributeInfo&, TypedBits& number) { number = {input, 0}; },
                                              [](const AttributeInfo&, std::vector<int64_t>& sizes) { sizes = {1}; },
                                              [](const AttributeInfo&, auto&) {}});
  for (const OperandRole role : info.operands) {
    if (IsSpecial(role)) {
      application.operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(plain.constants.size())});
      plain.constants.push_back(PlainParameter(role, input, result, application.attributes));
    } else {
      application.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(plain.arguments.size())});
      plain.arguments.push_back({shape, TypeOfOperand(role, input, result)});
    }
  }
  plain.ops = {std::move(application)};
  plain.results = {{ValueRef::Kind::kOp, 0}};
  return plain;
}

}  // namespace

std::string Vocabulary(const Reproduction& r) {
  const Dialect dialect = NearestDialect(r.tools);
  std::set<std::string> types, functions;
  for (const Program* program : {&r.test_case.program, r.twin ? &r.twin->program : nullptr}) {
    if (program == nullptr) continue;
    for (const TensorType& type : program->arguments) types.insert(ToString(type));
    for (const OpApplication& op : program->ops) {
      types.insert(ToString(op.result));
      const Program plain = Plain(*program, op);
      if (FindUnwritable(plain, dialect) == nullptr) functions.insert(ToMlir(plain, dialect, "OP"));
    }
  }
  std::string text = absl::StrCat("func.func private @types(", absl::StrJoin(types, ", "), ")\n");
  int number = 0;
  for (const std::string& function : functions) {
    const size_t name = function.find("@OP");
    absl::StrAppend(&text, function.substr(0, name), "@op", number++, function.substr(name + 3));
  }
  return text;
}

}  // namespace tosaic
