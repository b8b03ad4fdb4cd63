// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/function_import.h"

#include <cstdlib>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "model/op_catalogue.h"
#include "model/unsigned_types.h"
#include "toolchain/mlir/attribute_import.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/mlir_builder.h"
#include "toolchain/mlir/op_import.h"

namespace tosaic {
namespace {

// One function, or what of it is behind ops that a first import has left out.
class Importer {
 public:
  explicit Importer(const DialectInfo& dialect, const Importer* first = nullptr) : dialect_(dialect), first_(first) {}

  ImportedFunction Import(mlir::func::FuncOp function);
  ImportedFunction ImportWhole(mlir::func::FuncOp function);
  // Whether something is left for an import of what is behind.
  bool HasMore() const { return leaves_out_ops_ && !has_calls_; }
  bool HasTaken(mlir::Operation* op) const { return taken_.contains(op); }

 private:
  // Each takes something in; else it says what is in the way.
  std::string AddBlock(mlir::Block& block, llvm::SmallVector<mlir::Value>* returned);
  std::string AddOp(mlir::Operation& op, OpKind kind);
  std::string AddCall(mlir::Operation& op, mlir::func::FuncOp callee);
  // Of what is behind others: whether a value from before it can be an argument, which it is then, or be computed
  // again from what the file states.
  bool TakeFromBefore(mlir::Value value);
  // Adds an op that is not elementwise: a constant, or one whose operands the program then returns.
  void AddOther(mlir::Operation& op);
  // If a cast hides the sizes of a constant, the constant is an argument of the type that the cast makes.
  void TakeThroughCast(mlir::Operation& op);
  // Whether all that the op takes is stated in the file, so that no drawn data can stand for its results.
  bool TakesWhatIsStated(mlir::Operation& op) const;

  ValueRef Constant(Tensor tensor) {
    program_.constants.push_back(std::move(tensor));
    return {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size()) - 1};
  }
  ValueRef Argument(const TensorType& type, std::optional<Tensor> data = std::nullopt) {
    program_.arguments.push_back(type);
    data_.push_back(std::move(data));
    return {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size()) - 1};
  }
  void LeaveOut(mlir::Operation& op, const std::string& why) {
    for (const mlir::Value result : op.getResults()) {
      values_.erase(result);  // of an earlier call of the function that it is in
      left_out_[result] = why;
    }
    if (op.getNumResults() == 0) return;
    // An op with operands explains more than one that makes a number for it.
    std::string& reason = op.getNumOperands() > 0 ? why_not_ : why_not_either_;
    if (reason.empty()) reason = why;
  }
  // The program counts as spelled by the version, of all its ops, that is farthest from the toolchain's.
  void NoteSpelling(const DialectInfo& version) {
    const auto distance = [this](int number) { return std::abs(number - dialect_.version); };
    const int spelled = spelled_.value_or(dialect_.version);
    if (distance(version.version) > distance(spelled)) spelled_ = version.version;
  }
  void Return(ValueRef value) {
    if (!absl::c_linear_search(program_.results, value)) program_.results.push_back(value);
  }

  const DialectInfo& dialect_;
  const Importer* first_;  // null: this is the first
  Program program_;
  std::optional<int> spelled_;              // the version that it is spelled by, if that is another one
  llvm::DenseSet<mlir::Operation*> taken_;  // as ops of the program
  llvm::DenseSet<mlir::Value> stated_;      // constants, and what is computed from them alone
  std::vector<size_t> typed_rescales_;      // whose unsigned numbers the file tells by their type
  bool leaves_out_ops_ = false, has_calls_ = false, is_whole_ = false;
  std::vector<std::optional<Tensor>> data_;
  llvm::DenseMap<mlir::Value, ValueRef> values_;
  llvm::DenseMap<mlir::Value, std::string> left_out_;  // and why
  std::string why_not_, why_not_either_;               // of the first of these that takes something, or does not
  std::string cut_;                                    // where the program ends before the function does
  int depth_ = 0;                                      // of calls
};

ImportedFunction Importer::Import(mlir::func::FuncOp function) {
  if (function.isDeclaration()) return {.skipped = "a declaration"};
  if (!llvm::hasSingleElement(function.getBody())) return {.skipped = "has several blocks"};
  mlir::Block& block = function.getBody().front();
  for (const mlir::BlockArgument argument : block.getArguments()) {
    if (first_ != nullptr) break;  // taken where they are used
    if (const std::optional<TensorType> type = ToTensorType(argument.getType())) {
      values_[argument] = Argument(*type);
      continue;
    }
    left_out_[argument] = absl::StrCat("an argument is of type ", TextOf(argument.getType()));
    if (why_not_.empty()) why_not_ = left_out_[argument];
  }
  llvm::SmallVector<mlir::Value> returned;
  if (std::string why = AddBlock(block, &returned); !why.empty()) return {.skipped = std::move(why)};
  if (why_not_.empty()) why_not_ = why_not_either_.empty() ? "has no elementwise TOSA op" : why_not_either_;
  if (program_.ops.empty()) return {.skipped = why_not_};
  bool has_other_results = !program_.results.empty() || !cut_.empty();
  for (const mlir::Value value : returned) {
    const auto found = values_.find(value);
    found != values_.end() ? program_.results.push_back(found->second) : void(has_other_results = true);
  }
  // A function that returns nothing returns what no op takes, the last first.
  const bool returns_any = !program_.results.empty();
  for (std::vector<size_t> rest; !returns_any && !(rest = OpsWithoutEffect(program_)).empty();) {
    Return({ValueRef::Kind::kOp, static_cast<int>(rest.back())});
  }
  if (std::string why = UnsignedTypesToAttributes(typed_rescales_, &program_, &data_); !why.empty())
    return {.skipped = std::move(why)};
  Case alone;
  alone.program = program_;
  if (absl::Status status = CheckWellFormed(alone); !status.ok()) return {.skipped = std::string(status.message())};
  return {.program = std::move(program_),
          .data = std::move(data_),
          .part = std::move(cut_),
          .has_other_results = has_other_results && !returned.empty(),
          .spelled = spelled_};
}

ImportedFunction Importer::ImportWhole(mlir::func::FuncOp function) {
  if (function.isDeclaration() || !llvm::hasSingleElement(function.getBody())) return {.skipped = "not one block"};
  is_whole_ = true;
  mlir::Block& block = function.getBody().front();
  for (const mlir::BlockArgument argument : block.getArguments()) {
    const std::optional<TensorType> type = ToTensorType(argument.getType());
    if (!type) return {.skipped = absl::StrCat("an argument is of type ", TextOf(argument.getType()))};
    values_[argument] = Argument(*type);
  }
  llvm::SmallVector<mlir::Value> returned;
  if (std::string why = AddBlock(block, &returned); !why.empty()) return {.skipped = std::move(why)};
  if (leaves_out_ops_ || !cut_.empty()) return {.skipped = "has other ops"};
  program_.results.clear();  // what it returns, each time it does
  for (const mlir::Value value : returned) {
    const auto found = values_.find(value);
    if (found == values_.end()) return {.skipped = "returns what no elementwise op makes"};
    program_.results.push_back(found->second);
  }
  if (std::string why = UnsignedTypesToAttributes(typed_rescales_, &program_, &data_); !why.empty())
    return {.skipped = std::move(why)};
  return {.program = std::move(program_), .spelled = spelled_};
}

std::string Importer::AddBlock(mlir::Block& block, llvm::SmallVector<mlir::Value>* returned) {
  for (mlir::Operation& op : block) {
    const std::string name = op.getName().getStringRef().str();
    if (std::string why = WhyInvalid(op); !why.empty()) return why;
    if (name == "func.return") {
      returned->append(op.operand_begin(), op.operand_end());
      continue;
    }
    if (TakesWhatIsStated(op)) stated_.insert(op.result_begin(), op.result_end());
    const std::optional<OpKind> kind = FindOpOfAny(name);
    const bool is_done = first_ != nullptr && first_->taken_.contains(&op);
    std::string why = kind && !is_done ? AddOp(op, *kind) : "";
    if (!kind) {
      auto call = mlir::dyn_cast<mlir::func::CallOp>(op);
      auto callee = call ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(call, call.getCalleeAttr())
                         : mlir::func::FuncOp();
      const bool is_here = callee && !callee.isDeclaration() && llvm::hasSingleElement(callee.getBody());
      is_here ? void(why = AddCall(op, callee)) : AddOther(op);
    }
    if (!why.empty()) return why;
  }
  return "";
}

// A function of the same file, as if it stood here.
std::string Importer::AddCall(mlir::Operation& op, mlir::func::FuncOp callee) {
  constexpr int kMaxDepth = 16;
  has_calls_ = true;
  mlir::Block& block = callee.getBody().front();
  if (++depth_ > kMaxDepth) return "calls itself, or too deep";
  const std::string otherwise =
      absl::StrCat("calls @", std::string(callee.getSymName()), " with other operands or results");
  if (op.getNumOperands() != block.getNumArguments()) return otherwise;
  const auto bind = [this](mlir::Value from, mlir::Value to) {
    values_.erase(to), left_out_.erase(to), stated_.erase(to);
    if (stated_.contains(from)) stated_.insert(to);
    const auto found = values_.find(from);
    found != values_.end() ? void(values_[to] = ValueRef(found->second))
                           : void(left_out_[to] = std::string(left_out_.lookup(from)));
  };
  for (const auto [from, to] : llvm::zip(op.getOperands(), block.getArguments())) bind(from, to);
  llvm::SmallVector<mlir::Value> returned;
  if (std::string why = AddBlock(block, &returned); !why.empty()) return why;
  if (op.getNumResults() != returned.size()) return otherwise;
  for (const auto [from, to] : llvm::zip(returned, op.getResults())) bind(from, to);
  --depth_;
  return "";
}

void Importer::AddOther(mlir::Operation& op) {
  if (op.getNumOperands() > 0 && ConstantShape(&op)) return;
  const std::string name = op.getName().getStringRef().str();
  if ((name == "tosa.const" || name == "arith.constant") && !IsTaken(op)) return;
  std::string why;
  const DialectInfo* spelled = &dialect_;
  if (std::optional<Tensor> constant = ImportConstant(op, dialect_, &why, &spelled)) {
    NoteSpelling(*spelled);
    // A value that a compiler does not know to be constant, as IREE's util.unfoldable_constant, is an argument.
    const TensorType type = *ToTensorType(op.getResult(0).getType());
    values_[op.getResult(0)] = op.isRegistered() || name == "tosa.const" || name == "arith.constant"
                                   ? Constant(*std::move(constant))
                                   : Argument(type, std::move(constant));
    return;
  }
  leaves_out_ops_ |= is_whole_ && name != "tensor.cast" && !ConstantShape(&op);
  bool takes_any = false;
  op.walk([&](mlir::Operation* inner) {
    for (const mlir::Value operand : inner->getOperands()) {
      const auto found = values_.find(operand);
      if (found == values_.end() || found->second.kind != ValueRef::Kind::kOp) continue;
      Return(found->second);
      takes_any = true;
    }
  });
  if (takes_any && op.getNumResults() > 0 && !OnlyReads(name) && cut_.empty()) {
    cut_ = absl::StrCat("up to ", name);
  }
  if (why.empty() && first_ != nullptr && op.getNumOperands() > 0 && TakesWhatIsStated(op)) {
    why = absl::StrCat("takes what ", name, " makes of the file's constants");
  } else if (why.empty()) {
    why = absl::StrCat("uses ", name, absl::StartsWith(name, "tosa.") ? ", which is not elementwise" : "");
  }
  LeaveOut(op, why);
  if (name == "tensor.cast") TakeThroughCast(op);
}

void Importer::TakeThroughCast(mlir::Operation& op) {
  const auto source = values_.find(op.getOperand(0));
  const std::optional<TensorType> type = ToTensorType(op.getResult(0).getType());
  if (source == values_.end() || !type) return;
  if (is_whole_) {
    const std::optional<TensorType> from = ToTensorType(op.getOperand(0).getType());
    if (from && SaysNoMore(*type, *from)) values_[op.getResult(0)] = ValueRef(source->second);
    return;
  }
  if (const Tensor* data = AsConstant(program_, source->second)) values_[op.getResult(0)] = Argument(*type, *data);
}

bool Importer::TakesWhatIsStated(mlir::Operation& op) const {
  if (mlir::isa<mlir::CallOpInterface>(op)) return false;
  llvm::SetVector<mlir::Value> taken(op.operand_begin(), op.operand_end());
  mlir::getUsedValuesDefinedAbove(op.getRegions(), taken);
  return absl::c_all_of(taken, [this](mlir::Value value) { return stated_.contains(value); });
}

bool Importer::TakeFromBefore(mlir::Value value) {
  const std::optional<TensorType> type = ToTensorType(value.getType());
  if (first_ == nullptr || !type) return false;
  mlir::Operation* from = value.getDefiningOp();
  const bool is_taken = from != nullptr && first_->taken_.contains(from);
  if (stated_.contains(value)) {
    return is_taken && AddOp(*from, *FindOpOfAny(from->getName().getStringRef().str())).empty() &&
           values_.contains(value);
  }
  values_[value] = Argument(*type);
  if (from != nullptr && !is_taken && !absl::StrContains(cut_, "behind ")) {
    cut_ = absl::StrCat("behind ", from->getName().getStringRef().str(), cut_.empty() ? "" : ", ", cut_);
  }
  return true;
}

std::string Importer::AddOp(mlir::Operation& op, OpKind kind) {
  const std::string name = op.getName().getStringRef().str();
  if (op.getNumResults() != 1) return absl::StrCat(name, " has not one result");
  for (const mlir::Value operand : op.getOperands()) {
    if (values_.contains(operand) || ConstantShape(operand.getDefiningOp()) || TakeFromBefore(operand)) continue;
    leaves_out_ops_ = true;
    const std::string why = left_out_.lookup(operand);
    LeaveOut(op, why.empty() ? absl::StrCat(name, " uses a value from elsewhere") : why);
    if (cut_.empty()) cut_ = absl::StrCat("without ", name, ": ", left_out_[op.getResult(0)]);
    // Its other operands are returned: they are seen here for the last time.
    for (const mlir::Value other : op.getOperands()) {
      const auto found = values_.find(other);
      if (found != values_.end() && found->second.kind == ValueRef::Kind::kOp) Return(found->second);
    }
    return "";
  }
  const std::vector<const DialectInfo*> versions = FromNearest(dialect_);
  const auto version = absl::c_find_if(versions, [&](const DialectInfo* dialect) {
    return FindOpOf(*dialect, name) == kind && WhyNotSpelled(op, kind, *dialect).empty();
  });
  if (version == versions.end()) {
    return FindOpOf(dialect_, name) ? WhyNotSpelled(op, kind, dialect_) : WhyUnknown(dialect_, name);
  }
  NoteSpelling(**version);
  ImportedOp imported;
  if (std::string why = ImportOp(op, kind, **version, &imported); !why.empty()) return why;
  OpApplication application = {.op = kind, .attributes = imported.attributes, .result = imported.result};
  for (const mlir::Value operand : imported.operands) application.operands.push_back(values_.lookup(operand));
  for (Tensor& tensor : imported.special_operands) application.operands.push_back(Constant(std::move(tensor)));
  values_[op.getResult(0)] = {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size())};
  taken_.insert(&op);
  if (kind == OpKind::kRescale && HasUnsignedTypes(**version)) typed_rescales_.push_back(program_.ops.size());
  program_.ops.push_back(std::move(application));
  return "";
}

}  // namespace

std::vector<ImportedProgram> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect) {
  Importer first(dialect), second(dialect, &first);
  std::vector<ImportedProgram> programs = {{.function = first.Import(function)}};
  ImportedProgram behind = {.is_behind = true};
  if (first.HasMore()) behind.function = second.Import(function);
  const bool has_first = programs.front().function.program.has_value();
  const bool has_behind = behind.function.program.has_value();
  if (!has_first && has_behind) programs.clear();
  if (has_behind || (has_first && first.HasMore())) {
    programs.push_back(std::move(behind));
  }
  for (ImportedProgram& program : programs) {
    const Importer& importer = program.is_behind ? second : first;
    function.walk([&](mlir::Operation* op) {
      const bool is_constant = op->getNumOperands() == 0;
      if (op != function && !is_constant && !importer.HasTaken(op)) program.lines_left_out.insert(LineOf(op->getLoc()));
    });
  }
  for (PlacedOp& op : ElementwiseOpsIn(function)) {
    const bool is_tested = (has_first && first.HasTaken(op.op)) || (has_behind && second.HasTaken(op.op));
    // A function inside this one is imported by itself.
    const bool is_own = op.op->getParentOfType<mlir::func::FuncOp>() == function;
    if (is_own && !is_tested) programs.front().untested.push_back(std::move(op));
  }
  return programs;
}

ImportedFunction ImportWholeFunction(mlir::func::FuncOp function, const DialectInfo& dialect) {
  return Importer(dialect).ImportWhole(function);
}

}  // namespace tosaic
