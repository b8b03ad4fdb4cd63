// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_import.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "model/counted.h"
#include "model/first_of.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/foreign_ops.h"
#include "toolchain/mlir/function_import.h"
#include "toolchain/mlir/mlir_scanner.h"
#include "toolchain/mlir/older_text.h"
#include "toolchain/mlir/placed_ops.h"

namespace tosaic {
namespace {

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

// How a part of a file is parsed. TOSA unknown: its ops in generic form, of whatever version.
enum class TosaIs : uint8_t { kKnown, kUnknown };

class Parsing {
 public:
  explicit Parsing(TosaIs tosa) : context_(RegistryOf(tosa), mlir::MLIRContext::Threading::DISABLED) {
    context_.allowUnregisteredDialects();
  }

  // Null if it does not parse: then error() says why.
  mlir::OwningOpRef<mlir::ModuleOp> Parse(absl::string_view text) {
    error_.clear();
    mlir::ScopedDiagnosticHandler handler(&context_, [&](mlir::Diagnostic& diagnostic) {
      if (!error_.empty() || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) return;
      line_ = LineOf(diagnostic.getLocation());
      error_ = diagnostic.str();
    });
    return mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()),
                                                   mlir::ParserConfig(&context_, /*verifyAfterParse=*/false));
  }
  std::string Error(int64_t lines_before) const { return absl::StrCat("line ", lines_before + line_, ": ", error_); }

  static mlir::DialectRegistry RegistryOf(TosaIs tosa) {
    mlir::DialectRegistry registry;
    if (tosa == TosaIs::kKnown) mlir::registerAllDialects(registry);
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    return registry;
  }

 private:
  mlir::MLIRContext context_;
  std::string error_;
  int64_t line_ = 0;
};

// A parser's error; where that is an op's name, what the name means.
std::string Plainly(absl::string_view error, const DialectInfo& dialect) {
  constexpr absl::string_view kOp = "custom op '";
  const size_t at = error.find(kOp);
  if (at == error.npos) return std::string(error);
  const absl::string_view before = error.substr(0, error.find(": ") + 2), rest = error.substr(at + kOp.size());
  const absl::string_view name = rest.substr(0, rest.find('\''));
  const bool is_unknown = absl::StartsWith(rest.substr(name.size()), "' is unknown") ||
                          absl::StrContains(error.substr(0, at), "not found for");
  if (!is_unknown) return std::string(error);
  const std::string why = WhyUnknown(dialect, name);
  return absl::StrCat(
      before, why,
      absl::StrContains(why, "spells it") ? "" : absl::StrCat(", which MLIR ", dialect.version, " does not know"));
}

// The function that begins at this line, from 1, of a text: "@f". Empty if there is none, or it is not named so.
std::string FunctionAt(absl::string_view text, int64_t line) {
  while (--line > 0) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = absl::StripLeadingAsciiWhitespace(text);
  const size_t name = text.find('@');
  if (!absl::StartsWith(text, "func.func ") || name == text.npos || name > text.find('(')) return "";
  const size_t end = WordEnd(text, name + 1);
  return end == name + 1 ? "" : std::string(text.substr(name, end - name));
}

// Whether the parser can have an op of this name, in one of these dialects; an op of another version it does not have.
bool CanBeKnown(absl::string_view op, const std::vector<std::string>& dialects) {
  if (FindOpOfAny(op)) return FindOpOf(Info(NearestDialect(LLVM_VERSION_MAJOR)), op).has_value();
  const absl::string_view dialect = op.substr(0, op.find('.'));
  return dialect == "builtin" || absl::c_linear_search(dialects, dialect);
}

// The op around `placed` that takes the place of a func.func: the outermost one that is no module; without any, the
// module.
mlir::Operation* HolderOf(const PlacedOp& placed) {
  const auto is_module = [](mlir::Operation* op) { return op == nullptr || mlir::isa<mlir::ModuleOp>(op); };
  mlir::Operation* op = placed.op;
  if (placed.within.empty()) return op->getParentOp();
  while (!is_module(op->getParentOp())) op = op->getParentOp();
  return op;
}

class FileImport {
 public:
  explicit FileImport(const Spelling& spelling) : spelling_(spelling) {}

  std::vector<ImportedFunction> Import(absl::string_view text, bool split) {
    for (absl::string_view part : Parts(text, split)) AddPart(part, std::count(text.data(), part.data(), '\n'));
    return std::move(functions_);
  }

  absl::StatusOr<Program> ReadWhole(absl::string_view text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = Parse(Readable(text), 0);
    if (!module) return absl::InvalidArgumentError(error_);
    std::vector<mlir::func::FuncOp> functions;
    module->walk([&](mlir::func::FuncOp function) { functions.push_back(function); });
    if (functions.size() != 1) return absl::InvalidArgumentError("it has not one function");
    ImportedFunction read = ImportWholeFunction(functions.front(), Info(spelling_.dialect));
    if (!read.program) return absl::InvalidArgumentError(read.skipped);
    return *std::move(read.program);
  }

 private:
  std::string Readable(absl::string_view text) const {
    return PropertiesAsAttributes(
        InGenericForm(ClausesAsAttributes(text), [this](absl::string_view op) { return CanBeKnown(op, dialects_); }));
  }

  void AddPart(absl::string_view part, int64_t lines_before) {
    const std::string readable = Readable(part);
    const std::vector<int64_t> expected = ExpectedErrors(part);
    starts_.clear(), lines_left_out_.clear();
    if (mlir::OwningOpRef<mlir::ModuleOp> module = Parse(readable, lines_before)) {
      AddFunctions(*module, lines_before);
    } else {
      AddThoseThatParse(readable, lines_before, !expected.empty());
    }
    for (const int64_t line : expected) {
      const auto after = std::upper_bound(starts_.begin(), starts_.end(), std::pair(line, SIZE_MAX));
      if (after == starts_.begin()) continue;
      const size_t first = std::prev(after)->second;
      // An error that is expected of an op which the case does not have is not expected of the case.
      const auto expect = [&](size_t function) {
        if (!lines_left_out_[function].contains(line)) functions_[function].expects_error = true;
      };
      expect(first);
      const bool has_more =
          first + 1 < functions_.size() && functions_[first + 1].name == absl::StrCat(functions_[first].name, kBehind);
      if (has_more) expect(first + 1);
    }
  }

  // Each op alone says whether it parses. Those that do are read together, because a function may call another.
  void AddThoseThatParse(const std::string& text, int64_t lines_before, bool expects_error) {
    const std::vector<std::pair<std::string, int>> ops = OpsAlone(text);
    if (ops.empty()) return AddUnreadable("", lines_before + 1, expects_error);
    std::string together(text.size(), ' ');
    std::vector<std::string> errors;  // by op; empty where it parses
    for (const auto& [alone, line] : ops) {
      const bool parses = ops.size() > 1 && Parse(alone, lines_before);
      errors.push_back(parses ? "" : error_);
      for (size_t i = 0; parses && i < alone.size(); ++i) {
        if (alone[i] != ' ') together[i] = alone[i];
      }
    }
    // A context keeps the names of resources that it has met, and gives others for them.
    known_.emplace(TosaIs::kKnown);
    mlir::OwningOpRef<mlir::ModuleOp> all = Parse(together, lines_before);
    const auto readable = absl::c_count(errors, "");
    const bool are_together = all && std::distance(all->getBody()->begin(), all->getBody()->end()) == readable;
    mlir::Block::iterator next = are_together ? all->getBody()->begin() : mlir::Block::iterator();
    for (size_t i = 0; i < ops.size(); ++i) {
      const auto& [alone, line] = ops[i];
      error_ = errors[i];
      if (!errors[i].empty()) {
        AddUnreadable(FunctionAt(alone, line), lines_before + line, expects_error);
      } else if (are_together) {
        AddFunctions(&*next++, lines_before);
      } else {
        AddFunctions(*Parse(alone, lines_before), lines_before);
      }
    }
  }

  // Null if it does not parse: then error_ says why.
  mlir::OwningOpRef<mlir::ModuleOp> Parse(absl::string_view text, int64_t lines_before) {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    error_.clear();
    const std::string own = BlockConstantsAsStrings(text);
    // MLIR would round such a constant's scales, and read the NaN that it prints as another (docs/findings.md).
    if (spelling_.to_generic && own == text) {
      const absl::StatusOr<std::string> generic = spelling_.to_generic(text);
      if (!generic.ok()) error_ = std::string(generic.status().message());
      module = unknown_.Parse(generic.ok() ? *generic : text);
    }
    // Text that a version's own tools refuse may be legal to this parser, which verifies nothing.
    if (!module) module = known_->Parse(NewTypesAsOpaque(QuotedNamesAsEnums(OldAttributesAsStrings(own))));
    if (!module && error_.empty()) error_ = known_->Error(lines_before);
    return module;
  }

  void AddFunctions(mlir::Operation* root, int64_t lines_before) {
    root->walk([&](mlir::func::FuncOp function) {
      starts_.emplace_back(LineOf(function.getLoc()), functions_.size());
      for (ImportedProgram& program : ImportFunction(function, Info(spelling_.dialect))) {
        ImportedFunction& imported = program.function;
        imported.name = absl::StrCat("@", std::string(function.getSymName()), program.is_behind ? kBehind : "");
        for (const PlacedOp& op : program.untested) imported.untested.push_back(InWords(op, lines_before));
        lines_left_out_[functions_.size()] = std::move(program.lines_left_out);
        functions_.push_back(std::move(imported));
      }
    });
    AddOutside(root, lines_before);
  }

  // Adds what has elementwise ops and is no func.func: no case is made of it, which a user has to know.
  void AddOutside(mlir::Operation* root, int64_t lines_before) {
    std::vector<std::pair<mlir::Operation*, std::vector<PlacedOp>>> by_holder;  // in order
    for (PlacedOp& op : ElementwiseOpsIn(root)) {
      if (op.op->getParentOfType<mlir::func::FuncOp>()) continue;
      mlir::Operation* holder = HolderOf(op);
      auto there = absl::c_find_if(by_holder, [&](const auto& other) { return other.first == holder; });
      if (there == by_holder.end()) there = by_holder.insert(by_holder.end(), {holder, {}});
      there->second.push_back(std::move(op));
    }
    for (const auto& [holder, ops] : by_holder) {
      const bool is_module = mlir::isa<mlir::ModuleOp>(holder);
      const auto symbol = holder->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
      const int64_t line = lines_before + (is_module ? ops.front().line : LineOf(holder->getLoc()));
      std::vector<std::string> words;
      for (const PlacedOp& op : ops) words.push_back(InWords(op, lines_before));
      functions_.push_back({.name = symbol && !is_module ? absl::StrCat("@", std::string(symbol.getValue()))
                                                         : absl::StrCat("line ", line),
                            .skipped = "elementwise ops outside of any func.func",
                            .untested = std::move(words)});
    }
  }

  // Adds what begins at this line and does not parse. Without a name of its own it is called by the line, which the
  // reason then need not say again.
  void AddUnreadable(const std::string& function, int64_t line, bool expects_error) {
    const std::string place = absl::StrCat("line ", line), why = Plainly(error_, Info(spelling_.dialect));
    const absl::string_view reason = function.empty() ? absl::StripPrefix(why, absl::StrCat(place, ": ")) : why;
    functions_.push_back({.name = function.empty() ? place : function,
                          .skipped = absl::StrCat("does not parse: ", reason),
                          .expects_error = expects_error});
  }

  const Spelling& spelling_;
  std::optional<Parsing> known_{std::in_place, TosaIs::kKnown};
  Parsing unknown_{TosaIs::kUnknown};
  std::vector<std::string> dialects_ = [] {
    std::vector<std::string> names;
    const mlir::DialectRegistry registry = Parsing::RegistryOf(TosaIs::kKnown);
    for (const llvm::StringRef name : registry.getDialectNames()) names.push_back(name.str());
    return names;
  }();
  std::string error_;
  std::vector<std::pair<int64_t, size_t>> starts_;      // line and function, of the part
  std::map<size_t, std::set<int64_t>> lines_left_out_;  // by function, of the part
  std::vector<ImportedFunction> functions_;
};

}  // namespace

void Fields(Visitor& v, ImportedFunction& function) {
  v("name", function.name);
  v("program", function.program);
  v("skipped", function.skipped);
  v("data", function.data);
  v("part", function.part);
  v("has_other_results", function.has_other_results);
  v("spelled", function.spelled);
  v("untested", function.untested);
  v("expects_error", function.expects_error);
}

std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split, const Spelling& spelling) {
  return FileImport(spelling).Import(text, split);
}

absl::StatusOr<Program> ReadWholeFunction(absl::string_view text, const Spelling& spelling) {
  return FileImport(spelling).ReadWhole(text);
}

}  // namespace tosaic
