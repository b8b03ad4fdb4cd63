// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/identity_difference.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

constexpr size_t kMostRoutesNamed = 3;
constexpr char kPipelines[] = "pass pipelines";

std::string TextOf(const Json& value) {
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : Dump(value, -1);
  std::vector<std::string> texts;
  for (const Json& entry : value) texts.push_back(TextOf(entry));
  return texts.empty() ? "all" : absl::StrJoin(texts, ",");
}

std::string RoutesText(const std::vector<std::string>& routes) {
  if (routes.empty()) return "none";
  return routes.size() > kMostRoutesNamed ? absl::StrCat(routes.size()) : absl::StrJoin(routes, ",");
}

// What it says by names, in the order in which people ask. `with_asked_for`: both say it.
Json SaidBy(const IdentityFacts& facts, bool with_asked_for) {
  Json said = facts.cases;
  if (with_asked_for) said.update(facts.asked_for);
  said["routes"] = RoutesText(facts.routes);
  Provenance versions = facts.versions;
  Json pipelines = {std::exchange(versions.pipeline, ""), std::exchange(versions.other_pipelines, {})};
  said.update(ToJson(versions));
  said[kPipelines] = std::move(pipelines);
  return said;
}

// What no journal says, and what one of before lacks, is empty.
std::string TextAt(const Json& said, const std::string& name) {
  const std::string text = TextOf(said.value(name, Json("")));
  return text.empty() ? "unset" : text;
}

}  // namespace

std::string DifferenceInWords(const IdentityFacts& there, const IdentityFacts& asked_for) {
  const bool both_say = !there.asked_for.is_null() && !asked_for.asked_for.is_null();
  const Json found = SaidBy(there, both_say), asked = SaidBy(asked_for, both_say);
  Json all = asked;
  all.update(found);
  std::vector<std::string> differences;
  for (const auto& [name, value] : all.items()) {
    const std::string text_there = TextAt(found, name), text_asked = TextAt(asked, name);
    if (text_there == text_asked) continue;
    if (name != kPipelines) {
      const std::string words = absl::StrReplaceAll(name, {{"_", " "}});
      differences.push_back(absl::StrCat(words, " ", text_there, ", not ", text_asked));
    } else if (found["routes"] == asked["routes"]) {  // pipelines are long: that they differ is enough
      differences.push_back(absl::StrCat("other ", name));
    }
  }
  return differences.empty() ? "other options" : absl::StrJoin(differences, "; ");
}

}  // namespace tosaic
