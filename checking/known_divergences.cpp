// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/known_divergences.h"

#include <memory>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "checking/files.h"
#include "checking/known_names.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/cpus.h"
#include "model/json.h"
#include "model/pass_pipeline.h"
#include "model/pass_sequence.h"

namespace tosaic {
namespace {

constexpr absl::string_view kOwnCpu = "host";

// The op, the element types and the route that a pattern for a whole text names at their places.
SignaturePattern PartsNamedIn(absl::string_view text) {
  SignaturePattern parts;
  for (const absl::string_view part : absl::StrSplit(text, '/')) {
    if (IsSignedOp(part)) parts.op = std::string(part);
    if (FindTypePair(part)) parts.types = std::string(part);
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
  const Route* route = FindRoute(found.route);
  if (route != nullptr && route->approximates && found.verdict == Verdict::kWrongValue) {
    names.push_back(found);
    names.back().detail.clear();
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

// The signatures that an entry is about: a pattern for the whole text, or one for each part.
struct About {
  KnownDivergences::Entry& entry;
};

void Visit(Visitor& v, About& about) {
  KnownDivergences::Entry& entry = about.entry;
  const auto read = [&](const JsonReader& json) {
    if (json.json().is_object() && json.json().empty()) {
      return json.Fail("it names no part, so that it would match everything; \"*\" says that");
    }
    if (!json.json().is_object()) {
      entry.signature = json.String();
      if (entry.signature.empty()) json.Fail("a text or an object is needed here");
      entry.parts = PartsNamedIn(entry.signature);
      if (const std::string none = NoNameIn(entry.signature); !none.empty()) json.Fail(none);
      return;
    }
    absl::StatusOr<SignaturePattern> parts = FromJson<SignaturePattern>(json.json());
    if (!parts.ok()) return json.Fail(absl::StripPrefix(parts.status().message(), "case: "));
    if (const std::string none = NoNameIn(*parts); !none.empty()) return json.Fail(none);
    entry.signature = ToString(*parts);
    entry.has_parts = true;
    entry.parts = *std::move(parts);
  };
  const auto write = [&] { return entry.has_parts ? ToJson(entry.parts) : Json(entry.signature); };
  v.Custom(write, read, [] { return Json::object(); });
}

std::set<std::string> PassesOf(absl::string_view pipeline) {
  const std::vector<std::string> names = PassesIn(pipeline);
  return {names.begin(), names.end()};
}

// The route that the case names, and the one that it edits. Of a sequence, also those that have none but its passes:
// what is known of them is known of it.
std::vector<absl::string_view> RoutesWithin(const Case& test_case, const ToolchainDescription& toolchain) {
  std::vector<absl::string_view> within = {RouteName(test_case.route)};
  if (within.front() == kCustomRoute && !toolchain.custom_like.empty()) within.push_back(toolchain.custom_like);
  if (within.back() != kSequenceRoute) return within;
  const std::set<std::string> own = PassesOf(toolchain.PipelineOf(test_case.route));
  for (const Route* route : toolchain.routes) {
    const std::set<std::string> passes = PassesOf(route->pipeline);
    if (absl::c_includes(own, passes)) within.push_back(route->name);
  }
  return within;
}

// A list that has something in it where it is there: an empty one could mean nothing as well as anything.
template <typename T>
struct NotEmpty {
  std::vector<T>& list;
  bool empty() const { return list.empty(); }
};

template <typename T>
void Visit(Visitor& v, NotEmpty<T>& form) {
  v.Value(form.list);
  if (v.IsReading() && form.list.empty()) v.Fail("at least one is needed here");
}

}  // namespace

void Fields(Visitor& v, KnownDivergences::Entry& entry) {
  v.Type("known-divergence");
  v.Strict();
  v("signature", About{entry},
    "a shell pattern for the whole signature, or an object with a pattern for each part that matters: `verdict`, `op`, "
    "`types`, "
    "`route`, `rule`, `strictness`, `detail`");
  v("reason", entry.reason, "why it is known");
  std::string cause = entry.cause == entry.signature ? "" : entry.cause;
  v.Optional("cause", cause, "entries with the same cause are one mistake of MLIR; by default the signature");
  v.Optional("versions", NotEmpty{entry.versions},
             "the versions of MLIR that the entry is about: `22`, `22.1`, `22+` (all from 22 on), `22-23`, `trunk` "
             "(not released "
             "yet); without: any");
  v.Optional("cpus", NotEmpty{entry.cpus},
             "the CPUs that the entry is about, as `--cpu` names them, and `host` for the machine's own; without: any");
  v.Optional("ops", NotEmpty{entry.ops}, "shell patterns, one of which must match one of the case's ops: `add(*, 0)`");
  v.Optional("types", NotEmpty{entry.types},
             "shell patterns, one of which must match the element types of one of the case's ops: `i48-*`");
  v.Optional("shapes", NotEmpty{entry.shapes},
             "shell patterns, one of which must match the class of shapes of one of the case's ops: `unranked`, "
             "`static-*`");
  v.Optional("passes", NotEmpty{entry.passes}, "shell patterns, one of which must match a pass that may be to blame");
  v.Optional("cases", NotEmpty{entry.cases}, "files that show it");
  v.Optional("since", entry.since,
             "the version in which it was seen first; this key and the following ones are for people");
  v.Optional("link", entry.link, "where it was reported, or the change that fixes it");
  if (v.IsReading() && entry.reason.empty()) v.Fail("it says nothing", "reason");
  if (v.IsReading()) {
    for (const std::string& pattern : entry.ops) {
      if (const std::string none = NoOpIn(pattern); !none.empty()) v.Fail(none, "ops");
    }
    for (const std::string& pattern : entry.types) {
      if (const std::string none = NoElementTypesIn(pattern); !none.empty()) v.Fail(none, "types");
    }
    for (const std::string& pattern : entry.shapes) {
      if (const std::string none = NoShapesIn(pattern); !none.empty()) v.Fail(none, "shapes");
    }
  }
  for (const std::string& cpu : entry.cpus) {
    if (v.IsReading() && cpu != kOwnCpu && FindCpu(cpu) == nullptr) {
      v.Fail(absl::StrCat("no CPU is called '", cpu, "': ", kOwnCpu, ", ", absl::StrJoin(CpuNames(), ", ")), "cpus");
    }
  }
  if (v.IsReading()) entry.cause = cause.empty() ? entry.signature : cause;
}

void Fields(Visitor& v, KnownDivergences& known) { v("known", known.entries_); }

absl::StatusOr<KnownDivergences> KnownDivergences::FromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  if (!json.is_object() || !json.contains("known") || !json["known"].is_array()) {
    return absl::InvalidArgumentError("it must be an object with an array \"known\"");
  }
  return FromJson<KnownDivergences>(json);
}

absl::StatusOr<KnownDivergences> KnownDivergences::FromFile(const std::string& path) {
  return ReadAs<KnownDivergences>(path, FromText);
}

KnownDivergences KnownDivergences::For(absl::string_view version, absl::string_view cpu) const {
  std::vector<Entry> entries;
  for (const Entry& entry : entries_) {
    const bool is_of_version = entry.versions.empty() || absl::c_any_of(entry.versions, [&](const VersionRange& range) {
                                 return range.Contains(version);
                               });
    const bool is_of_cpu = entry.cpus.empty() || absl::c_linear_search(entry.cpus, cpu.empty() ? kOwnCpu : cpu);
    if (is_of_version && is_of_cpu) entries.push_back(entry);
  }
  return KnownDivergences(std::move(entries));
}

void KnownDivergences::NoteThoseOfMlir(const KnownDivergences& of_mlir) {
  std::set<absl::string_view> causes;
  for (const Entry& entry : of_mlir.entries_) causes.insert(entry.cause);
  KnownDivergences others(entries_);
  std::erase_if(others.entries_, [&](const Entry& entry) { return causes.contains(entry.cause); });
  others_ = std::make_shared<const KnownDivergences>(std::move(others));
}

bool KnownDivergences::Entry::Matches(const FindingSignature& found, const Circumstances& circumstances) const {
  if (!AreMet(ops, circumstances.ops) || !AreMet(types, circumstances.types) || !AreMet(shapes, circumstances.shapes) ||
      !AreMet(passes, circumstances.passes)) {
    return false;
  }
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
  const ToolchainDescription& description = toolchain.description();
  const Circumstances circumstances = CircumstancesOf(signature, *test_case, description.PipelineOf(test_case->route));
  for (const absl::string_view route : RoutesWithin(*test_case, description)) {
    FindingSignature name = signature;
    if (signature.route == RouteName(test_case->route)) name.route = std::string(route);
    if (const Entry* found = Find(name, circumstances)) return found;
  }
  return nullptr;
}

}  // namespace tosaic
