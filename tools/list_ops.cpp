// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic list-ops: the catalogue, as a table, JSON or Markdown.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/illegality.h"
#include "model/json.h"
#include "oracle/accuracy.h"
#include "oracle/policy.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

std::string Types(const TypeTuple& tuple) {
  return tuple.input == tuple.result ? std::string(Name(tuple.input))
                                     : absl::StrCat(Name(tuple.input), "->", Name(tuple.result));
}

template <typename T>
std::string Names(absl::Span<const T> values) {
  return absl::StrJoin(values, ", ", [](std::string* out, T value) { absl::StrAppend(out, Name(value)); });
}

// One version of the specification's, of bf16 behind it where that is another.
std::string AccuracyText(const OpInfo& op, SpecVersion version) {
  const Policies policies = {.spec_version = version};
  std::string text = Describe(AccuracyOf(op, ElementType::kF32, policies));
  const std::string of_bf16 = Describe(AccuracyOf(op, ElementType::kBF16, policies));
  return of_bf16 == text ? text : absl::StrCat(text, ", bf16 ", of_bf16);
}

Json ToJson(const OpInfo& op, SpecVersion version) {
  auto text = [](absl::string_view view) { return std::string(view); };
  const std::vector<TypeTuple> tuples = TuplesOf(op, version);
  Json types = Json::array();
  for (const TypeTuple& tuple : tuples) {
    types.push_back(Json{{"input", text(Name(tuple.input))},
                         {"result", text(Name(tuple.result))},
                         {"profile", text(Name(tuple.profile))}});
  }
  Json operands = Json::array(), attributes = Json::array();
  for (OperandRole role : op.operands) operands.push_back(text(Name(role)));
  for (Attribute attribute : op.attributes) attributes.push_back(text(Name(attribute)));
  Json illegal = Json::object();
  for (const Illegality& illegality : AllIllegalities()) {
    const bool fits = absl::c_any_of(
        tuples, [&](const TypeTuple& tuple) { return illegality.applicable(op, tuple.input, tuple.result); });
    if (fits) illegal[text(illegality.name)] = text(Name(illegality.rule));
  }
  Json names = Json::object();
  for (const DialectInfo& dialect : AllDialects()) {
    names[absl::StrCat(dialect.version)] = text(NameIn(op, dialect.dialect));
  }
  return Json{{"op", text(op.name)},
              {"names", names},
              {"operands", operands},
              {"attributes", attributes},
              {"types", types},
              {"accuracy", AccuracyText(op, version)},
              {"unpredictable", text(Describe(op.unpredictable))},
              {"illegal", illegal},
              {"section", text(op.section)}};
}

void PrintOps(ListForm form, SpecVersion version) {
  if (form == ListForm::kJson) {
    Json ops = Json::array();
    for (const OpInfo& op : AllOps()) ops.push_back(ToJson(op, version));
    std::printf("%s\n", Dump(ops, 2).c_str());
    return;
  }
  if (form == ListForm::kMarkdown) {
    std::printf(
        "| op | operands | attributes | element types | accuracy | unpredictable |\n|---|---|---|---|---|---|\n");
  }
  for (const OpInfo& op : AllOps()) {
    const std::string types = absl::StrJoin(
        TuplesOf(op, version), " ", [](std::string* out, const TypeTuple& tuple) { out->append(Types(tuple)); });
    std::string accuracy = AccuracyText(op, version);
    if (form == ListForm::kMarkdown) {
      // A bar would end the table's cell.
      for (size_t at = 0; (at = accuracy.find('|', at)) != std::string::npos; at += 2) accuracy.insert(at, "\\");
      std::printf("| %s | %s | %s | %s | %s | %s |\n", std::string(op.name).c_str(), Names(op.operands).c_str(),
                  Names(op.attributes).c_str(), types.c_str(), accuracy.c_str(),
                  std::string(Describe(op.unpredictable)).c_str());
    } else {
      std::printf("%-24s%-40s%s\n", std::string(op.name).c_str(), accuracy.c_str(), types.c_str());
    }
  }
}

}  // namespace

void AddListOps(CLI::App& app, CommandLine& command_line) {
  auto version = std::make_shared<std::string>(Name(Policies().spec_version));
  AddSpecVersion(AddListing(app, command_line, "list-ops", "the op catalogue",
                            [version](ListForm form) { PrintOps(form, *Find<SpecVersion>(*version)); }),
                 version.get());
}

}  // namespace tosaic
