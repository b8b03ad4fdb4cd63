// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/circumstances.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/pass_pipeline.h"
#include "model/shape_class.h"
#include "model/sort_unique.h"
#include "model/tensor.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

constexpr int kDeepest = 3;  // ops within one another

// For i1, true is 1.
bool IsAll(const Tensor& constant, double number) {
  for (size_t i = 0; i < constant.element_count(); ++i) {
    if (ElementToDouble(constant.element_type(), constant.Bits(i)) != number) return false;
  }
  return constant.element_count() > 0;
}

std::string ConstantPattern(const Tensor& constant) {
  if (IsAll(constant, 0)) return "0";
  return IsAll(constant, 1) ? "1" : "c";
}

// The text of a clamp's bounds if both are infinite, of whichever sign, of a rescale's sides that are unsigned, and of
// a new shape's -1; otherwise empty.
std::string TellingAttributes(const OpApplication& op) {
  if (op.op == OpKind::kRescale) {
    return absl::StrCat(op.attributes.input_unsigned.value_or(false) ? ", input_unsigned" : "",
                        op.attributes.output_unsigned.value_or(false) ? ", output_unsigned" : "");
  }
  if (op.attributes.new_shape) return LeavesASizeOpen(op) ? ", rest" : "";
  const auto text = [](const std::optional<TypedBits>& bound) -> std::string {
    const double number = bound ? ElementToDouble(bound->type, bound->bits) : 0;
    if (!std::isinf(number)) return "";
    return number < 0 ? ", -inf" : ", inf";
  };
  const std::string least = text(op.attributes.min_val), greatest = text(op.attributes.max_val);
  if (least.empty() || greatest.empty()) return "";
  return absl::StrCat(least, greatest, IgnoresNan(op.attributes) ? ", IGNORE" : "");
}

// Says of each op whether it is computed from constants alone.
std::vector<bool> OfConstants(const Program& program) {
  std::vector<bool> answers;
  for (const OpApplication& op : program.ops) {
    answers.push_back(absl::c_all_of(op.operands, [&](ValueRef ref) {
      return ref.kind == ValueRef::Kind::kConstant || (ref.kind == ValueRef::Kind::kOp && answers[ref.index]);
    }));
  }
  return answers;
}

// Writes one op down; names arguments as it meets them. Operands that are `folded` are constants, and a cast of 0 or 1
// is that number.
class PatternWriter {
 public:
  explicit PatternWriter(const Program& program, std::vector<bool> folded = {}, bool with_attributes = false)
      : program_(program), folded_(std::move(folded)), with_attributes_(with_attributes) {}

  std::string Of(ValueRef ref, int depth) {
    switch (ref.kind) {
      case ValueRef::Kind::kArgument:
        return ArgumentName(ref.index);
      case ValueRef::Kind::kConstant:
        return ConstantPattern(*AsConstant(program_, ref));
      case ValueRef::Kind::kOp:
        return OfOperand(ref.index, depth);
    }
    return "";
  }

  std::string OfOp(const OpApplication& op, int depth) {
    const absl::Span<const OperandRole> roles = Info(op.op).operands;
    std::vector<std::string> operands;
    for (const ValueRef operand : op.operands) operands.push_back(Of(operand, depth));
    // Most have parameters of 0. Those before another one stay, to say which that is.
    while (!operands.empty() && IsSpecial(roles[operands.size() - 1]) && operands.back() == "0") operands.pop_back();
    return absl::StrCat(Name(op.op), "(", absl::StrJoin(operands, ", "), with_attributes_ ? TellingAttributes(op) : "",
                        ")");
  }

 private:
  std::string OfOperand(int index, int depth) {
    const OpApplication& op = program_.ops[index];
    if (!folded_.empty() && folded_[index]) return op.op == OpKind::kCast ? Of(op.operands[0], depth) : "c";
    return depth == kDeepest ? ".." : OfOp(op, depth + 1);
  }

  std::string ArgumentName(int index) {
    static constexpr absl::string_view kNames[] = {"x", "y", "z"};
    const size_t number = names_.try_emplace(index, names_.size()).first->second;
    return number < std::size(kNames) ? std::string(kNames[number]) : absl::StrCat("x", number);
  }

  const Program& program_;
  const std::vector<bool> folded_;  // by op; empty: none
  const bool with_attributes_;      // TellingAttributes are written
  std::map<int, size_t> names_;     // of arguments, by first use
};

// The pass in which a case ended, as the signature's detail begins with it.
std::string NamedPass(const FindingSignature& signature) {
  const bool names_it = signature.verdict == Verdict::kLoweringFailed || signature.verdict == Verdict::kCrash ||
                        signature.verdict == Verdict::kTimeout;
  const std::string first = signature.detail.substr(0, signature.detail.find('/'));
  return names_it && !Find<Stage>(first) && !IsOfForeignMemory(first) ? first : "";
}

}  // namespace

std::vector<std::string> OpPatterns(const Program& program) {
  std::vector<std::string> patterns;
  for (const OpApplication& op : program.ops) patterns.push_back(PatternWriter(program).OfOp(op, 1));
  return patterns;
}

std::string PatternOf(const Program& program) {
  std::set<int> used;
  for (const OpApplication& op : program.ops) {
    for (const ValueRef operand : op.operands) {
      if (operand.kind == ValueRef::Kind::kOp) used.insert(operand.index);
    }
  }
  const std::vector<std::string> patterns = OpPatterns(program);
  std::vector<std::string> last;
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (!used.contains(static_cast<int>(i))) last.push_back(patterns[i]);
  }
  return absl::StrJoin(last, " and ");
}

FindingSignature NameOf(FindingSignature signature, const Program& reduced) {
  if (signature.op == kSeveralOps) signature.ops = PatternOf(reduced);
  return signature;
}

Circumstances CircumstancesOf(const FindingSignature& signature, const Case& test_case, absl::string_view pipeline) {
  Circumstances circumstances{.ops = OpPatterns(test_case.program)};
  const std::vector<bool> folded = OfConstants(test_case.program);
  for (const OpApplication& op : test_case.program.ops) {
    for (const auto& [with_attributes, is_folded] : {std::pair(false, true), {true, false}, {true, true}}) {
      const std::vector<bool> none;
      std::string pattern = PatternWriter(test_case.program, is_folded ? folded : none, with_attributes).OfOp(op, 1);
      if (!absl::c_linear_search(circumstances.ops, pattern)) circumstances.ops.push_back(std::move(pattern));
    }
    circumstances.types.push_back(ToString(TypesOf(test_case.program, op)));
    circumstances.shapes.emplace_back(Name(ClassOf(test_case.program, op)));
  }
  SortUnique(&circumstances.types);
  SortUnique(&circumstances.shapes);
  std::vector<std::string>& passes = circumstances.passes;
  if (std::string pass = NamedPass(signature); !pass.empty()) {
    passes.push_back(std::move(pass));
  } else if (const absl::StatusOr<std::vector<PipelinePass>> all = SplitPipeline(pipeline); all.ok()) {
    for (const PipelinePass& pass : *all) passes.push_back(pass.name);
  }
  SortUnique(&passes);
  return circumstances;
}

}  // namespace tosaic
