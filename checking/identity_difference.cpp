// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/identity_difference.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace tosaic {
namespace {

constexpr size_t kMostRoutesNamed = 3;
constexpr char kPipelines[] = "pass pipelines";

// The statements of an identity, each a name and its text, in the order in which people ask.
using Said = std::vector<std::pair<std::string, std::string>>;

std::string TextOf(const Json& value) { return value.is_string() ? value.get<std::string>() : Dump(value, -1); }

void AddAskedFor(const Json& identity, Said* statements) {
  const Json asked = identity.value("asked_for", Json::object());
  for (const auto& [key, value] : asked.items()) {
    std::vector<std::string> texts;
    for (const Json& entry : value.is_array() ? value : Json::array({value})) texts.push_back(TextOf(entry));
    statements->emplace_back(absl::StrReplaceAll(key, {{"_", " "}}), texts.empty() ? "all" : absl::StrJoin(texts, ","));
  }
}

std::string RoutesOf(const Json& identity) {
  std::vector<std::string> names;
  for (const Json& route : identity.value("routes", Json::array())) {
    names.push_back(route.is_array() && !route.empty() ? TextOf(route[0]) : TextOf(route));
  }
  if (names.empty()) return "none";
  return names.size() > kMostRoutesNamed ? absl::StrCat(names.size()) : absl::StrJoin(names, ",");
}

// Pipelines are long: that they differ is enough.
void AddVersions(const Json& identity, Said* statements) {
  std::string pipelines;
  Json versions = identity.value("versions", Json::object());
  if (!versions.is_object()) versions = Json::object();
  for (const auto& [key, value] : versions.items()) {
    if (absl::StrContains(key, "pipeline")) {
      absl::StrAppend(&pipelines, Dump(value, -1));
    } else {
      statements->emplace_back(absl::StrReplaceAll(key, {{"_", " "}}), TextOf(value));
    }
  }
  statements->emplace_back(kPipelines, pipelines);
}

// `with_asked_for`: both say what was asked for, which journals of before do not.
Said SaidBy(const Json& identity, bool with_asked_for) {
  Said statements;
  for (const char* key : {"list", "seed", "shard", "shards"}) {
    if (identity.contains(key)) statements.emplace_back(key, TextOf(identity[key]));
  }
  if (with_asked_for) AddAskedFor(identity, &statements);
  statements.emplace_back("routes", RoutesOf(identity));
  AddVersions(identity, &statements);
  return statements;
}

}  // namespace

std::string DifferenceInWords(const Json& there, const Json& asked_for) {
  const bool both_say = there.contains("asked_for") && asked_for.contains("asked_for");
  const Said statements = SaidBy(asked_for, both_say), said_there = SaidBy(there, both_say);
  const std::map<std::string, std::string> asked(statements.begin(), statements.end()),
      found(said_there.begin(), said_there.end());
  Said all = statements;
  all.insert(all.end(), said_there.begin(), said_there.end());
  std::set<std::string> told;
  std::vector<std::string> differences;
  for (const auto& [name, text] : all) {
    const auto one = found.find(name), other = asked.find(name);
    const std::string text_there = one == found.end() ? "unset" : one->second;
    const std::string text_asked = other == asked.end() ? "unset" : other->second;
    if (text_there == text_asked || !told.insert(name).second) continue;
    if (name != kPipelines) {
      differences.push_back(absl::StrCat(name, " ", text_there, ", not ", text_asked));
    } else if (!told.contains("routes")) {
      differences.push_back(absl::StrCat("other ", name));
    }
  }
  return differences.empty() ? "other options" : absl::StrJoin(differences, "; ");
}

}  // namespace tosaic
