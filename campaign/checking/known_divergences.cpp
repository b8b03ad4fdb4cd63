#include "campaign/checking/known_divergences.h"

#include <fnmatch.h>

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
#include "campaign/checking/signature.h"
#include "model/element_type.h"
#include "model/json.h"
#include "model/op_catalogue.h"
#include "model/op_signature.h"
#include "toolchain/toolchain.h"

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
    const Json& entry = json["known"][i];
    for (const char* key : {"signature", "reason"}) {
      if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string() ||
          entry[key].get_ref<const std::string&>().empty()) {
        return absl::InvalidArgumentError(absl::StrCat("known[", i, "]: a text \"", key, "\" is needed"));
      }
    }
    if (entry.contains("cause") && !entry["cause"].is_string()) {
      return absl::InvalidArgumentError(absl::StrCat("known[", i, "]: \"cause\" must be a text"));
    }
    const auto signature = entry["signature"].get<std::string>();
    Entry& read = result.entries_.emplace_back();
    read = {signature, entry.value("cause", signature), entry["reason"].get<std::string>(), {}};
    if (!entry.contains("versions")) continue;
    const Json& versions = entry["versions"];
    if (!versions.is_array() || versions.empty() || !absl::c_all_of(versions, SaysVersion)) {
      return absl::InvalidArgumentError(
          absl::StrCat("known[", i, "]: \"versions\" must be a list of texts such as \"22.1\" or \"22+\""));
    }
    read.versions = versions.get<std::vector<std::string>>();
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

bool MayShow(const KnownDivergences::Entry& entry, absl::string_view op, absl::string_view types,
             absl::string_view route) {
  // What stands at the place of an op, of element types and of a route, if it names one.
  for (const absl::string_view part : absl::StrSplit(entry.signature, '/')) {
    if (part == kProbeOp) return false;  // the trait alone: no campaign asks
    if ((FindOp(part) || part == kSeveralOps) && part != op) return false;
    if ((FindRoute(part) != nullptr || part == kCustomRoute) && part != route) return false;
    const std::pair<absl::string_view, absl::string_view> in_and_out = absl::StrSplit(part, absl::MaxSplits('-', 1));
    const bool is_types =
        FindElementType(in_and_out.first) && (in_and_out.second.empty() || FindElementType(in_and_out.second));
    if (is_types && part != types) return false;
  }
  return true;
}

const KnownDivergences::Entry* KnownDivergences::Find(absl::string_view signature) const {
  for (const Entry& entry : entries_) {
    // A signature copied from a report matches itself, whatever its diagnostic holds: "[", "?".
    if (entry.signature == signature) return &entry;
    if (fnmatch(entry.signature.c_str(), std::string(signature).c_str(), 0) == 0) return &entry;
  }
  return nullptr;
}

}  // namespace tosaic
