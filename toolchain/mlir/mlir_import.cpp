// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_import.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "toolchain/mlir/function_import.h"

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

int64_t LineOf(mlir::Location location) {
  const auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place ? place.getLine() : 0;
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

 private:
  static mlir::DialectRegistry RegistryOf(TosaIs tosa) {
    mlir::DialectRegistry registry;
    if (tosa == TosaIs::kKnown) mlir::registerAllDialects(registry);
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    return registry;
  }

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

}  // namespace

void Fields(Visitor& v, ImportedFunction& function) {
  v("name", function.name);
  v("program", function.program);
  v("skipped", function.skipped);
  v("expects_error", function.expects_error);
}

std::vector<ImportedFunction> ImportMlir(absl::string_view text, bool split, const Spelling& spelling) {
  const DialectInfo& dialect = Info(spelling.dialect);
  Parsing known(TosaIs::kKnown), unknown(TosaIs::kUnknown);
  std::vector<ImportedFunction> functions;
  for (absl::string_view part : Parts(text, split)) {
    const int64_t lines_before = std::count(text.data(), part.data(), '\n');
    mlir::OwningOpRef<mlir::ModuleOp> module;
    std::string error;
    if (spelling.to_generic) {
      const absl::StatusOr<std::string> generic = spelling.to_generic(part);
      if (!generic.ok()) error = std::string(generic.status().message());
      module = unknown.Parse(generic.ok() ? *generic : part);
    }
    // What its own tools refuse may be legal to this parser, which verifies nothing.
    if (!module) module = known.Parse(part);
    const std::vector<int64_t> expected = ExpectedErrors(part);
    if (!module) {
      const std::string why = Plainly(error.empty() ? known.Error(lines_before) : error, dialect);
      functions.push_back({absl::StrCat("line ", lines_before + 1), std::nullopt, absl::StrCat("does not parse: ", why),
                           !expected.empty()});
      continue;
    }
    std::vector<std::pair<int64_t, size_t>> starts;  // line and function
    module->walk([&](mlir::func::FuncOp function) {
      ImportedFunction& imported = functions.emplace_back();
      imported.name = absl::StrCat("@", std::string(function.getSymName()));
      imported.program = ImportFunction(function, dialect, &imported.skipped);
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
