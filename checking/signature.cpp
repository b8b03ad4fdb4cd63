// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/signature.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "checking/false_accepts.h"
#include "model/pass_sequence.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

constexpr size_t kDiagnosticLength = 80;

// The detail of a number that is not even beside the right one, where being beside it is a cause of its own.
constexpr absl::string_view kFarNumberForNumber = "far-number-for-number";

// Whether the program returns all that the op is computed from, but for arguments and constants.
bool ShowsOperandsOf(const Program& program, const OpApplication& op) {
  return absl::c_all_of(op.operands, [&](ValueRef ref) {
    return ref.kind != ValueRef::Kind::kOp || absl::c_linear_search(program.results, ref);
  });
}

// The op a judgement is about: the only one, or the one whose value differs; null if it can be any of several.
const OpApplication* JudgedOp(const Program& program, const Judgement& judgement) {
  // If a program of several ops differs from its twin, or from what its arguments allow, any op before may be to
  // blame.
  const bool blames_one = judgement.mismatch && FamilyOf(judgement.rule) != RuleFamily::kMetamorphic &&
                          ShowsOperandsOf(program, program.ops[judgement.mismatch->op]);
  if (blames_one) return &program.ops[judgement.mismatch->op];
  return program.ops.size() == 1 ? &program.ops.front() : nullptr;
}

// Whether a number is more wrong than what is next to right: in a cast to float, where a number that is rounded twice
// is hardly more than half a unit off; in negate of an integer, where what is not clipped is beside the limit, and in a
// cast to one, where what is rounded the wrong way is beside the right one; in ceil, where numbers that a 64-bit
// integer does not hold are a cause by themselves, below these.
bool IsFarOff(const ElementMismatch& mismatch, RuleId rule) {
  constexpr double kRoundedTwice = 0.5 + 1.0 / 256, kGreatestInteger = 0x1p63;
  if (rule == RuleId::kValueCastIntegerToFloat || rule == RuleId::kExtensionCast)
    return mismatch.ulp_distance > kRoundedTwice;
  if (rule == RuleId::kValueCeilPlain) {
    absl::string_view least = mismatch.expected;  // "1", or "[1, 2]"
    absl::ConsumePrefix(&least, "[");
    double expected = 0;
    return absl::SimpleAtod(least.substr(0, least.find(',')), &expected) && std::abs(expected) < kGreatestInteger;
  }
  if (rule != RuleId::kValueNegatePlain && rule != RuleId::kValueCastFloatToInteger) return false;
  int64_t expected = 0, actual = 0;
  const bool are_integers = mismatch.ulp_distance == 0 && absl::SimpleAtoi(mismatch.expected, &expected) &&
                            absl::SimpleAtoi(mismatch.actual, &actual);
  const auto [least, greatest] = std::minmax(expected, actual);
  return are_integers && static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least) > 1;
}

// The kind of the difference: a NaN where a number belongs has another cause than a last digit. A zero counts only
// beside what is no number, and beside the other zero: among numbers it is one.
std::string MismatchKind(const ElementMismatch& mismatch, RuleId rule) {
  if (rule == RuleId::kRunUndefinedBehaviour) return "";  // what an element is here says nothing
  auto kind = [](absl::string_view text) -> absl::string_view {
    if (absl::StrContains(absl::AsciiStrToLower(text), "nan")) return "nan";
    if (absl::StrContains(text, "inf")) return "inf";
    if (text == "0" || text == "-0") return "zero";
    return "number";
  };
  const std::string between = absl::StrCat(kind(mismatch.actual), "-for-", kind(mismatch.expected));
  const bool are_numbers = between == kNumberForNumber || between == "zero-for-number" || between == "number-for-zero";
  if (!are_numbers) return between;
  return std::string(IsFarOff(mismatch, rule) ? kFarNumberForNumber : kNumberForNumber);
}

bool DependsOnElementTypes(const Judgement& judgement) {
  if (judgement.verdict == Verdict::kContractViolation) return false;  // the contract is about shapes
  return judgement.stage > Stage::kInfer || judgement.rule == RuleId::kLegalElementType;
}

// The detail that tells causes under one rule apart, with the pass only if it is asked for.
std::string DetailOf(const Observation& observation, const Judgement& judgement, bool with_pass) {
  std::vector<std::string> parts;
  const std::string pass = observation.pass.empty() ? std::string(Name(observation.stage)) : observation.pass;
  switch (judgement.verdict) {
    case Verdict::kFalseReject:
      if (!observation.diagnostics.empty()) parts.push_back(NormalizeDiagnostic(observation.diagnostics.front()));
      break;
    case Verdict::kLoweringFailed:
      if (with_pass) parts.push_back(pass);
      if (!observation.diagnostics.empty()) parts.push_back(NormalizeDiagnostic(observation.diagnostics.front()));
      break;
    case Verdict::kCrash:
    case Verdict::kTimeout:
      parts.push_back(pass);
      if (observation.signal != 0) parts.push_back(absl::StrCat("signal-", observation.signal));
      break;
    case Verdict::kMemoryFault:
      if (observation.fault) {
        parts.push_back(observation.fault->is_write ? "write" : "read");
        parts.push_back(observation.fault->region.substr(0, observation.fault->region.find(' ')));
      }
      break;
    case Verdict::kWrongValue:
      if (judgement.mismatch) parts.push_back(MismatchKind(*judgement.mismatch, judgement.rule));
      if (!parts.empty() && parts.back().empty()) parts.pop_back();
      break;
    case Verdict::kAgree:
    case Verdict::kUnsupported:
    case Verdict::kUndefined:
    case Verdict::kFalseAccept:
    case Verdict::kWrongInference:
    case Verdict::kUninitializedResult:
    case Verdict::kLeak:
    case Verdict::kWrongShape:
    case Verdict::kContractViolation:
    case Verdict::kJudgesDisagree:
    case Verdict::kHarnessFault:
      break;
  }
  return absl::StrJoin(parts, "/");
}

// The signature, with `op` null that of a program as a whole.
FindingSignature SignatureFor(const OpApplication* op, const Case& test_case, const Observation& observation,
                              const Judgement& judgement) {
  FindingSignature signature{.verdict = judgement.verdict,
                             .op = std::string(op != nullptr ? Name(op->op) : kSeveralOps)};
  if (judgement.stage > Stage::kInfer) {
    signature.route = std::string(RouteName(test_case.route));
    // A wrong result is told apart as any other: what is right but for a folder's mistake was not read from there.
    const bool may_be_foreign =
        op != nullptr && judgement.verdict != Verdict::kWrongValue && judgement.verdict != Verdict::kWrongShape;
    if (may_be_foreign) signature.detail = std::string(DetailOfForeignMemory(test_case.program, *op));
    if (!signature.detail.empty()) return signature;
  }
  if (judgement.beyond_spec) {
    signature.types = std::string(kBeyondSpecTypes);
  } else if (op != nullptr && DependsOnElementTypes(judgement)) {
    signature.types = ToString(TypesOf(test_case.program, *op));
  }
  signature.rule = std::string(Name(judgement.rule));
  signature.strictness = judgement.strictness;
  signature.detail = DetailOf(observation, judgement, true);
  if (op != nullptr && judgement.verdict == Verdict::kFalseAccept) {
    signature.detail = std::string(BrokenClause(test_case.program, *op, judgement.rule));
  }
  return signature;
}

}  // namespace

absl::string_view DetailOfForeignMemory(const Program& program, const OpApplication& op) {
  if (TakesUnrankedForRanked(program, op)) return kUnrankedOperand;  // whatever its other operands are
  // It is taken for an operand of the result's rank, which it has if that is 1 (docs/findings.md, F2 and F3).
  const bool has_its_rank = op.result.shape.IsRanked() && op.result.shape.rank() == 1;
  return IsElementwise(Info(op.op)) && !has_its_rank && HasSpecialOperandAtRunTime(program, op) ? kSpecialOperand : "";
}

std::string NormalizeDiagnostic(absl::string_view diagnostic) {
  std::string out;
  int depth = 0;
  for (size_t i = 0; i < diagnostic.size() && diagnostic[i] != '\n' && out.size() < kDiagnosticLength; ++i) {
    const char c = diagnostic[i];
    const bool arrow = c == '>' && i > 0 && diagnostic[i - 1] == '-';
    if (c == '<') ++depth;
    if (c == '>' && !arrow && depth > 0) {
      --depth;
      if (depth == 0) out += '<';
    }
    if (depth > 0) continue;
    if (std::isdigit(static_cast<unsigned char>(c))) {
      if (out.empty() || out.back() != 'N') out += 'N';
    } else {
      out += c;
    }
  }
  return out;
}

FindingSignature SignatureOf(const Case& test_case, const Observation& observation, const Judgement& judgement) {
  return SignatureFor(JudgedOp(test_case.program, judgement), test_case, observation, judgement);
}

FindingSignature SignatureOf(const OpSignature& probe, const Judgement& judgement) {
  const bool has_vector =
      probe.result.container == Container::kVector ||
      absl::c_any_of(probe.operands, [](const ValueType& operand) { return operand.container == Container::kVector; });
  return {.verdict = judgement.verdict,
          .op = kProbeOp,
          .rule = std::string(Name(judgement.rule)),
          .detail = has_vector ? "vector" : ""};
}

bool ShowsFinding(FindingSignature signature, const Case& test_case, const Observation& observation,
                  const Judgement& judgement) {
  if (!IsDivergence(judgement.verdict)) return false;
  signature.ops.clear();  // the case is what it is asked of
  // A wrong value of several ops may be any one's; of a single op the oracle says what is wrong.
  const bool is_of_several = signature.verdict == Verdict::kWrongValue && signature.op == kSeveralOps &&
                             signature.types.empty() && signature.route == RouteName(test_case.route);
  const bool explains_several =
      is_of_several && test_case.program.ops.size() == 1 && judgement.verdict == Verdict::kWrongValue;
  return explains_several || SignatureOf(test_case, observation, judgement) == signature ||
         SignatureFor(nullptr, test_case, observation, judgement) == signature;
}

DefectKind KindOf(const Case& test_case, const Observation& observation, const Judgement& judgement) {
  const OpApplication* op = JudgedOp(test_case.program, judgement);
  FindingSignature kind = SignatureFor(op, test_case, observation, judgement);
  kind.types = std::string(judgement.beyond_spec ? kBeyondSpecTypes : "");
  kind.route.clear();
  if (IsOfForeignMemory(kind.detail)) return {std::move(kind)};
  kind.op.clear();
  kind.detail = DetailOf(observation, judgement, false);
  return {std::move(kind), judgement.stage};
}

}  // namespace tosaic
