// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/checking/known_divergences.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "campaign/checking/files.h"
#include "codec/codec.h"
#include "model/json.h"

namespace tosaic {
namespace {

// Whether the version "22.1.8" is what an entry says: "22", "22.1", "19+".
bool IsVersion(absl::string_view said, absl::string_view version) {
  int first = 0, major = 0;
  if (absl::ConsumeSuffix(&said, "+")) {
    return absl::SimpleAtoi(said, &first) && absl::SimpleAtoi(version.substr(0, version.find('.')), &major) &&
           major >= first;
  }
  return version == said || absl::StartsWith(version, absl::StrCat(said, "."));
}

// A text as IsVersion reads it.
bool SaysVersion(const Json& json) {
  if (!json.is_string()) return false;
  const std::vector<std::string> numbers =
      absl::StrSplit(absl::StripSuffix(json.get_ref<const std::string&>(), "+"), '.');
  const bool is_open = absl::EndsWith(json.get_ref<const std::string&>(), "+");
  return (!is_open || numbers.size() == 1) && absl::c_all_of(numbers, [](const std::string& number) {
           int ignored = 0;
           return absl::SimpleAtoi(number, &ignored);
         });
}

// What a pattern for a whole text names at the place of an op, of element types and of a route.
SignaturePattern PartsNamedIn(absl::string_view text) {
  SignaturePattern parts;
  for (const absl::string_view part : absl::StrSplit(text, '/')) {
    if (IsSignedOp(part)) parts.op = std::string(part);
    if (AreSignedTypes(part)) parts.types = std::string(part);
    if (FindRoute(part) != nullptr || part == kCustomRoute) parts.route = std::string(part);
  }
  return parts;
}

// The same finding as earlier versions named it: without the pattern of its ops, and with kinds of its own for a zero.
std::vector<FindingSignature> NamesOverTime(const FindingSignature& found) {
  std::vector<FindingSignature> names = {found};
  if (!found.ops.empty()) {
    names.push_back(found);
    names.back().ops.clear();
  }
  if (found.detail != kNumberForNumber) return names;
  const std::vector<FindingSignature> of_today = names;
  for (FindingSignature name : of_today) {
    for (const char* detail : {"zero-for-number", "number-for-zero"}) {
      name.detail = detail;
      names.push_back(name);
    }
  }
  return names;
}

// Whether one of the patterns, if there are any, describes one of the texts.
bool AreMet(const std::vector<std::string>& patterns, const std::vector<std::string>& texts) {
  return patterns.empty() || absl::c_any_of(patterns, [&](const std::string& pattern) {
           return absl::c_any_of(texts, [&](const std::string& text) { return MatchesGlob(pattern, text); });
         });
}

// What an entry is about: a pattern for the whole text, or one for each part.
absl::Status ReadSignature(const Json& json, KnownDivergences::Entry* entry) {
  if (!json.is_object()) {
    entry->signature = json.get<std::string>();
    entry->parts = PartsNamedIn(entry->signature);
    return absl::OkStatus();
  }
  absl::StatusOr<SignaturePattern> parts = FromJson<SignaturePattern>(json);
  if (!parts.ok()) return absl::InvalidArgumentError(absl::StrCat("\"signature\": ", parts.status().message()));
  entry->signature = ToString(*parts);
  entry->has_parts = true;
  entry->parts = *std::move(parts);
  return absl::OkStatus();
}

bool IsListOfTexts(const Json& json) {
  return json.is_array() && !json.empty() && absl::c_all_of(json, [](const Json& one) { return one.is_string(); });
}

absl::StatusOr<KnownDivergences::Entry> ReadEntry(const Json& json) {
  const auto has_text = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() &&
           !json[key].get_ref<const std::string&>().empty();
  };
  const bool has_parts = json.is_object() && json.contains("signature") && json["signature"].is_object();
  for (const char* key : {"signature", "reason"}) {
    if (has_text(key) || (has_parts && absl::string_view(key) == "signature")) continue;
    return absl::InvalidArgumentError(absl::StrCat("a text \"", key, "\" is needed"));
  }
  if (json.contains("cause") && !json["cause"].is_string()) {
    return absl::InvalidArgumentError("\"cause\" must be a text");
  }
  KnownDivergences::Entry entry;
  if (absl::Status status = ReadSignature(json["signature"], &entry); !status.ok()) return status;
  entry.cause = json.value("cause", entry.signature);
  entry.reason = json["reason"].get<std::string>();
  for (const auto& [key, texts] : {std::pair("ops", &entry.ops), {"passes", &entry.passes}, {"cases", &entry.cases}}) {
    if (!json.contains(key)) continue;
    if (!IsListOfTexts(json[key]))
      return absl::InvalidArgumentError(absl::StrCat("\"", key, "\" must be a list of texts"));
    *texts = json[key].get<std::vector<std::string>>();
  }
  if (!json.contains("versions")) return entry;
  const Json& versions = json["versions"];
  if (!versions.is_array() || versions.empty() || !absl::c_all_of(versions, SaysVersion)) {
    return absl::InvalidArgumentError("\"versions\" must be a list of texts such as \"22.1\" or \"22+\"");
  }
  entry.versions = versions.get<std::vector<std::string>>();
  return entry;
}

}  // namespace

absl::StatusOr<KnownDivergences> KnownDivergences::FromText(absl::string_view text) {
  absl::StatusOr<Json> parsed = ParseJson(text);
  if (!parsed.ok()) return parsed.status();
  const Json& json = *parsed;
  if (!json.is_object() || !json.contains("known") || !json["known"].is_array()) {
    return absl::InvalidArgumentError("it must be an object with an array \"known\"");
  }
  KnownDivergences result;
  for (size_t i = 0; i < json["known"].size(); ++i) {
    absl::StatusOr<Entry> entry = ReadEntry(json["known"][i]);
    if (!entry.ok()) return absl::InvalidArgumentError(absl::StrCat("known[", i, "]: ", entry.status().message()));
    result.entries_.push_back(*std::move(entry));
  }
  return result;
}

absl::StatusOr<KnownDivergences> KnownDivergences::FromFile(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  absl::StatusOr<KnownDivergences> known = FromText(*text);
  if (!known.ok()) return absl::Status(known.status().code(), absl::StrCat(path, ": ", known.status().message()));
  return known;
}

KnownDivergences KnownDivergences::ForVersion(absl::string_view version) const {
  absl::ConsumePrefix(&version, "LLVM ");
  KnownDivergences result;
  for (const Entry& entry : entries_) {
    const bool applies = entry.versions.empty() ||
                         absl::c_any_of(entry.versions, [&](absl::string_view one) { return IsVersion(one, version); });
    if (applies) result.entries_.push_back(entry);
  }
  return result;
}

bool KnownDivergences::Entry::Matches(const FindingSignature& found, const Circumstances& circumstances) const {
  if (!AreMet(ops, circumstances.ops) || !AreMet(passes, circumstances.passes)) return false;
  return absl::c_any_of(NamesOverTime(found), [&](const FindingSignature& name) {
    return has_parts ? parts.Matches(name) : MatchesGlob(signature, ToString(name));
  });
}

bool KnownDivergences::Entry::MayBeShownBy(absl::string_view op, absl::string_view types,
                                           absl::string_view route) const {
  return MatchesGlob(parts.op, std::string(op)) && MatchesGlob(parts.route, std::string(route)) &&
         (parts.types == kBeyondSpecTypes || MatchesGlob(parts.types, std::string(types)));
}

const KnownDivergences::Entry* KnownDivergences::Find(const FindingSignature& signature,
                                                      const Circumstances& circumstances) const {
  const auto found =
      absl::c_find_if(entries_, [&](const Entry& entry) { return entry.Matches(signature, circumstances); });
  return found == entries_.end() ? nullptr : &*found;
}

const KnownDivergences::Entry* KnownDivergences::Find(const FindingSignature& signature, const Case* test_case,
                                                      const Toolchain& toolchain) const {
  if (test_case == nullptr) return Find(signature, Circumstances());
  return Find(signature, CircumstancesOf(signature, *test_case, toolchain.description().PipelineOf(test_case->route)));
}

}  // namespace tosaic
