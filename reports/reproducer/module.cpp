// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// repro.mlir and twin.mlir: the program, and a main that calls it and prints what it makes.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/mlir_text.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"

namespace tosaic {
namespace {

constexpr char kPrinters[] =
    "func.func private @printI64(i64)\nfunc.func private @printOpen()\nfunc.func private @printClose()\n"
    "func.func private @printComma()\nfunc.func private @printNewline()\n";

constexpr char kNotInlined[] = "passthrough = [\"noinline\"]";

void Call(absl::string_view printer, absl::string_view indent, std::string* out) {
  absl::StrAppend(out, indent, "func.call @", printer, "() : () -> ()\n");
}

// Writes what makes a word of %element, and returns its name. `one_nan`: of a NaN it makes PrintedNan.
std::string WordOfElement(ElementType type, bool one_nan, const std::string& indent, std::string* out) {
  const int width = BitWidth(type);
  std::string value = "%element";
  if (IsFloat(type)) {
    absl::StrAppend(out, indent, "%bits = arith.bitcast %element : ", Name(type), " to i", width, "\n");
    value = "%bits";
  }
  if (one_nan) {
    absl::StrAppend(out, indent, "%is_nan = arith.cmpf uno, %element, %element : ", Name(type), "\n", indent,
                    "%nan = arith.constant ", PrintedNan(type), " : i", width, "\n", indent,
                    "%told = arith.select %is_nan, %nan, %bits : i", width, "\n");
    value = "%told";
  }
  if (width == 64) return value;
  absl::StrAppend(out, indent, "%wide = arith.extui ", value, " : i", width, " to i64\n");
  return "%wide";
}

// A function @print that prints the sizes and bits of a tensor of this rank. It is one of its own, so that no pass
// takes the sizes that it prints from a result's static type: what is wrong may be just that those in memory are
// others.
std::string PrintingFunction(size_t rank, ElementType type, bool one_nan) {
  const std::string tensor = ToString(TensorType{Shape(std::vector<Dim>(rank, Dim::Dynamic())), type});
  std::string out = absl::StrCat("func.func @print(%result: ", tensor, ") attributes {", kNotInlined, "} {\n",
                                 "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n");
  Call("printOpen", "  ", &out);
  for (size_t i = 0; i < rank; ++i) {
    if (i > 0) Call("printComma", "  ", &out);
    if (i > 1) absl::StrAppend(&out, "  %c", i, " = arith.constant ", i, " : index\n");
    absl::StrAppend(&out, "  %size", i, " = tensor.dim %result, %c", i, " : ", tensor, "\n  %word", i,
                    " = arith.index_cast %size", i, " : index to i64\n  func.call @printI64(%word", i,
                    ") : (i64) -> ()\n");
  }
  Call("printClose", "  ", &out);
  std::string indent = "  ";
  std::vector<std::string> indices;
  for (size_t i = 0; i < rank; ++i) {
    indices.push_back(absl::StrCat("%i", i));
    absl::StrAppend(&out, indent, "scf.for %i", i, " = %c0 to %size", i, " step %c1 {\n");
    indent += "  ";
  }
  absl::StrAppend(&out, indent, "%element = tensor.extract %result[", absl::StrJoin(indices, ", "), "] : ", tensor,
                  "\n");
  const std::string word = WordOfElement(type, one_nan, indent, &out);
  Call("printComma", indent, &out);
  absl::StrAppend(&out, indent, "func.call @printI64(", word, ") : (i64) -> ()\n");
  for (size_t i = 0; i < rank; ++i) {
    indent.resize(indent.size() - 2);
    absl::StrAppend(&out, indent, "}\n");
  }
  Call("printNewline", "  ", &out);
  return out + "  return\n}\n";
}

// A function @main that hands a run's data to @test, as constants out of reach of its folders.
std::string CallingMain(const Case& test_case, size_t run) {
  const Program& program = test_case.program;
  std::string out = "func.func @main() {\n";
  std::vector<std::string> arguments, types, result_types;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Tensor& data = test_case.runs[run][i];
    const std::string type = ToString(TensorType{Shape::OfSizes(data.sizes()), data.element_type()});
    const std::string declared = ToString(program.arguments[i]);
    absl::StrAppend(&out, "  %data", i, " = arith.constant ", ConstantToText(data), "\n");
    if (type != declared) {
      absl::StrAppend(&out, "  %operand", i, " = tensor.cast %data", i, " : ", type, " to ", declared, "\n");
    }
    arguments.push_back(absl::StrCat(type != declared ? "%operand" : "%data", i));
    types.push_back(declared);
  }
  for (const ValueRef ref : program.results) result_types.push_back(ToString(TypeOf(program, ref)));
  absl::StrAppend(&out, "  %results:", program.results.size(), " = func.call @test(", absl::StrJoin(arguments, ", "),
                  ") : (", absl::StrJoin(types, ", "), ") -> (", absl::StrJoin(result_types, ", "), ")\n");
  return out;
}

std::string ModuleOf(const Case& test_case, const std::string& program, const ShownResult& shown, size_t result,
                     bool executed, bool one_nan) {
  std::string test = absl::StrReplaceAll(program, {{"func.func @main(", "func.func @test("}});
  if (!executed) return test;
  test = absl::StrReplaceAll(test, {{"{llvm.emit_c_interface}", absl::StrCat("{", kNotInlined, "}")}});
  const TensorType type = TypeOf(test_case.program, test_case.program.results[result]);
  // The rank of an unranked result is the right one.
  const size_t rank = type.shape.IsRanked() ? type.shape.rank() : shown.sizes ? shown.sizes->size() : 0;
  const TensorType dynamic{Shape(std::vector<Dim>(rank, Dim::Dynamic())), type.element_type};
  std::string main = CallingMain(test_case, shown.run);
  std::string name = absl::StrCat("%results#", result);
  if (type != dynamic) {
    absl::StrAppend(&main, "  %result = tensor.cast ", name, " : ", ToString(type), " to ", ToString(dynamic), "\n");
    name = "%result";
  }
  absl::StrAppend(&main, "  func.call @print(", name, ") : (", ToString(dynamic), ") -> ()\n  return\n}\n");
  return absl::StrCat(kPrinters, "\n", test, "\n", PrintingFunction(rank, type.element_type, one_nan), "\n", main);
}

}  // namespace

std::string SmallestModule(const std::string& program) {
  return absl::StrReplaceAll(program,
                             {{"func.func @main(", "func.func @test("}, {" attributes {llvm.emit_c_interface}", ""}});
}

std::string ReproducerModule(const Reproduction& reproduction) {
  const bool executed = IsExecuted(reproduction.showing) && !reproduction.test_case.runs.empty();
  return ModuleOf(reproduction.test_case, reproduction.program, reproduction.shown, reproduction.shown.result, executed,
                  PrintsOneNan(reproduction));
}

std::string TwinModule(const Reproduction& reproduction) {
  return ModuleOf(*reproduction.twin, reproduction.twin_program, reproduction.shown, reproduction.twin_result, true,
                  PrintsOneNan(reproduction));
}

}  // namespace tosaic
