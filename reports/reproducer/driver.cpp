// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// driver.c, from templates/driver.c.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"

namespace tosaic {
namespace {

std::string Bytes(const Tensor& tensor) {
  if (tensor.bytes().empty()) return "0";
  return absl::StrJoin(tensor.bytes(), ",", [](std::string* out, uint8_t byte) { absl::StrAppend(out, int{byte}); });
}

// The parts of the driver that are about the operands.
struct Operands {
  std::string declarations, puts, parameters;
  std::string arguments = "area";
};

Operands OperandsOf(const Program& program, const Run& run) {
  Operands operands;
  for (size_t i = 0; i < run.size(); ++i) {
    const std::vector<int64_t>& sizes = run[i].sizes();
    const Shape& shape = program.arguments[i].shape;
    const size_t rank = shape.IsRanked() ? shape.rank() : sizes.size();
    absl::StrAppend(&operands.declarations, "// ", Name(run[i].element_type()), " ", SizesToString(sizes),
                    "\nstatic const uint8_t data", i, "[] = {", Bytes(run[i]), "};\nstatic const int64_t sizes", i,
                    "[] = {", sizes.empty() ? "0" : absl::StrJoin(sizes, ","), "};\nstatic int64_t operand", i, "[",
                    3 + 2 * rank, "];\n");
    absl::StrAppend(&operands.puts, "  put_operand(operand", i, ", \"operand ", i, "\", data", i, ", ",
                    run[i].bytes().size(), ", ", rank, ", sizes", i, ");\n");
    absl::StrAppend(&operands.parameters, ", void *");
    absl::StrAppend(&operands.arguments, shape.IsRanked() ? ", operand" : ", unranked", i);
    if (shape.IsRanked()) continue;
    absl::StrAppend(&operands.declarations, "static int64_t unranked", i, "[] = {", rank, ", 0};\n");
    absl::StrAppend(&operands.puts, "  unranked", i, "[1] = (int64_t)operand", i, ";\n");
  }
  return operands;
}

// The results' descriptors lie in an area, one behind the other: allocated, aligned, offset, sizes, strides; unranked:
// rank, pointer.
struct Results {
  size_t words = 0;
  std::string shown, shown_rank, releases;
};

Results ResultsOf(const Program& program, size_t shown) {
  Results results;
  for (size_t i = 0; i < program.results.size(); ++i) {
    const Shape& shape = TypeOf(program, program.results[i]).shape;
    const std::string word = absl::StrCat("area[", results.words, shape.IsRanked() ? "]" : " + 1]");
    if (!shape.IsRanked()) absl::StrAppend(&results.releases, "  release(*(int64_t *)", word, ");\n");
    absl::StrAppend(&results.releases, "  release(", word, ");\n");
    if (i == shown) {
      const std::string at = absl::StrCat("(area + ", results.words, ")");
      results.shown = shape.IsRanked() ? at : absl::StrCat("((int64_t *)", at, "[1])");
      results.shown_rank = shape.IsRanked() ? absl::StrCat(shape.rank()) : absl::StrCat("((int)", at, "[0])");
    }
    results.words += shape.IsRanked() ? 3 + 2 * shape.rank() : 2;
  }
  return results;
}

// By element, whether the documents leave it open: "0,1".
std::string MayDiffer(const Reproduction& r, ElementType type) {
  std::vector<int> may_differ;
  for (const std::vector<BitRange>& allowed : r.shown.elements) {
    may_differ.push_back(allowed == std::vector<BitRange>{{0, BitMask(type)}} ? 1 : 0);
  }
  return may_differ.empty() ? "0" : absl::StrJoin(may_differ, ",");
}

}  // namespace

std::string DriverText(const Reproduction& r) {
  const Program& program = r.test_case.program;
  const Run& run = r.test_case.runs[r.shown.run];
  const Operands operands = OperandsOf(program, run);
  const Results results = ResultsOf(program, r.shown.result);
  const ElementType type = ElementTypeOf(program, program.results[r.shown.result]);
  return FillTemplate(TemplatePart(ReproducerTemplates(), "driver.c"),
                      {{"COUNTS_LEAKS", r.frees ? "1" : "0"},
                       {"AREA_WORDS", absl::StrCat(results.words)},
                       {"RESULT", results.shown},
                       {"RESULT_RANK", results.shown_rank},
                       {"RESULT_WIDTH", absl::StrCat(StorageBytes(type))},
                       {"RESULT_WRITTEN", absl::StrCat((BitWidth(type) + 7) / 8)},
                       {"MAY_DIFFER", MayDiffer(r, type)},
                       {"DEPENDS", r.showing == Showing::kPoison ? "changes with what poison is taken for"
                                                                 : "depends on memory that was never written"},
                       {"OPERANDS", operands.declarations},
                       {"PARAMETERS", operands.parameters},
                       {"PUT_OPERANDS", operands.puts},
                       {"ARGUMENTS", operands.arguments},
                       {"OPERAND_COUNT", absl::StrCat(run.size())},
                       {"RELEASE_RESULTS", results.releases}});
}

}  // namespace tosaic
