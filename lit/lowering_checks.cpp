// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/lowering_checks.h"

#include <cstddef>
#include <set>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lit/payload.h"
#include "oracle/lowering_prediction.h"

namespace tosaic {
namespace {

std::string Defines(absl::string_view name) { return absl::StrCat("%[[", name, ":.*]]"); }
std::string Uses(absl::string_view name) { return absl::StrCat("%[[", name, "]]"); }

class Checks {
 public:
  Checks(const ShownCase& shown, LitForm form)
      : function_(shown.function),
        program_(shown.program),
        op_(shown.program.ops[0]),
        predicted_(program_, op_),
        form_(form) {}

  std::string Take() {
    for (size_t i = 0; i < predicted_.operands().size(); ++i) inputs_.push_back(absl::StrCat("ARG", i));
    Extents();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      for (size_t d = 0; d < rank(); ++d) {
        if (predicted_.IsBroadcastAtRunTime(i, d)) Broadcast(i, d);
      }
    }
    Compute();
    return absl::StrCat(Header(), absl::StrJoin(constants_, ""), body_);
  }

 private:
  size_t rank() const { return predicted_.inferred().rank(); }
  bool is_elementwise() const { return form_ == LitForm::kElementwise && !ElementwiseKindOf(program_).empty(); }

  void Dag(absl::string_view line) { absl::StrAppend(&body_, "// CHECK-DAG:    ", line, "\n"); }
  void Line(absl::string_view line) { absl::StrAppend(&body_, "// CHECK:        ", line, "\n"); }
  void Same(absl::string_view line) { absl::StrAppend(&body_, "// CHECK-SAME:     ", line, "\n"); }

  // The name of a map, in the order of use.
  std::string Map(const IndexingMap& map) {
    std::vector<std::string> loops, results;
    for (size_t d = 0; d < rank(); ++d) loops.push_back(absl::StrCat("d", d));
    const std::string text = absl::StrCat("(", absl::StrJoin(loops, ", "), ") -> ", ToString(map));
    const size_t at = static_cast<size_t>(absl::c_find(maps_, text) - maps_.begin());
    if (at == maps_.size()) maps_.push_back(text);
    return absl::StrCat("#[[$MAP", at, "]]");
  }

  std::string Index(size_t number) {
    const std::string name = absl::StrCat("C", number);
    const std::string line =
        absl::StrCat("// CHECK-DAG:    ", Defines(name), " = arith.constant ", number, " : index\n");
    if (!absl::c_linear_search(constants_, line)) constants_.push_back(line);
    return Uses(name);
  }

  std::string Size(absl::string_view of, size_t d) {
    const std::string name = absl::StrCat(of, "_DIM", d);
    if (sizes_.insert(name).second) {
      const std::string index = Index(d);
      Dag(absl::StrCat(Defines(name), " = tensor.dim ", Uses(of), ", ", index));
    }
    return Uses(name);
  }

  // The extents of the result that are known at run time only: the largest of the operands'.
  void Extents() {
    for (size_t d = 0; d < rank(); ++d) {
      if (predicted_.inferred()[d].IsStatic()) continue;
      std::string largest;
      for (size_t i = 0; i < inputs_.size(); ++i) {
        if (predicted_.operands()[i][d].IsStatic()) continue;
        const std::string size = Size(inputs_[i], d);
        if (largest.empty()) {
          largest = size;
          continue;
        }
        const std::string name = absl::StrCat(i + 1 == inputs_.size() ? "SIZE" : "PART", d);
        Dag(absl::StrCat(Defines(name), " = arith.max{{[su]}}i ", largest, ", ", size, " : index"));
        largest = Uses(name);
      }
      extents_.push_back(largest);
    }
  }

  // An operand's dimension that is repeated if it is 1.
  void Broadcast(size_t operand, size_t d) {
    const std::string from = inputs_[operand], to = absl::StrCat("ARG", operand, "_BCAST", d);
    const std::string condition = absl::StrCat(to, "_COND"), size = Size(from, d), one = Index(1);
    const std::string type =
        ToString(TensorType{predicted_.operands()[operand], ElementTypeOf(program_, op_.operands[operand])});
    IndexingMap repeated = IdentityMap(rank());
    repeated[d] = kZeroIndex;
    Dag(absl::StrCat(Defines(condition), " = arith.cmpi eq, ", size, ", ", one, " : index"));
    Dag(absl::StrCat(Defines(to), " = scf.if ", Uses(condition), " -> (", type, ")"));
    const std::string copy =
        form_ == LitForm::kGeneric ? "linalg.generic" : "linalg.{{generic|elementwise|broadcast|map}}";
    const std::string maps = absl::StrCat(Map(repeated), ", ", Map(IdentityMap(rank())));
    Dag(absl::StrCat(copy, form_ == LitForm::kGeneric ? absl::StrCat(" {indexing_maps = [", maps, "]{{.*}}") : "{{.*}}",
                     " ins(", Uses(from), " : ", type, ")"));
    Dag(absl::StrCat("scf.yield ", Uses(from), " : ", type));
    inputs_[operand] = to;
  }

  void Compute() {
    const TensorType inferred{predicted_.inferred(), op_.result.element_type};
    std::vector<std::string> maps, values, types, iterators(rank(), "\"parallel\"");
    bool all_identity = true;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      all_identity &= predicted_.MapOf(i) == IdentityMap(rank());
      maps.push_back(Map(predicted_.MapOf(i)));
      values.push_back(Uses(inputs_[i]));
      types.push_back(ToString(TensorType{predicted_.operands()[i], ElementTypeOf(program_, op_.operands[i])}));
    }
    maps.push_back(Map(IdentityMap(rank())));
    Line(absl::StrCat(Defines("INIT"), " = tensor.empty(", absl::StrJoin(extents_, ", "), ") : ", ToString(inferred)));
    const std::string indexing = absl::StrCat("indexing_maps = [", absl::StrJoin(maps, ", "), "]");
    if (is_elementwise()) {
      Line(absl::StrCat(Defines("RESULT"), " = linalg.elementwise {{.*}}<", ElementwiseKindOf(program_), ">"));
      if (!all_identity) Same(indexing);
    } else {
      Line(absl::StrCat(Defines("RESULT"), " = linalg.generic"));
      Same(absl::StrCat("{", indexing, ", iterator_types = [", absl::StrJoin(iterators, ", "), "]}"));
    }
    Same(absl::StrCat("ins(", absl::StrJoin(values, ", "), " : ", absl::StrJoin(types, ", "), ") outs(", Uses("INIT"),
                      " : ", ToString(inferred), ")"));
    if (!is_elementwise()) Payload();
    Return(inferred);
  }

  void Payload() {
    const std::optional<std::string> payload = PayloadOf(program_);
    if (!payload) return;
    std::vector<std::string> arguments, used;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const std::string name = absl::StrCat("IN", i);
      arguments.push_back(absl::StrCat(Defines(name), ": ", Name(ElementTypeOf(program_, op_.operands[i]))));
      used.push_back(Uses(name));
    }
    absl::StrAppend(&body_, "// CHECK-NEXT:   ^bb0(", absl::StrJoin(arguments, ", "),
                    ", %{{.*}}: ", Name(op_.result.element_type), "):\n");
    absl::StrAppend(&body_, "// CHECK-NEXT:     ", Defines("VALUE"), " = ", *payload, " ", absl::StrJoin(used, ", "),
                    " :\n");
    absl::StrAppend(&body_, "// CHECK-NEXT:     linalg.yield ", Uses("VALUE"), " : ", Name(op_.result.element_type),
                    "\n");
  }

  void Return(const TensorType& inferred) {
    if (inferred == op_.result) return Line(absl::StrCat("return ", Uses("RESULT"), " : ", ToString(inferred)));
    Line(absl::StrCat(Defines("CAST"), " = tensor.cast ", Uses("RESULT"), " : ", ToString(inferred), " to ",
                      ToString(op_.result)));
    Line(absl::StrCat("return ", Uses("CAST"), " : ", ToString(op_.result)));
  }

  std::string Header() const {
    std::string header;
    for (size_t i = 0; i < maps_.size(); ++i) {
      if (body_.find(absl::StrCat("#[[$MAP", i, "]]")) == std::string::npos) continue;  // in no line of this form
      absl::StrAppend(&header, "// CHECK-DAG: #[[$MAP", i, ":.+]] = affine_map<", maps_[i], ">\n");
    }
    absl::StrAppend(&header, "// CHECK-LABEL: func.func @", function_, "(\n");
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      absl::StrAppend(&header, "// CHECK-SAME:     %[[ARG", i, ":[a-zA-Z0-9_]+]]: ", ToString(program_.arguments[i]),
                      "\n");
    }
    return header;
  }

  const std::string& function_;
  const Program& program_;
  const OpApplication& op_;
  const LoweringPrediction predicted_;
  const LitForm form_;
  std::vector<std::string> maps_, inputs_, extents_, constants_;
  std::set<std::string> sizes_;
  std::string body_;
};

}  // namespace

std::string LoweringChecks(const ShownCase& shown, LitForm form) { return Checks(shown, form).Take(); }

}  // namespace tosaic
