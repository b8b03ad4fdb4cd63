// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The templates of codec/visitor.h, which includes this file: they choose the form of each type.
#ifndef TOSAIC_CODEC_VISITOR_INL_H_
#define TOSAIC_CODEC_VISITOR_INL_H_

#include "codec/visitor.h"

namespace tosaic {
namespace codec_internal {

template <typename T>
concept HasFields = requires(Visitor& v, T& x) { Fields(v, x); };
template <typename T>
concept HasText = requires(absl::string_view text, T& x) {
  { ToString(x) } -> std::convertible_to<std::string>;
  { ReadText(text, x) } -> std::same_as<absl::Status>;
};
template <typename T>
concept HasCustomForm = requires(Visitor& v, T& x) { Visit(v, x); };
template <typename T>
concept IsMap = requires { typename T::mapped_type; };
template <typename T>
concept IsSet = requires { typename T::key_type; };
template <typename T>
concept IsOptional = requires(T x) {
  x.has_value();
  x.emplace();
};
template <typename T>
concept IsPair = requires(T x) {
  x.first;
  x.second;
};

template <typename T>
bool IsEmpty(const T& value) {
  if constexpr (IsOptional<T>) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T();
  }
}

}  // namespace codec_internal

template <typename T>
void Visitor::Optional(absl::string_view key, T&& value, absl::string_view description) {
  using Plain = std::remove_cvref_t<T>;
  if (!Enter(key, Presence::kOptional, !codec_internal::IsEmpty<Plain>(value), description)) return;
  if constexpr (codec_internal::IsOptional<Plain>) {
    if (!value) value.emplace();
    Value(*value);
  } else {
    Value(value);
  }
  Leave();
}

template <typename T>
void Visitor::Value(T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    Bool(value);
  } else if constexpr (std::is_integral_v<T>) {
    Integer(value);
  } else if constexpr (std::is_same_v<T, double>) {
    Number(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    String(value);
  } else if constexpr (std::is_same_v<T, Json>) {
    Any(value);
  } else if constexpr (std::is_same_v<T, OrInfinity>) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Null(value.value == kInfinity) ? void(value.value = kInfinity) : Number(value.value);
  } else if constexpr (NamedEnum<T>) {
    size_t index = static_cast<size_t>(value);
    Choice(NamesOf(value), index);
    value = static_cast<T>(index);
  } else if constexpr (requires { typename T::ElementForm; }) {
    FormedElements(value);
  } else if constexpr (codec_internal::HasCustomForm<T>) {
    Visit(*this, value);
  } else if constexpr (codec_internal::HasText<T>) {
    Text([&] { return std::string(ToString(value)); }, [&](absl::string_view text) { return ReadText(text, value); });
  } else if constexpr (codec_internal::HasFields<T>) {
    Object([&](Visitor& v) { Fields(v, value); });
  } else if constexpr (codec_internal::IsOptional<T>) {
    if (Null(!value.has_value())) return;
    if (!value) value.emplace();
    Value(*value);
  } else if constexpr (codec_internal::IsMap<T>) {
    Entries(value);
  } else if constexpr (codec_internal::IsPair<T>) {
    if (List(2) != 2 && IsReading()) return Fail("a pair is needed here");
    Element(0), Value(value.first), Leave();
    Element(1), Value(value.second), Leave();
  } else {
    Sequence(value);
  }
}

template <typename T>
void Visitor::Integer(T& value) {
  std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t> wide = value;
  if constexpr (std::is_signed_v<T>) {
    Signed(wide);
  } else {
    Unsigned(wide);
  }
  if (!std::in_range<T>(wide)) return Fail("the number is too large");
  value = static_cast<T>(wide);
}

template <typename T>
void Visitor::FormedElements(T& value) {
  const size_t size = List(value.list.size());
  if (!IsWriting()) value.list.clear(), value.list.resize(size);
  for (size_t i = 0; i < value.list.size(); ++i) {
    typename T::ElementForm form{value.list[i]};
    Element(i), Value(form), Leave();
  }
}

template <typename T>
void Visitor::Sequence(T& value) {
  const size_t size = List(value.size());
  if constexpr (!codec_internal::IsSet<T>) {
    if (!IsWriting()) value.clear(), value.resize(size);
    for (size_t i = 0; i < value.size(); ++i) Element(i), Value(value[i]), Leave();
  } else if (IsWriting()) {
    size_t i = 0;
    for (typename T::value_type element : value) Element(i++), Value(element), Leave();
  } else {
    value.clear();
    for (size_t i = 0; i < size; ++i) {
      typename T::value_type element{};
      Element(i), Value(element), Leave();
      value.insert(std::move(element));
    }
  }
}

template <typename T>
void Visitor::Entries(T& value) {
  using Key = T::key_type;
  const auto visit = [&](absl::string_view key, T::mapped_type& mapped) {
    Entry(key);
    Value(mapped);
    Leave();
  };
  std::vector<std::string> keys;
  if constexpr (std::is_enum_v<Key>) {
    const EnumNames names = NamesOf(Key{});
    for (const auto& [key, mapped] : value) keys.emplace_back(Name(key));
    if (!IsWriting()) value.clear();
    // Later versions may add names: an unknown name is skipped.
    for (const std::string& key : Map(std::move(keys), &names)) {
      if (const std::optional<Key> found = Find<Key>(key)) visit(key, value[*found]);
    }
  } else {
    for (const auto& [key, mapped] : value) keys.emplace_back(key);
    if (!IsWriting()) value.clear();
    for (const std::string& key : Map(std::move(keys), nullptr)) visit(key, value[key]);
  }
}

}  // namespace tosaic

#endif  // TOSAIC_CODEC_VISITOR_INL_H_
