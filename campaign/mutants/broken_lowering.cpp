// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/mutants/broken_lowering.h"

#include <dlfcn.h>

#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/status.h"
#include "model/json.h"
#include "model/pass_pipeline.h"
#include "toolchain/toolchain.h"

namespace tosaic {

absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsFromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(Json json, ParseJson(text));
  if (!json.is_array() || json.empty()) {
    return absl::InvalidArgumentError("the list of broken lowerings must be an array, and not empty");
  }
  std::vector<BrokenLowering> list;
  std::set<std::string> names;
  for (size_t i = 0; i < json.size(); ++i) {
    const Json& entry = json[i];
    BrokenLowering one;
    std::string ops;
    for (const auto& [key, field] : {std::pair<const char*, std::string*>{"name", &one.name},
                                     {"ops", &ops},
                                     {"breaks", &one.breaks},
                                     {"route", &one.route},
                                     {"after", &one.after},
                                     {"pass", &one.pass}}) {
      if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string() ||
          (field != &ops && entry[key].get_ref<const std::string&>().empty())) {
        return absl::InvalidArgumentError(absl::StrCat("broken lowering [", i, "]: a text \"", key, "\" is needed"));
      }
      *field = entry[key].get<std::string>();
    }
    if (entry.contains("strict_values")) {
      if (!entry["strict_values"].is_boolean()) {
        return absl::InvalidArgumentError(
            absl::StrCat("broken lowering [", i, "]: \"strict_values\" must be true or false"));
      }
      one.strict_values = entry["strict_values"].get<bool>();
    }
    const auto wrong = [&](absl::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat("broken lowering '", one.name, "': ", why));
    };
    for (const absl::string_view name : absl::StrSplit(ops, ',', absl::SkipEmpty())) {
      const std::optional<OpKind> op = FindOp(name);
      if (!op) return wrong(absl::StrCat("'", name, "' is no op"));
      one.ops.push_back(*op);
    }
    if (!names.insert(one.name).second) return wrong("the name stands twice");
    const Route* route = FindRoute(one.route);
    if (route == nullptr) return wrong(absl::StrCat("'", one.route, "' is no route"));
    const absl::StatusOr<std::string> pipeline = InsertPass(route->pipeline, one.after, one.pass);
    if (!pipeline.ok()) return wrong(pipeline.status().message());
    list.push_back(std::move(one));
  }
  return list;
}

absl::StatusOr<std::vector<BrokenLowering>> BrokenLoweringsOf(const std::string& plugin) {
  const auto wrong = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("the pass plugin ", plugin, ": ", why));
  };
  std::error_code ignored;
  void* library = dlopen(std::filesystem::absolute(plugin, ignored).c_str(), RTLD_LAZY);
  void* function = library == nullptr ? nullptr : dlsym(library, kBrokenLoweringsFunction);
  if (function == nullptr) return wrong(absl::StrCat("it has no function ", kBrokenLoweringsFunction));
  const char* text = reinterpret_cast<const char* (*)()>(function)();
  absl::StatusOr<std::vector<BrokenLowering>> list = BrokenLoweringsFromText(text == nullptr ? "" : text);
  if (!list.ok()) return wrong(list.status().message());
  return list;
}

}  // namespace tosaic
