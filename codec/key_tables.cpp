// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/key_tables.h"

#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace tosaic {
namespace {

std::string Text(const Json& json, const char* key) { return json.contains(key) ? json[key].get<std::string>() : ""; }

std::string Code(const Json& value) {
  return absl::StrCat("`", value.is_string() ? value.get<std::string>() : Dump(value, -1), "`");
}

// The name of the type that "#/$defs/finding" refers to.
std::string Referenced(const Json& schema) {
  const std::string reference = Text(schema, "$ref");
  return reference.substr(reference.rfind('/') + 1);
}

// Describes a value in a few words: "list of [finding](#finding)", "`new`, `known`".
std::string Words(const Json& schema);

std::string ObjectWords(const Json& schema) {
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    return absl::StrCat("by name: ", Words(schema["additionalProperties"]));
  }
  std::vector<std::string> keys;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, value] : properties.items()) {
    const std::string description = Text(value, "description");
    keys.push_back(absl::StrCat("`", key, "`", description.empty() ? "" : absl::StrCat(" (", description, ")")));
  }
  return absl::StrJoin(keys, ", ");
}

std::string Words(const Json& schema) {
  if (schema.contains("$ref")) return absl::StrCat("[", Referenced(schema), "](#", Referenced(schema), ")");
  if (schema.contains("const")) return Code(schema["const"]);
  if (schema.contains("enum")) {
    constexpr size_t kMost = 40;  // the labels of rules are listed in docs/rules.md
    if (schema["enum"].size() > kMost) return absl::StrCat("one of ", schema["enum"].size(), " texts in the schema");
    return absl::StrJoin(schema["enum"], ", ", [](std::string* out, const Json& entry) { out->append(Code(entry)); });
  }
  if (schema.contains("anyOf")) return absl::StrCat(Words(schema["anyOf"][0]), " or null");
  if (!schema.contains("type")) return "";
  if (schema["type"].is_array()) {
    Json alone = schema;
    alone["type"] = schema["type"][0];
    return absl::StrCat(Words(alone), " or null");
  }
  const std::string type = Text(schema, "type");
  if (type == "array") return absl::StrCat("list of ", schema.contains("items") ? Words(schema["items"]) : "pairs");
  if (type == "object") return ObjectWords(schema);
  return type == "string" ? "text" : type == "boolean" ? "true or false" : type;
}

std::string Table(const Json& object) {
  std::string table = "| key | value | |\n|---|---|---|\n";
  const Json required = object.value("required", Json::array());
  for (const auto& [key, value] : object["properties"].items()) {
    const bool optional = !absl::c_linear_search(required, Json(key));
    const std::string cell = absl::StrReplaceAll(Words(value), {{"|", "\\|"}});
    absl::StrAppend(&table, "| `", key, "` | ", cell, " | ", Text(value, "description"),
                    optional ? (value.contains("description") ? ". Optional" : "optional") : "", " |\n");
  }
  return table;
}

std::string TypeText(const std::string& name, const Json& definition) {
  return absl::StrCat("\n### ", name, "\n\n",
                      definition.contains("properties") ? Table(definition) : absl::StrCat(Words(definition), "\n"));
}

}  // namespace

std::string KeyTables(const std::vector<TitledSchema>& formats) {
  std::string tables;
  std::set<std::string> shown;
  for (const auto& [title, schema] : formats) {
    absl::StrAppend(&tables, "\n## ", title, "\n\n", schema.contains("$ref") ? Words(schema) + "\n" : Table(schema));
    const Json definitions = schema.value("$defs", Json::object());
    for (const auto& [name, definition] : definitions.items()) {
      if (shown.insert(name).second) absl::StrAppend(&tables, TypeText(name, definition));
    }
  }
  return tables;
}

}  // namespace tosaic
