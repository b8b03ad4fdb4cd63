// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a JSON schema from a list of fields.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

// An enum with more names than this is described once, under "$defs".
constexpr size_t kFewNames = 8;

class Describer : public Visitor {
 public:
  explicit Describer(Json* json) : at_(json) {}
  Json TakeDefinitions() { return std::move(definitions_); }

  void Type(absl::string_view name) override { type_ = std::string(name); }
  void Strict() override { (*at_)["additionalProperties"] = false; }

 protected:
  bool Enter(absl::string_view key, Presence presence, bool /*wanted*/, absl::string_view description) override {
    if (presence == Presence::kAlways || presence == Presence::kDerived) {
      (*at_)["required"].push_back(std::string(key));
    }
    Go(&(*at_)["properties"][std::string(key)], description);
    if (presence != Presence::kIgnored) return true;
    *at_ = Json::object();
    Leave();
    return false;
  }
  void Element(size_t index) override {
    if (index == 0) return Go(&(*at_)["items"], "");
    // Only the elements of a pair have schemas of their own.
    if (index == 1) (*at_)["prefixItems"].push_back((*at_)["items"]), at_->erase("items");
    (*at_)["prefixItems"].push_back(Json());
    Go(&(*at_)["prefixItems"].back(), "");
  }
  void Entry(absl::string_view /*key*/) override { Go(&(*at_)["additionalProperties"], ""); }
  void Leave() override {
    if (at_->is_null()) *at_ = Json::object();  // any value
    if (nullable_) AllowNull();
    nullable_ = false;
    if (!above_.back().description.empty()) (*at_)["description"] = above_.back().description;
    at_ = above_.back().json;
    above_.pop_back();
  }

  void Object(absl::FunctionRef<void(Visitor&)> fields) override {
    Json object{{"type", "object"}, {"required", Json::array()}};
    Json* const place = std::exchange(at_, &object);
    std::string outer = std::exchange(type_, "");
    const bool nullable = std::exchange(nullable_, false);
    fields(*this);
    at_ = place;
    nullable_ = nullable;
    Put(std::exchange(type_, std::move(outer)), std::move(object));
  }
  size_t List(size_t /*size*/) override {
    *at_ = Json{{"type", "array"}};
    return 1;
  }
  std::vector<std::string> Map(std::vector<std::string> /*keys*/, const EnumNames* names) override {
    *at_ = Json{{"type", "object"}};
    if (names == nullptr) return {"key"};
    (*at_)["propertyNames"] = Json();
    Json* const place = std::exchange(at_, &(*at_)["propertyNames"]);
    size_t first = 0;
    Choice(*names, first);
    at_ = place;
    return {std::string(names->names.front())};
  }
  bool Null(bool /*is_null*/) override {
    nullable_ = true;
    return false;
  }

  void Bool(bool&) override { *at_ = Json{{"type", "boolean"}}; }
  void Signed(int64_t&) override { *at_ = Json{{"type", "integer"}}; }
  void Unsigned(uint64_t&) override { *at_ = Json{{"type", "integer"}, {"minimum", 0}}; }
  void Number(double&) override { *at_ = Json{{"type", "number"}}; }
  void String(std::string&) override { *at_ = Json{{"type", "string"}}; }
  void Any(Json&) override { *at_ = Json::object(); }
  void Only(const Json& value) override { *at_ = Json{{"const", value}}; }
  void Choice(const EnumNames& names, size_t& /*index*/) override {
    Json choice{{"enum", Json::array()}};
    for (absl::string_view name : names.names) choice["enum"].push_back(std::string(name));
    // "an element type (for instance f32)": element-type.
    const size_t article = names.noun.find(' ') + 1;
    const std::string noun(names.noun.substr(article, names.noun.find(" (") - article));
    Put(names.names.size() > kFewNames ? absl::StrReplaceAll(noun, {{" ", "-"}}) : "", std::move(choice));
  }
  void Text(absl::FunctionRef<std::string()>, absl::FunctionRef<absl::Status(absl::string_view)>) override {
    *at_ = Json{{"type", "string"}};
  }
  void Custom(absl::FunctionRef<Json()>, absl::FunctionRef<void(const JsonReader&)>,
              absl::FunctionRef<Json()> schema) override {
    *at_ = schema();
  }

 private:
  struct Above {
    Json* json;
    std::string description;
  };

  void Go(Json* to, absl::string_view description) {
    above_.push_back({at_, std::string(description)});
    at_ = to;
  }
  // Puts a schema here. A schema that has a name goes under "$defs", with a reference here.
  void Put(const std::string& name, Json schema) {
    if (name.empty()) {
      *at_ = std::move(schema);
      return;
    }
    definitions_[name] = std::move(schema);
    *at_ = Json{{"$ref", absl::StrCat("#/$defs/", name)}};
  }
  void AllowNull() {
    if (at_->contains("type")) {
      (*at_)["type"] = Json::array({(*at_)["type"], "null"});
    } else {
      *at_ = Json{{"anyOf", {*at_, Json{{"type", "null"}}}}};
    }
  }

  Json* at_;
  std::vector<Above> above_;
  std::string type_;
  bool nullable_ = false;
  Json definitions_ = Json::object();
};

}  // namespace

Json codec_internal::Describe(absl::FunctionRef<void(Visitor&)> visit) {
  Json schema;
  Describer describer(&schema);
  visit(describer);
  if (Json definitions = describer.TakeDefinitions(); !definitions.empty()) schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace tosaic
