#include "toolchain/mlir/mlir_import.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

constexpr int64_t kMaxConstantElements = 1 << 16;

uint64_t BitsOf(const llvm::APInt& value) { return value.getZExtValue(); }

std::optional<TensorType> ToTensorType(mlir::Type type) {
  const auto tensor = mlir::dyn_cast<mlir::TensorType>(type);
  if (!tensor) return std::nullopt;
  const std::optional<ElementType> element = FindElementType(tensor.getElementType());
  if (!element) return std::nullopt;
  if (const auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(type); ranked && ranked.getEncoding()) {
    return std::nullopt;
  }
  return TensorType{tensor.hasRank() ? ToShape(tensor.getShape()) : Shape::Unranked(), *element};
}

std::string Spelling(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

std::optional<TypedBits> ToTypedBits(mlir::Attribute attribute) {
  const auto typed = mlir::dyn_cast_or_null<mlir::TypedAttr>(attribute);
  if (!typed) return std::nullopt;
  const std::optional<ElementType> type = FindElementType(typed.getType());
  if (!type) return std::nullopt;
  if (const auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute)) {
    return TypedBits{*type, BitsOf(number.getValue().bitcastToAPInt())};
  }
  if (const auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) {
    return TypedBits{*type, BitsOf(number.getValue())};
  }
  return std::nullopt;
}

// One function at a time.
class Importer {
 public:
  // The program, or why there is none.
  std::optional<Program> Import(mlir::func::FuncOp function, std::string* skipped) {
    if (function.isDeclaration()) return Skip("a declaration", skipped);
    if (!llvm::hasSingleElement(function.getBody())) return Skip("has several blocks", skipped);
    mlir::Block& block = function.getBody().front();
    for (const mlir::BlockArgument argument : block.getArguments()) {
      const std::optional<TensorType> type = ToTensorType(argument.getType());
      if (!type) return Skip(absl::StrCat("an argument is a ", Spelling(argument.getType())), skipped);
      values_[argument] = {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size())};
      program_.arguments.push_back(*type);
    }
    for (mlir::Operation& op : block) {
      if (std::string why = Add(op); !why.empty()) return Skip(why, skipped);
    }
    if (program_.ops.empty()) return Skip("has no elementwise TOSA op", skipped);
    if (program_.results.empty()) {
      program_.results.push_back({ValueRef::Kind::kOp, static_cast<int>(program_.ops.size()) - 1});
    }
    Case alone;
    alone.program = program_;
    if (absl::Status status = CheckWellFormed(alone); !status.ok()) {
      return Skip(std::string(status.message()), skipped);
    }
    return std::move(program_);
  }

 private:
  static std::optional<Program> Skip(std::string why, std::string* skipped) {
    *skipped = std::move(why);
    return std::nullopt;
  }

  // Takes in an op; else says what is in the way.
  std::string Add(mlir::Operation& op) {
    const std::string name = op.getName().getStringRef().str();
    if (name == "func.return") {
      for (mlir::Value value : op.getOperands()) program_.results.push_back(values_.lookup(value));
      return "";
    }
    if (name == "tosa.const" || name == "arith.constant") return AddConstant(op);
    const std::optional<OpKind> kind =
        absl::StartsWith(name, "tosa.") ? FindOp(name) : std::optional<OpKind>(std::nullopt);
    if (!kind) return absl::StrCat("uses ", name);
    if (op.getNumResults() != 1) return absl::StrCat(name, " has not one result");
    OpApplication application;
    application.op = *kind;
    for (mlir::Value operand : op.getOperands()) {
      const auto found = values_.find(operand);
      if (found == values_.end()) return absl::StrCat(name, " uses a value from elsewhere");
      application.operands.push_back(found->second);
    }
    const std::optional<TensorType> result = ToTensorType(op.getResult(0).getType());
    if (!result) return absl::StrCat("the result of ", name, " is a ", Spelling(op.getResult(0).getType()));
    application.result = *result;
    if (std::string why = AddAttributes(op, &application.attributes); !why.empty()) return why;
    values_[op.getResult(0)] = {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size())};
    program_.ops.push_back(std::move(application));
    return "";
  }

  static std::string AddAttributes(mlir::Operation& op, Attributes* attributes) {
    const auto bits = [&](const char* name, std::optional<TypedBits>* to) {
      const mlir::Attribute attribute = op.getAttr(name);
      if (!attribute) return true;
      *to = ToTypedBits(attribute);
      return to->has_value();
    };
    if (!bits("min_val", &attributes->min_val) || !bits("max_val", &attributes->max_val)) {
      return "a bound is no number of a known type";
    }
#if LLVM_VERSION_MAJOR >= 21
    if (const auto mode = op.getAttrOfType<mlir::tosa::NanPropagationModeAttr>("nan_mode")) {
      attributes->nan_mode =
          mode.getValue() == mlir::tosa::NanPropagationMode::IGNORE ? NanMode::kIgnore : NanMode::kPropagate;
    }
#endif
    if (const auto round = op.getAttrOfType<mlir::BoolAttr>("round")) attributes->round = round.getValue();
    return "";
  }

  std::string AddConstant(mlir::Operation& op) {
    const auto elements = mlir::dyn_cast_or_null<mlir::DenseElementsAttr>(
        op.getAttr(op.getName().getStringRef() == "tosa.const" ? "values" : "value"));
    if (!elements) return "a constant is not dense";
    const std::optional<TensorType> type = ToTensorType(elements.getType());
    if (!type || elements.getType() != op.getResult(0).getType()) {
      return absl::StrCat("a constant is a ", Spelling(op.getResult(0).getType()));
    }
    if (elements.getNumElements() > kMaxConstantElements) return "a constant is too large";
    Tensor tensor(type->element_type, elements.getType().getShape().vec());
    size_t at = 0;
    if (IsFloat(type->element_type)) {
      for (const llvm::APFloat& value : elements.getValues<llvm::APFloat>()) {
        tensor.SetBits(at++, BitsOf(value.bitcastToAPInt()));
      }
    } else {
      for (const llvm::APInt& value : elements.getValues<llvm::APInt>()) tensor.SetBits(at++, BitsOf(value));
    }
    values_[op.getResult(0)] = {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size())};
    program_.constants.push_back(std::move(tensor));
    return "";
  }

  Program program_;
  llvm::DenseMap<mlir::Value, ValueRef> values_;
};

// Lines, from 1, that annotations for -verify-diagnostics speak of: `expected-error@+2 {{...}}`.
std::vector<int64_t> ExpectedErrors(absl::string_view text) {
  std::vector<int64_t> lines;
  int64_t line = 0;
  for (absl::string_view rest : absl::StrSplit(text, '\n')) {
    ++line;
    const size_t at = rest.find("expected-error");
    if (at == rest.npos) continue;
    rest.remove_prefix(at + absl::string_view("expected-error").size());
    absl::ConsumePrefix(&rest, "-re");
    rest = absl::StripLeadingAsciiWhitespace(rest);
    int64_t offset = 0;
    if (absl::ConsumePrefix(&rest, "@")) {
      const size_t end = rest.find_first_not_of("+-0123456789");
      if (absl::StartsWith(rest, "below")) {
        offset = 1;
      } else if (absl::StartsWith(rest, "above")) {
        offset = -1;
      } else if (!absl::SimpleAtoi(rest.substr(0, end), &offset)) {
        offset = 0;
      }
    }
    lines.push_back(line + offset);
  }
  return lines;
}

std::vector<absl::string_view> Parts(absl::string_view text, bool split) {
  if (!split) return {text};
  std::vector<absl::string_view> parts;
  size_t begin = 0;
  for (size_t at = text.find("// -----"); at != text.npos; at = text.find("// -----", at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

int64_t LineOf(mlir::Location location) {
  const auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place ? place.getLine() : 0;
}

}  // namespace

void Fields(Visitor& v, ImportedFunction& function) {
  v("name", function.name);
  v("program", function.program);
  v("skipped", function.skipped);
  v("expects_error", function.expects_error);
}

std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::vector<ImportedFunction> functions;
  for (absl::string_view part : Parts(text, split)) {
    const int64_t lines_before = std::count(text.data(), part.data(), '\n');
    std::string error;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
      if (error.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        error = absl::StrCat("line ", lines_before + LineOf(diagnostic.getLocation()), ": ", diagnostic.str());
    });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(part.data(), part.size()),
                                                          mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
    const std::vector<int64_t> expected = ExpectedErrors(part);
    if (!module) {
      functions.push_back({absl::StrCat("line ", lines_before + 1), std::nullopt,
                           absl::StrCat("does not parse: ", error), !expected.empty()});
      continue;
    }
    std::vector<std::pair<int64_t, size_t>> starts;  // line and function
    module->walk([&](mlir::func::FuncOp function) {
      ImportedFunction& imported = functions.emplace_back();
      imported.name = absl::StrCat("@", std::string(function.getSymName()));
      imported.program = Importer().Import(function, &imported.skipped);
      starts.emplace_back(LineOf(function.getLoc()), functions.size() - 1);
    });
    for (const int64_t line : expected) {
      const auto after = std::upper_bound(starts.begin(), starts.end(), std::pair(line, SIZE_MAX));
      if (after != starts.begin()) functions[std::prev(after)->second].expects_error = true;
    }
  }
  return functions;
}

}  // namespace tosaic
