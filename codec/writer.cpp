// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JSON by a list of fields.
#include "codec/codec.h"

namespace tosaic {
namespace {

class Writer : public Visitor {
 public:
  explicit Writer(Json* json) : at_(json) {}
  bool IsWriting() const override { return true; }

 protected:
  bool Enter(absl::string_view key, Presence presence, bool wanted, absl::string_view /*description*/) override {
    if (!wanted || presence == Presence::kIgnored) return false;
    Go(&(*at_)[std::string(key)]);
    return true;
  }
  void Element(size_t /*index*/) override {
    at_->push_back(Json());
    Go(&at_->back());
  }
  // Adds a map's entry without searching for the key, because the keys of a map differ anyway.
  void Entry(absl::string_view key) override {
    Json::object_t& object = at_->get_ref<Json::object_t&>();
    object.emplace_back(std::string(key), nullptr);
    Go(&object.back().second);
  }
  void Leave() override {
    at_ = above_.back();
    above_.pop_back();
  }

  void Object(absl::FunctionRef<void(Visitor&)> fields) override {
    *at_ = Json::object();
    constexpr size_t kMostKeys = 24;  // nearly all objects have fewer; an object that grows copies all its keys
    at_->get_ref<Json::object_t&>().reserve(kMostKeys);
    fields(*this);
  }
  size_t List(size_t size) override {
    *at_ = Json::array();
    return size;
  }
  std::vector<std::string> Map(std::vector<std::string> keys, const EnumNames* /*names*/) override {
    *at_ = Json::object();
    return keys;
  }
  bool Null(bool is_null) override { return is_null; }

  void Bool(bool& value) override { *at_ = value; }
  void Signed(int64_t& value) override { *at_ = value; }
  void Unsigned(uint64_t& value) override { *at_ = value; }
  void Number(double& value) override { *at_ = value; }
  void String(std::string& value) override { *at_ = value; }
  void Any(Json& value) override { *at_ = value; }
  void Only(const Json& value) override { *at_ = value; }
  void Choice(const EnumNames& names, size_t& index) override { *at_ = std::string(names.names[index]); }
  void Text(absl::FunctionRef<std::string()> write, absl::FunctionRef<absl::Status(absl::string_view)>) override {
    *at_ = write();
  }
  void Custom(absl::FunctionRef<Json()> write, absl::FunctionRef<void(const JsonReader&)>,
              absl::FunctionRef<Json()>) override {
    *at_ = write();
  }

 private:
  void Go(Json* to) {
    above_.push_back(at_);
    at_ = to;
  }

  Json* at_;
  std::vector<Json*> above_;  // the pointers stay valid, because only the innermost value grows
};

}  // namespace

Json codec_internal::Write(absl::FunctionRef<void(Visitor&)> visit) {
  Json json;
  Writer writer(&json);
  visit(writer);
  return json;
}

}  // namespace tosaic
