// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The title of an issue: what MLIR does wrong, with which op, in which pass.
#include <string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "reports/reproducer/parts.h"

namespace tosaic {
namespace {

// "i32", or "i32 to bf16" of a cast.
std::string Types(const Reproduction& r) {
  const OpApplication& op = BlamedOp(r);
  const absl::string_view input = Name(InputElementType(r.test_case.program, op));
  const bool converts = op.op == OpKind::kCast || op.op == OpKind::kRescale;
  return converts ? absl::StrCat(input, " to ", Name(op.result.element_type)) : std::string(input);
}

// "tosa.mul (f16)", "tosa.exp and tosa.log (f32)".
std::string Ops(const Reproduction& r) {
  std::vector<std::string> names;
  for (const OpApplication& op : r.test_case.program.ops) {
    std::string name = absl::StrCat("tosa.", Name(op.op));
    if (!absl::c_linear_search(names, name)) names.push_back(std::move(name));
  }
  return absl::StrCat(absl::StrJoin(names, " and "), " (", Types(r), ")");
}

// Says how the rule is broken, as a part of a sentence.
std::string Broken(const Reproduction& r) {
  std::string text(absl::StripSuffix(Info(r.judgement.rule).broken, "."));
  if (text.size() > 1 && !absl::ascii_isupper(text[1])) text[0] = absl::ascii_tolower(text[0]);
  return text;
}

std::string AfterPass(const Reproduction& r) {
  // Many passes fold: which of them did so first says nothing of the fold.
  return r.blamed_pass.empty() || r.folded ? ""
                                           : absl::StrCat(" after ", r.blamed_pass.substr(0, r.blamed_pass.find('{')));
}

// Whether a folder is known to be wrong: it is the function to blame, or nothing but constants goes into the op.
bool IsFolded(const Reproduction& r) {
  const auto is_constant = [](const ValueRef& operand) { return operand.kind == ValueRef::Kind::kConstant; };
  return r.folded && (absl::EndsWith(r.blamed_function, "::fold") || absl::c_all_of(BlamedOp(r).operands, is_constant));
}

// "127"; of what another op gives "negate(...) = 127".
std::string OperandInWords(const Program& program, const ValueRef& ref, const std::string& value) {
  if (ref.kind != ValueRef::Kind::kOp) return value;
  return absl::StrCat(Name(program.ops[static_cast<size_t>(ref.index)].op), "(...) = ", value);
}

// What an attribute says: "max_val 4", "output_unsigned"; empty if that is what its absence says, too.
std::string InWords(const AttributeInfo& info, const TypedBits& number) {
  return absl::StrCat(info.name, " ", ElementToString(number.type, number.bits));
}
std::string InWords(const AttributeInfo& info, bool value) { return std::string(value ? info.name : ""); }
template <NamedEnum E>
std::string InWords(const AttributeInfo&, E value) {
  return std::string(value == E() ? "" : Name(value));
}
std::string InWords(const AttributeInfo&, const std::vector<int64_t>&) { return ""; }

// "multiplier 1, shift 30 and output_zero_point -1": the parameters of the op at the element, unless all are 0.
std::string Parameters(const OpApplication& op, const std::vector<std::string>& inputs) {
  std::vector<std::string> said;
  bool is_plain = true;
  for (size_t k = BroadcastOperandCount(Info(op.op)); k < std::min(inputs.size(), op.operands.size()); ++k) {
    const OperandRole role = Info(op.op).operands[k];
    if (Info(role).access != OperandAccess::kSingle && Info(role).access != OperandAccess::kChannel) continue;
    const bool is_of_result = absl::c_linear_search(absl::MakeSpan(Info(op.op).operands).first(k), role);
    said.push_back(absl::StrCat(is_of_result ? "output_" : "", Name(role), " ", inputs[k]));
    is_plain &= inputs[k] == "0";
  }
  if (is_plain) said.clear();
  ForEachValue(op.attributes, [&](const AttributeInfo& info, const auto& value) {
    std::string words = InWords(info, value);
    if (!words.empty()) said.push_back(std::move(words));
  });
  if (said.empty()) return "";
  const std::string last = said.back();
  said.pop_back();
  return absl::StrCat(" with ", absl::StrJoin(said, ", "), said.empty() ? "" : " and ", last);
}

// "mul(inf, 0) in f16 gives 0 instead of NaN".
std::string WrongValue(const Reproduction& r) {
  if (r.showing == Showing::kPoison) return absl::StrCat("code lowered from ", Ops(r), " depends on poison");
  if (r.judgement.rule == RuleId::kValueFlushing) {
    return absl::StrCat("code lowered from ", Ops(r), " flushes some subnormals and keeps others");
  }
  if (!r.judgement.mismatch) return absl::StrCat(Ops(r), " gives a wrong value");
  const ElementMismatch& m = *r.judgement.mismatch;
  const OpApplication& op = BlamedOp(r);
  std::vector<std::string> inputs;
  for (size_t k = 0; k < std::min(m.inputs.size(), BroadcastOperandCount(Info(op.op))); ++k) {
    inputs.push_back(OperandInWords(r.test_case.program, op.operands[k], m.inputs[k]));
  }
  return absl::StrCat(Name(op.op), "(", absl::StrJoin(inputs, ", "), ") in ", Types(r), Parameters(op, m.inputs),
                      IsFolded(r) ? " is folded to " : " gives ", m.actual,
                      absl::StartsWith(m.expected, "[") ? ", which is not in " : " instead of ", m.expected);
}

}  // namespace

std::string Culprit(const Reproduction& r) {
  if (!r.observation.pass.empty()) return r.observation.pass;
  if (r.showing == Showing::kRefuses || r.showing == Showing::kAccepts) {
    return r.pipeline.empty() ? "the verifier" : "tosa-validate";
  }
  return "the lowering";
}

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? absl::StrCat("signal ", signal) : absl::StrCat("SIG", name);
}

std::string Statement(const Reproduction& r) {
  const std::string who = Culprit(r), ops = Ops(r);
  const auto code = [&](absl::string_view does) { return absl::StrCat("code lowered from ", ops, " ", does); };
  switch (r.judgement.verdict) {
    case Verdict::kFalseAccept:
      return absl::StrCat(who, " accepts invalid ", ops, ": ", Broken(r));
    case Verdict::kFalseReject:
      return absl::StrCat(who, " rejects valid ", ops);
    case Verdict::kWrongInference:
      return absl::StrCat("tosa-infer-shapes infers a wrong type for ", ops);
    case Verdict::kLoweringFailed:
      return absl::StrCat(who, r.observation.outcome == Outcome::kIllegalIr ? " makes invalid IR of " : " fails on ",
                          ops);
    case Verdict::kCrash:
      if (DiesInCode(r)) return code(absl::StrCat("dies of ", SignalName(r.observation.signal)));
      return absl::StrCat(who, " crashes on ", ops);
    case Verdict::kTimeout:
      return DiesInCode(r) ? code("does not terminate") : absl::StrCat(who, " does not terminate on ", ops);
    case Verdict::kMemoryFault:
      return code("accesses memory outside its buffers");
    case Verdict::kUninitializedResult:
      return code("leaves elements of the result unwritten");
    case Verdict::kLeak:
      return code("does not free what it allocates");
    case Verdict::kWrongShape:
      return absl::StrCat(ops, " gives a result of the wrong size");
    case Verdict::kWrongValue:
      return WrongValue(r);
    case Verdict::kAgree:
    case Verdict::kUnsupported:
    case Verdict::kUndefined:
    case Verdict::kContractViolation:
    case Verdict::kJudgesDisagree:
    case Verdict::kHarnessFault:
      break;
  }
  return absl::StrCat(ops, ": ", Broken(r));
}

std::string Title(const Reproduction& r) {
  const bool is_program = r.prepared.empty() || HasOnePass(r);
  const bool has_tosa =
      is_program || absl::StrContains(r.prepared, "= tosa.") || absl::StrContains(r.prepared, "= \"tosa.");
  return absl::StrCat(has_tosa ? "[mlir][tosa] " : "[mlir] ", Statement(r), AfterPass(r));
}

}  // namespace tosaic
