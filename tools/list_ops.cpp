// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic list-ops: the catalogue, as a table, JSON or Markdown.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "codec/codec.h"
#include "generators/illegality.h"
#include "model/json.h"
#include "oracle/accuracy.h"
#include "oracle/policy.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

std::string Types(const TypeTuple& tuple) {
  return tuple.input == tuple.result ? std::string(Name(tuple.input))
                                     : absl::StrCat(Name(tuple.input), "->", Name(tuple.result));
}

template <typename T>
std::vector<std::string> Names(absl::Span<const T> values) {
  std::vector<std::string> names;
  for (const T value : values) names.emplace_back(Name(value));
  return names;
}

// The accuracy in one version of the specification; that of bf16 stands behind it if it is another.
std::string AccuracyText(const OpInfo& op, SpecVersion version) {
  const Policies policies = {.spec_version = version};
  std::string text = Describe(AccuracyOf(op, ElementType::kF32, policies));
  const std::string of_bf16 = Describe(AccuracyOf(op, ElementType::kBF16, policies));
  return of_bf16 == text ? text : absl::StrCat(text, ", bf16 ", of_bf16);
}

using TextByName = nlohmann::ordered_map<std::string, std::string>;

TextByName NamesByVersion(const OpInfo& op) {
  TextByName names;
  for (const DialectInfo& dialect : AllDialects()) {
    names[absl::StrCat(dialect.version)] = std::string(NameIn(op, dialect.dialect));
  }
  return names;
}

TextByName IllegalitiesOf(const OpInfo& op, const std::vector<TypeTuple>& tuples) {
  TextByName illegal;
  for (const Illegality& illegality : AllIllegalities()) {
    const bool fits = absl::c_any_of(
        tuples, [&](const TypeTuple& tuple) { return illegality.applicable(op, tuple.input, tuple.result); });
    if (fits) illegal[std::string(illegality.name)] = std::string(Name(illegality.rule));
  }
  return illegal;
}

}  // namespace

void Fields(Visitor& v, TypeTuple& tuple) {
  v("input", tuple.input);
  v("result", tuple.result);
  v.Derived("profile", std::string(Name(tuple.profile)));
}

namespace {

// An op in a version of the specification.
struct ListedOp {
  const OpInfo* op = AllOps().data();
  SpecVersion version = Policies().spec_version;
};

void Fields(Visitor& v, ListedOp& listed) {
  const OpInfo& op = *listed.op;
  const std::vector<TypeTuple> tuples = TuplesOf(op, listed.version);
  v.Derived("op", std::string(op.name));
  v.Derived("names", NamesByVersion(op), "its name in each version of MLIR; empty where it does not exist");
  v.Derived("operands", Names(op.operands), "their roles");
  v.Derived("attributes", Names(op.attributes));
  v.Derived("types", tuples, "the specification's tuples");
  v.Derived("accuracy", AccuracyText(op, listed.version));
  v.Derived("unpredictable", std::string(Describe(op.unpredictable)));
  v.Derived("illegal", IllegalitiesOf(op, tuples), "what a generator can make illegal, and the rules that it breaks");
  v.Derived("section", std::string(op.section), "of the specification");
}

void PrintOps(ListForm form, SpecVersion version) {
  if (form == ListForm::kJson) {
    std::vector<ListedOp> ops;
    for (const OpInfo& op : AllOps()) ops.push_back({&op, version});
    std::printf("%s\n", Dump(ToJson(ops), 2).c_str());
    return;
  }
  if (form == ListForm::kMarkdown) {
    std::printf(
        "| op | operands | attributes | element types | accuracy | unpredictable |\n|---|---|---|---|---|---|\n");
  }
  for (const OpInfo& op : AllOps()) {
    const std::string types = absl::StrJoin(
        TuplesOf(op, version), " ", [](std::string* out, const TypeTuple& tuple) { out->append(Types(tuple)); });
    const std::string accuracy = AccuracyText(op, version);
    if (form == ListForm::kMarkdown) {
      // A bar would end the table's cell.
      const auto cell = [](absl::string_view text) { return absl::StrReplaceAll(text, {{"|", "\\|"}}); };
      std::printf("| %s | %s | %s | %s | %s | %s |\n", std::string(op.name).c_str(),
                  absl::StrJoin(Names(op.operands), ", ").c_str(), absl::StrJoin(Names(op.attributes), ", ").c_str(),
                  types.c_str(), cell(accuracy).c_str(), cell(Describe(op.unpredictable)).c_str());
    } else {
      std::printf("%-24s%-48s%s\n", std::string(op.name).c_str(), accuracy.c_str(), types.c_str());
    }
  }
}

}  // namespace

Json SchemaOfListOps() { return Schema<ListedOp>(); }

void AddListOps(CLI::App& app, CommandLine& command_line) {
  auto version = std::make_shared<std::string>(Name(Policies().spec_version));
  AddSpecVersion(AddListing(app, command_line, "list-ops", "print the op catalogue",
                            [version](ListForm form) { PrintOps(form, *Find<SpecVersion>(*version)); }),
                 version.get());
}

}  // namespace tosaic
