// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visitor: the interface for a type's list of fields. Beside the type stands
//
//   void Fields(Visitor& v, Harness& x) {
//     v("count", x.count, "cases that show it");
//     v.Optional("reason", x.reason);
//   }
//
// which argument-dependent lookup finds. codec/codec.h uses it to write, read and describe the type. A value may be a
// bool, number, string, Json, an enum with names (codec/names.h), a struct with fields, a type with a text form, and
// optionals (null), pairs, lists, sets and maps of these. A type has a text form if it has ToString(x) and
//   absl::Status ReadText(absl::string_view text, T& x);
// and any other form if it has
//   void Visit(Visitor& v, T& x);  // calls v.Custom()
#ifndef TOSAIC_CODEC_VISITOR_H_
#define TOSAIC_CODEC_VISITOR_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/json.h"
#include "codec/json_reader.h"
#include "codec/names.h"

namespace tosaic {

// A number that is written as null where it is infinite: v("distance", OrInfinity{x.distance}).
struct OrInfinity {
  double& value;
};

// A list whose elements are written in another form here than usual: v("findings", Each<FindingOfSuite>(x.findings)). A
// Form holds a reference to an element, and has fields.
template <typename Form, typename List>
struct ListAs {
  using ElementForm = Form;
  List& list;
};
template <typename Form, typename List>
ListAs<Form, List> Each(List& list) {
  return {list};
}

class Visitor {
 public:
  virtual ~Visitor() = default;

  // A key that is always there.
  template <typename T>
  void operator()(absl::string_view key, T&& value, absl::string_view description = "") {
    Field(key, Presence::kAlways, true, value, description);
  }
  // A key that is left out if the value is empty (false, 0, "", no element, no value).
  template <typename T>
  void Optional(absl::string_view key, T&& value, absl::string_view description = "");
  // A key that is always written, but need not be there when read.
  template <typename T>
  void MayLack(absl::string_view key, T&& value, absl::string_view description = "") {
    Field(key, Presence::kMayLack, true, value, description);
  }
  // A key whose value follows from the others: it is written for people and never read.
  template <typename T>
  void Derived(absl::string_view key, T value, absl::string_view description = "") {
    Field(key, Presence::kDerived, true, value, description);
  }
  // The same for a key that may be left out.
  template <typename T>
  void DerivedIf(bool there, absl::string_view key, T value, absl::string_view description = "") {
    Field(key, Presence::kDerivedIf, there, value, description);
  }
  // A key with one value, such as the version of a format.
  void Constant(absl::string_view key, const Json& value, absl::string_view description = "");
  // A key that other readers use: it is allowed and skipped.
  void Ignored(absl::string_view key, absl::string_view description = "") {
    Enter(key, Presence::kIgnored, false, description);
  }

  // Names the type in the schema.
  virtual void Type(absl::string_view /*name*/) {}
  // Refuses keys that the type does not have: a misspelt key would silently change what a file means.
  virtual void Strict() {}

  // Whether the fields are being read and no error has occurred. Lists of fields then check their invariants.
  virtual bool IsReading() const { return false; }
  virtual bool IsWriting() const { return false; }
  // Says what is wrong here, or below at `place` ("runs[0].data").
  virtual void Fail(absl::string_view /*message*/, absl::string_view /*place*/ = "") {}
  // The same with a status whose message names the place.
  virtual void Check(const absl::Status& /*status*/) {}
  template <typename T>
  void Take(absl::StatusOr<T> value, T* to, absl::string_view place = "") {
    value.ok() ? void(*to = *std::move(value)) : Fail(value.status().message(), place);
  }

  // A form that is neither an object nor a text.
  virtual void Custom(absl::FunctionRef<Json()> write, absl::FunctionRef<void(const JsonReader&)> read,
                      absl::FunctionRef<Json()> schema) = 0;

  // Any value at all.
  template <typename T>
  void Value(T& value);

 protected:
  enum class Presence : uint8_t { kAlways, kMayLack, kOptional, kDerived, kDerivedIf, kIgnored };
  // These go to a key, an element or a map's entry. Enter returns whether there is anything to do at the key.
  virtual bool Enter(absl::string_view key, Presence presence, bool wanted, absl::string_view description) = 0;
  virtual void Element(size_t index) = 0;
  virtual void Entry(absl::string_view key) = 0;
  virtual void Leave() = 0;

  virtual void Object(absl::FunctionRef<void(Visitor&)> fields) = 0;
  // Returns how many elements there are; the schema's visitor returns one.
  virtual size_t List(size_t size) = 0;
  // Returns the keys. `names`: the possible keys, if an enum names them.
  virtual std::vector<std::string> Map(std::vector<std::string> keys, const EnumNames* names) = 0;
  virtual bool Null(bool is_null) = 0;

  virtual void Bool(bool& value) = 0;
  virtual void Signed(int64_t& value) = 0;
  virtual void Unsigned(uint64_t& value) = 0;
  virtual void Number(double& value) = 0;
  virtual void String(std::string& value) = 0;
  virtual void Any(Json& value) = 0;
  virtual void Only(const Json& value) = 0;
  virtual void Choice(const EnumNames& names, size_t& index) = 0;
  virtual void Text(absl::FunctionRef<std::string()> write,
                    absl::FunctionRef<absl::Status(absl::string_view)> read) = 0;

 private:
  template <typename T>
  void Field(absl::string_view key, Presence presence, bool wanted, T& value, absl::string_view description) {
    if (!Enter(key, presence, wanted, description)) return;
    Value(value);
    Leave();
  }
  template <typename T>
  void Integer(T& value);
  template <typename T>
  void FormedElements(T& value);
  template <typename T>
  void Sequence(T& value);
  template <typename T>
  void Entries(T& value);
};

}  // namespace tosaic

#include "codec/visitor_inl.h"

#endif  // TOSAIC_CODEC_VISITOR_H_
