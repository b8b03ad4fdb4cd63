#include "campaign/known_divergences.h"

#include <fnmatch.h>

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "campaign/files.h"
#include "model/json.h"

namespace tosaic {

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
    result.entries_.push_back({signature, entry.value("cause", signature), entry["reason"].get<std::string>()});
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

const KnownDivergences::Entry* KnownDivergences::Find(absl::string_view signature) const {
  for (const Entry& entry : entries_) {
    // A signature copied from a report matches itself, whatever its diagnostic holds: "[", "?".
    if (entry.signature == signature) return &entry;
    if (fnmatch(entry.signature.c_str(), std::string(signature).c_str(), 0) == 0) return &entry;
  }
  return nullptr;
}

}  // namespace tosaic
