// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads JSON strictly by a list of fields. It keeps the first error with its place.
#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"

namespace tosaic {
namespace {

// Lists the keys of a type, without visiting their values.
class KeyList : public Visitor {
 public:
  bool is_strict = false;
  std::vector<absl::string_view> keys;

  void Strict() override { is_strict = true; }

 protected:
  bool Enter(absl::string_view key, Presence, bool, absl::string_view) override {
    keys.push_back(key);
    return false;
  }
  void Element(size_t) override {}
  void Entry(absl::string_view) override {}
  void Leave() override {}
  void Object(absl::FunctionRef<void(Visitor&)>) override {}
  size_t List(size_t) override { return 0; }
  std::vector<std::string> Map(std::vector<std::string>, const EnumNames*) override { return {}; }
  bool Null(bool) override { return false; }
  void Bool(bool&) override {}
  void Signed(int64_t&) override {}
  void Unsigned(uint64_t&) override {}
  void Number(double&) override {}
  void String(std::string&) override {}
  void Any(Json&) override {}
  void Only(const Json&) override {}
  void Choice(const EnumNames&, size_t&) override {}
  void Text(absl::FunctionRef<std::string()>, absl::FunctionRef<absl::Status(absl::string_view)>) override {}
  void Custom(absl::FunctionRef<Json()>, absl::FunctionRef<void(const JsonReader&)>,
              absl::FunctionRef<Json()>) override {}
};

class Reader : public Visitor {
 public:
  explicit Reader(const Json* json) : at_(json) {}
  const absl::Status& status() const { return status_; }

  bool IsReading() const override { return status_.ok(); }
  void Fail(absl::string_view message, absl::string_view place) override {
    if (!status_.ok()) return;
    std::string path = Path();
    if (!place.empty()) absl::StrAppend(&path, path.empty() || place[0] == '[' ? "" : ".", place);
    status_ = absl::InvalidArgumentError(absl::StrCat(path.empty() ? "case" : path, ": ", message));
  }
  void Check(const absl::Status& status) override {
    if (status.ok() || !status_.ok()) return;
    if (above_.empty()) {
      status_ = status;
    } else {
      Fail(status.message(), "");
    }
  }

 protected:
  bool Enter(absl::string_view key, Presence presence, bool /*wanted*/, absl::string_view /*description*/) override {
    const bool is_read =
        presence == Presence::kAlways || presence == Presence::kMayLack || presence == Presence::kOptional;
    if (!status_.ok() || !is_read) return false;
    const auto found = at_->find(key);
    if (found != at_->end()) {
      Go(&*found, {key, 0});
      return true;
    }
    if (presence == Presence::kAlways) Fail(absl::StrCat("the key \"", key, "\" is missing"), "");
    return false;
  }
  void Element(size_t index) override { Go(status_.ok() ? &(*at_)[index] : at_, {"", index}); }
  // Map() gives the keys in the order that they have here.
  void Entry(absl::string_view key) override {
    if (!status_.ok()) return Go(at_, {key, 0});
    const Json::object_t& object = at_->get_ref<const Json::object_t&>();
    size_t index = next_entry_;
    if (index >= object.size() || object.begin()[index].first != key) {
      index = static_cast<size_t>(absl::c_find_if(object, [&](const auto& member) { return member.first == key; }) -
                                  object.begin());
    }
    Go(&object.begin()[index].second, {key, index});
  }
  void Leave() override {
    next_entry_ = above_.back().step.index + 1;
    at_ = above_.back().json;
    above_.pop_back();
  }

  void Object(absl::FunctionRef<void(Visitor&)> fields) override {
    if (!Is(at_->is_object(), "an object is needed here")) return;
    KeyList known;
    fields(known);
    if (known.is_strict) AllowOnly(known.keys);
    fields(*this);
  }
  size_t List(size_t /*size*/) override { return Is(at_->is_array(), "an array is needed here") ? at_->size() : 0; }
  std::vector<std::string> Map(std::vector<std::string> keys, const EnumNames* /*names*/) override {
    keys.clear();
    next_entry_ = 0;
    if (!Is(at_->is_object(), "an object is needed here")) return keys;
    for (const auto& [key, value] : at_->items()) keys.push_back(key);
    return keys;
  }
  bool Null(bool /*is_null*/) override { return at_->is_null(); }

  void Bool(bool& value) override { Get(at_->is_boolean(), "true or false is needed here", &value); }
  void Signed(int64_t& value) override { Get(at_->is_number_integer(), "an integer is needed here", &value); }
  void Unsigned(uint64_t& value) override {
    Get(at_->is_number_unsigned() || (at_->is_number_integer() && at_->get<int64_t>() >= 0),
        "an integer of at least 0 is needed here", &value);
  }
  void Number(double& value) override { Get(at_->is_number(), "a number is needed here", &value); }
  void String(std::string& value) override { Get(at_->is_string(), "a string is needed here", &value); }
  void Any(Json& value) override { value = *at_; }
  void Only(const Json& value) override {
    Is(*at_ == value, status_.ok() ? absl::StrCat("only ", Dump(value, -1), " is possible here") : "");
  }
  void Choice(const EnumNames& names, size_t& index) override {
    std::string name;
    String(name);
    const auto found = absl::c_find(names.names, name);
    if (!Is(found != names.names.end(), absl::StrCat(Dump(Json(name), -1), " is not ", names.noun))) return;
    index = static_cast<size_t>(found - names.names.begin());
  }
  void Text(absl::FunctionRef<std::string()>, absl::FunctionRef<absl::Status(absl::string_view)> read) override {
    std::string text;
    String(text);
    if (!status_.ok()) return;
    if (const absl::Status status = read(text); !status.ok()) Fail(status.message(), "");
  }
  void Custom(absl::FunctionRef<Json()>, absl::FunctionRef<void(const JsonReader&)> read,
              absl::FunctionRef<Json()>) override {
    read(JsonReader(at_, Path(), &status_));
  }

 private:
  struct Step {
    absl::string_view key;  // empty: an element
    size_t index = 0;       // of a field of fixed name 0
  };
  struct Above {
    const Json* json;
    Step step;  // from this value to the next
  };

  void Go(const Json* to, Step step) {
    above_.push_back({at_, step});
    at_ = to;
  }
  bool Is(bool right, absl::string_view expected) {
    if (!right) Fail(expected, "");
    return status_.ok();
  }
  template <typename T>
  void Get(bool right, absl::string_view expected, T* value) {
    if (Is(right, expected)) *value = at_->get<T>();
  }
  void AllowOnly(const std::vector<absl::string_view>& keys) {
    for (const auto& [key, value] : at_->items()) {
      if (absl::c_linear_search(keys, key)) continue;
      Fail(absl::StrCat("the key ", Dump(Json(key), -1), " is none of ", absl::StrJoin(keys, ", ")), "");
    }
  }
  std::string Path() const {
    std::string path;
    for (const Above& above : above_) {
      if (above.step.key.empty()) {
        absl::StrAppend(&path, "[", above.step.index, "]");
      } else {
        absl::StrAppend(&path, path.empty() ? "" : ".", above.step.key);
      }
    }
    return path;
  }

  const Json* at_;
  std::vector<Above> above_;
  size_t next_entry_ = 0;  // of a map, after the last one
  absl::Status status_;
};

}  // namespace

absl::Status codec_internal::Read(const Json& json, absl::FunctionRef<void(Visitor&)> visit) {
  Reader reader(&json);
  visit(reader);
  return reader.status();
}

}  // namespace tosaic
