// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/decision.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "model/mlir_text.h"
#include "model/tensor.h"
#include "proving/body_terms.h"
#include "proving/questions.h"
#include "proving/specification.h"
#include "proving/terms.h"

namespace tosaic {
namespace {

// The bits of the arguments in a model; what it leaves open is 0.
std::vector<uint64_t> InputsIn(const z3::model& model, const std::vector<z3::expr>& bits) {
  std::vector<uint64_t> inputs;
  for (const z3::expr& term : bits) inputs.push_back(BitsOf(model.eval(term, true)).value_or(0));
  return inputs;
}

constexpr unsigned kLongProduct = 64;  // bits

Decision Unknown(std::string why) { return {.verdict = ProofVerdict::kUnknown, .why = std::move(why)}; }

// "; the body is math.exp of the operand" if it is one function of the operands in their order: then all that is
// open is how exact the function is.
std::string OnlyFunctionIn(const ScalarBody& body) {
  const size_t count = body.arguments.size();
  if (body.ops.size() != 1 || body.yields != static_cast<int>(count)) return "";
  const BodyOp& op = body.ops[0];
  if (!op.words.empty() || op.operands.size() != count || op.result_type != op.type) return "";
  for (size_t i = 0; i < count; ++i) {
    if (op.operands[i] != static_cast<int>(i)) return "";
  }
  return absl::StrCat("; the body is ", op.name, " of the operand", count == 1 ? "" : "s in their order");
}

class Question {
 public:
  // Of the elements of one channel.
  Question(z3::context& context, const Program& program, size_t channel)
      : program_(program), op_(program.ops[0]), channel_(channel), context_(context) {
    for (size_t i = 0; i < program.arguments.size(); ++i) {
      const ElementType type = program.arguments[i].element_type;
      if (!HasTerms(type)) continue;
      bits_.push_back(context_.bv_const(absl::StrCat("x", i).c_str(), static_cast<unsigned>(BitWidth(type))));
      arguments_.push_back(FromBits(SortOf(context_, type), bits_.back()));
    }
    if (arguments_.size() != program.arguments.size()) return;
    for (const ValueRef ref : op_.operands) {
      const ElementType type = ElementTypeOf(program, ref);
      if (!HasTerms(type)) continue;
      const Tensor* constant = AsConstant(program, ref);
      const OperandRole role = Info(op_.op).operands[operands_.size()];
      operands_.push_back(constant == nullptr                  ? arguments_[static_cast<size_t>(ref.index)]
                          : role == OperandRole::kTable        ? AnyTable(*constant, ref)
                          : IsByChannel(op_, operands_.size()) ? ElementOf(*constant, operands_.size())
                                                               : Constant(SortOf(context_, type), constant->Bits(0)));
    }
  }

  Decision Decide(const ScalarBody& body, unsigned milliseconds) {
    const OpInfo& info = Info(op_.op);
    if (operands_.size() != op_.operands.size()) return Unknown("an element type that is not in IEEE 754's manner");
    const std::optional<Specified> specified =
        Specification({info, InputElementType(program_, op_), op_.result.element_type, op_.attributes, operands_});
    if (!specified)
      return Unknown(absl::StrCat("the specification's ", info.name, " has no formula here", OnlyFunctionIn(body)));
    const absl::StatusOr<BodyTerm> term = TermOf(body, arguments_, channels_);
    if (!term.ok()) return Unknown(std::string(term.status().message()));
    if (!z3::eq(term->value.get_sort(), SortOf(context_, op_.result.element_type))) {
      return Unknown("the body's type is not the result's");
    }
    return Ask(*specified, *term, milliseconds);
  }

 private:
  // The channel's element of the op's operand: of multipliers any, of shifts its own.
  z3::expr ElementOf(const Tensor& constant, size_t operand) {
    const ElementType type = constant.element_type();
    const bool is_any = Info(op_.op).operands[operand] == OperandRole::kMultiplier;
    const z3::expr element = is_any ? context_.bv_const("multiplier", static_cast<unsigned>(BitWidth(type)))
                                    : Constant(SortOf(context_, type), constant.Bits(channel_));
    if (is_any) any_ = {element, static_cast<size_t>(op_.operands[operand].index)};
    const std::string elements = DenseElements(constant);
    channels_.emplace(absl::StripPrefix(absl::StripSuffix(elements, "]"), "["), element);
    return element;
  }

  // A table stands for all tables: it is a function, with which Z3 ends soon, as an array it does not with i16. MLIR
  // prints the bytes of so many elements.
  z3::expr AnyTable(const Tensor& constant, ValueRef ref) {
    z3::func_decl entry =
        context_.function("table", *SortOf(context_, "index"), SortOf(context_, constant.element_type()));
    const z3::expr table = z3::as_array(entry);
    any_ = {table, static_cast<size_t>(ref.index)};
    const std::string bytes(constant.bytes().begin(), constant.bytes().end());
    channels_.emplace(absl::StrCat("\"0x", absl::AsciiStrToUpper(absl::BytesToHexString(bytes)), "\""), table);
    return table;
  }

  // The program whose channel has the model's multiplier, or that has its table.
  Program ProgramIn(const z3::model& model) {
    Program program = program_;
    if (!any_) return program;
    Tensor& constant = program.constants[any_->constant];
    if (!HasTable()) constant.SetBits(channel_, InputsIn(model, {any_->term})[0]);
    for (size_t i = 0; HasTable() && i < constant.element_count(); ++i) {
      constant.SetBits(i, InputsIn(model, {z3::select(any_->term, context_.bv_val(uint64_t{i}, 64))})[0]);
    }
    return program;
  }
  bool HasTable() const { return any_ && any_->term.is_array(); }

  Decision Ask(const Specified& specified, const BodyTerm& term, unsigned milliseconds) {
    const z3::expr broken = term.undefined || term.poison;
    z3::expr question = specified.defined && term.facts && (broken || !Allows(specified, term.value));
    if (HasTable()) question = question.simplify();  // leaves the function without the array
    // If it holds with any number in the place of each long product, it holds: no multiplier is to be understood then.
    const z3::expr without_products = WithoutProducts(question);
    if (!z3::eq(without_products, question)) {
      z3::solver simpler = Solver(milliseconds / 4);
      simpler.add(without_products);
      if (simpler.check() == z3::unsat) return {.verdict = ProofVerdict::kProved, .is_exact = specified.is_exact};
    }
    z3::solver solver = Solver(milliseconds / 4 * 3);
    solver.add(question);
    const z3::check_result answer = solver.check();
    if (answer == z3::unsat) return {.verdict = ProofVerdict::kProved, .is_exact = specified.is_exact};
    if (answer == z3::unknown) return Unknown(absl::StrCat("the solver gave up: ", solver.reason_unknown()));
    const z3::model model = solver.get_model();
    const bool is_poison = model.eval(broken, true).is_true();
    return {.verdict = ProofVerdict::kRefuted,
            .why = is_poison ? "poison or undefined behaviour" : "another value",
            .inputs = InputsIn(model, bits_),
            .program = ProgramIn(model),
            .is_exact = specified.is_exact};
  }

  z3::solver Solver(unsigned milliseconds) {
    z3::solver solver = z3::tactic(context_, HasTable() ? "qfufbv" : "qffpbv").mk_solver();
    z3::params params(context_);
    params.set("timeout", milliseconds);
    solver.set(params);
    return solver;
  }

  // Products of the same factors, however they are written, are one number.
  z3::expr WithoutProducts(const z3::expr& question) {
    z3::expr_vector products(context_), variables(context_), factors(context_);
    std::map<std::pair<unsigned, unsigned>, z3::expr> numbers;  // by the ids of two factors
    std::set<unsigned> seen;
    std::vector<z3::expr> left = {question};
    while (!left.empty()) {
      const z3::expr term = left.back();
      left.pop_back();
      if (!term.is_app() || !seen.insert(term.id()).second) continue;
      if (term.decl().decl_kind() == Z3_OP_BMUL && term.get_sort().bv_size() >= kLongProduct) {
        const z3::expr a = term.arg(0).simplify(), b = term.arg(1).simplify();
        factors.push_back(a);
        factors.push_back(b);
        const z3::expr number = context_.constant(absl::StrCat("product", products.size()).c_str(), term.get_sort());
        products.push_back(term);
        variables.push_back(numbers.try_emplace(std::minmax(a.id(), b.id()), number).first->second);
        continue;
      }
      for (unsigned i = 0; i < term.num_args(); ++i) left.push_back(term.arg(i));
    }
    z3::expr replaced = question;
    return products.empty() ? replaced : replaced.substitute(products, variables);
  }

  const Program& program_;
  const OpApplication& op_;
  const size_t channel_;
  z3::context& context_;
  std::vector<z3::expr> bits_, arguments_;  // of the program's arguments
  std::vector<z3::expr> operands_;
  struct AnyConstant {
    z3::expr term;
    size_t constant;  // index into the program's
  };
  std::optional<AnyConstant> any_;  // the channel's multiplier, or the table
  ChannelTerms channels_;
};

}  // namespace

Decision DecideBody(const Program& program, const ScalarBody& body, unsigned milliseconds) {
  const absl::Time end = absl::Now() + absl::Milliseconds(milliseconds);
  try {
    z3::context context;  // making one for each channel took half of the time
    Decision decision;
    const size_t channels = std::max(CountChannels(program), size_t{1});
    for (size_t channel = 0; channel < channels; ++channel) {
      const int64_t left = absl::ToInt64Milliseconds(end - absl::Now());
      if (left <= 0) return Unknown("no time left");
      decision = Question(context, program, channel).Decide(body, static_cast<unsigned>(left));
      if (decision.verdict != ProofVerdict::kProved) return decision;
    }
    return decision;
  } catch (const z3::exception& error) {
    return Unknown(absl::StrCat("the solver: ", error.msg()));
  }
}

}  // namespace tosaic
