// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/decision.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proving/body_terms.h"
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

class Question {
 public:
  explicit Question(const Program& program) : program_(program), op_(program.ops[0]) {
    for (size_t i = 0; i < program.arguments.size(); ++i) {
      const ElementType type = program.arguments[i].element_type;
      if (!HasTerms(type)) continue;
      bits_.push_back(context_.bv_const(absl::StrCat("x", i).c_str(), static_cast<unsigned>(BitWidth(type))));
      arguments_.push_back(FromBits(SortOf(context_, type), bits_.back()));
    }
    if (arguments_.size() != program.arguments.size()) return;
    for (const ValueRef ref : op_.operands) {
      const ElementType type = TypeOf(program, ref).element_type;
      if (!HasTerms(type)) continue;
      const Tensor* constant = AsConstant(program, ref);
      operands_.push_back(constant != nullptr ? Constant(SortOf(context_, type), constant->Bits(0))
                                              : arguments_[static_cast<size_t>(ref.index)]);
    }
  }

  Decision Decide(const ScalarBody& body, unsigned milliseconds) {
    const OpInfo& info = Info(op_.op);
    if (operands_.size() != op_.operands.size()) return Unknown("an element type that is not in IEEE 754's manner");
    const std::optional<Specified> specified =
        Specification({info, InputElementType(program_, op_), op_.result.element_type, op_.attributes, operands_});
    if (!specified) return Unknown(absl::StrCat("the specification's ", info.name, " has no formula here"));
    const absl::StatusOr<BodyTerm> term = TermOf(body, arguments_);
    if (!term.ok()) return Unknown(std::string(term.status().message()));
    if (!z3::eq(term->value.get_sort(), SortOf(context_, op_.result.element_type))) {
      return Unknown("the body's type is not the result's");
    }
    return Ask(*specified, *term, milliseconds);
  }

 private:
  Decision Ask(const Specified& specified, const BodyTerm& term, unsigned milliseconds) {
    const z3::expr broken = term.undefined || term.poison;
    const z3::expr question = specified.defined && term.facts && (broken || !Allows(specified, term.value));
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
            .is_exact = specified.is_exact};
  }

  z3::solver Solver(unsigned milliseconds) {
    z3::solver solver = z3::tactic(context_, "qffpbv").mk_solver();
    z3::params params(context_);
    params.set("timeout", milliseconds);
    solver.set(params);
    return solver;
  }

  z3::expr WithoutProducts(const z3::expr& question) {
    z3::expr_vector products(context_), variables(context_);
    std::set<unsigned> seen;
    std::vector<z3::expr> left = {question};
    while (!left.empty()) {
      const z3::expr term = left.back();
      left.pop_back();
      if (!term.is_app() || !seen.insert(term.id()).second) continue;
      if (term.decl().decl_kind() == Z3_OP_BMUL && term.get_sort().bv_size() >= kLongProduct) {
        products.push_back(term);
        variables.push_back(context_.constant(absl::StrCat("product", products.size()).c_str(), term.get_sort()));
        continue;
      }
      for (unsigned i = 0; i < term.num_args(); ++i) left.push_back(term.arg(i));
    }
    z3::expr replaced = question;
    return products.empty() ? replaced : replaced.substitute(products, variables);
  }

  const Program& program_;
  const OpApplication& op_;
  z3::context context_;
  std::vector<z3::expr> bits_, arguments_;  // of the program's arguments
  std::vector<z3::expr> operands_;
};

}  // namespace

Decision DecideBody(const Program& program, const ScalarBody& body, unsigned milliseconds) {
  try {
    return Question(program).Decide(body, milliseconds);
  } catch (const z3::exception& error) {
    return Unknown(absl::StrCat("the solver: ", error.msg()));
  }
}

}  // namespace tosaic
