// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutants/broken_lowering.h"

#include <dlfcn.h>

#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/status.h"
#include "model/json.h"
#include "model/pass_pipeline.h"
#include "toolchain/toolchain.h"
#include "workers/map.h"

namespace tosaic {

namespace {

// Reads the texts of an entry. `ops`: names separated by commas.
absl::Status ReadTexts(const Json& entry, BrokenLowering* broken, std::string* ops) {
  for (const auto& [key, field] : {std::pair<const char*, std::string*>{"name", &broken->name},
                                   {"ops", ops},
                                   {"breaks", &broken->breaks},
                                   {"route", &broken->route},
                                   {"after", &broken->after},
                                   {"pass", &broken->pass}}) {
    if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string() ||
        (field != ops && field != &broken->after && entry[key].get_ref<const std::string&>().empty())) {
      return absl::InvalidArgumentError(absl::StrCat("a text \"", key, "\" is needed"));
    }
    *field = entry[key].get<std::string>();
  }
  if (!entry.contains("strict_values")) return absl::OkStatus();
  if (!entry["strict_values"].is_boolean()) {
    return absl::InvalidArgumentError("\"strict_values\" must be true or false");
  }
  broken->strict_values = entry["strict_values"].get<bool>();
  return absl::OkStatus();
}

// Finds the ops and the route that an entry names, and checks that its pass can be put in.
absl::Status Resolve(absl::string_view ops, BrokenLowering* broken) {
  for (const absl::string_view name : absl::StrSplit(ops, ',', absl::SkipEmpty())) {
    const std::optional<OpKind> op = FindOp(name);
    if (!op) return absl::InvalidArgumentError(absl::StrCat("'", name, "' is no op"));
    broken->ops.push_back(*op);
  }
  return BrokenPipeline(*broken).status();
}

}  // namespace

std::string PlaceInWords(const BrokenLowering& broken) {
  if (broken.after.empty()) return absl::StrCat("before the first pass of the route ", broken.route);
  return absl::StrCat("behind ", broken.after, " on the route ", broken.route);
}

absl::StatusOr<std::string> BrokenPipeline(const BrokenLowering& broken) {
  const Route* route = FindRoute(broken.route);
  if (route == nullptr) return absl::InvalidArgumentError(absl::StrCat("'", broken.route, "' is no route"));
  if (!broken.after.empty()) return InsertPass(route->pipeline, PassPlace::kAfter, broken.after, broken.pass);
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(route->pipeline));
  if (passes.empty()) return absl::InvalidArgumentError(absl::StrCat("the route '", broken.route, "' has no pass"));
  return InsertPass(route->pipeline, PassPlace::kBefore, passes.front().name, broken.pass);
}

absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsFromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  if (!json.is_array() || json.empty()) {
    return absl::InvalidArgumentError("the list of broken lowerings must be an array, and not empty");
  }
  std::vector<BrokenLowering> list;
  std::set<std::string> names;
  for (size_t i = 0; i < json.size(); ++i) {
    BrokenLowering& broken = list.emplace_back();
    std::string ops;
    TOSAIC_RETURN_IF_ERROR(At(absl::StrCat("broken lowering [", i, "]"), ReadTexts(json[i], &broken, &ops)));
    const std::string place = absl::StrCat("broken lowering '", broken.name, "'");
    TOSAIC_RETURN_IF_ERROR(At(place, Resolve(ops, &broken)));
    if (!names.insert(broken.name).second) return At(place, absl::InvalidArgumentError("the name stands twice"));
  }
  return list;
}

absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsOf(const std::string& plugin) {
  const std::string place = absl::StrCat("the pass plugin ", plugin);
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(plugin, ignored).string();
  const auto tried = InFreshProcess<bool>({}, [&] { return dlopen(path.c_str(), RTLD_LAZY) != nullptr; });
  if (tried.ok() && tried->death) {  // it is cut short
    return At(place, absl::InvalidArgumentError("does not load: that ends the process"));
  }
  void* library = dlopen(path.c_str(), RTLD_LAZY);
  void* function = library == nullptr ? nullptr : dlsym(library, kBrokenLoweringsFunction);
  if (function == nullptr) {
    return At(place, absl::InvalidArgumentError(absl::StrCat("it has no function ", kBrokenLoweringsFunction)));
  }
  const char* text = reinterpret_cast<const char* (*)()>(function)();
  return At(place, BrokenLoweringsFromText(text == nullptr ? "" : text));
}

}  // namespace tosaic
