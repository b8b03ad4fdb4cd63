// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/identity_difference.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace tosaic {
namespace {

constexpr size_t kMostRoutesNamed = 3;
constexpr char kPipelines[] = "pass pipelines";

// What an identity says, a name each with its text, in the order in which people ask.
using Said = std::vector<std::pair<std::string, std::string>>;

std::string TextOf(const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : Dump(value, -1);
  return text.empty() ? "all" : text;
}

// "--ops" of "ops= types=f32 runs=8" is all of them.
void AddWords(const Json& identity, const char* key, Said* said) {
  for (const absl::string_view word : absl::StrSplit(TextOf(identity.value(key, Json(""))), ' ', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> pair = absl::StrSplit(word, absl::MaxSplits('=', 1));
    said->emplace_back(absl::StrReplaceAll(pair.first, {{"_", " "}}), pair.second.empty() ? "all" : pair.second);
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
void AddVersions(const Json& identity, Said* said) {
  std::string pipelines;
  Json versions = identity.value("versions", Json::object());
  if (!versions.is_object()) versions = Json::object();
  for (const auto& [key, value] : versions.items()) {
    if (absl::StrContains(key, "pipeline")) {
      absl::StrAppend(&pipelines, Dump(value, -1));
    } else {
      said->emplace_back(absl::StrReplaceAll(key, {{"_", " "}}), TextOf(value));
    }
  }
  said->emplace_back(kPipelines, pipelines);
}

Said SaidBy(const Json& identity) {
  Said said;
  for (const char* key : {"list", "seed", "shard", "shards"}) {
    if (identity.contains(key)) said.emplace_back(key, TextOf(identity[key]));
  }
  AddWords(identity, "generator", &said);
  said.emplace_back("routes", RoutesOf(identity));
  AddWords(identity, "policies", &said);
  AddVersions(identity, &said);
  return said;
}

}  // namespace

std::string DifferenceInWords(const Json& there, const Json& asked_for) {
  const Said said = SaidBy(asked_for), said_there = SaidBy(there);
  const std::map<std::string, std::string> asked(said.begin(), said.end()), found(said_there.begin(), said_there.end());
  Said all = said;
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
