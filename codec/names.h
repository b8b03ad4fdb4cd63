// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of enumerators. An enum whose enumerators count up from 0 declares a table of their names in that order. The
// table is used to write, read, list and find its values:
//   EnumNames NamesOf(Stage);  // beside the enum
//   EnumNames NamesOf(Stage) { return NamesFor<Stage>(kNames, "a stage"); }  // in the source
#ifndef TOSAIC_CODEC_NAMES_H_
#define TOSAIC_CODEC_NAMES_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

struct EnumNames {
  absl::Span<const absl::string_view> names;
  absl::string_view noun;  // with its article: "a stage"
};

namespace names_internal {

// The compiler spells a value without an enumerator as a cast, "(tosaic::Stage)7".
template <auto kValue>
consteval bool IsEnumerator() {
  constexpr std::string_view text = __PRETTY_FUNCTION__, before = "kValue = ";
  return text[text.find(before) + before.size()] != '(';
}

template <typename E, size_t kCount = 0>
consteval size_t EnumeratorCount() {
  if constexpr (IsEnumerator<static_cast<E>(kCount)>()) {
    return EnumeratorCount<E, kCount + 1>();
  } else {
    return kCount;
  }
}

}  // namespace names_internal

// The names of E's enumerators, as many as the compiler counts, in an array that outlives the program.
template <typename E, size_t kCount>
EnumNames NamesFor(const absl::string_view (&names)[kCount], absl::string_view noun) {
  static_assert(kCount == names_internal::EnumeratorCount<E>(), "each enumerator has a name");
  return {names, noun};
}
template <typename E, size_t kCount>
EnumNames NamesFor(const std::array<absl::string_view, kCount>& names, absl::string_view noun) {
  static_assert(kCount == names_internal::EnumeratorCount<E>(), "each enumerator has a name");
  return {names, noun};
}

// The entry of a value in an array that has one for each enumerator of E, in their order.
template <typename E, typename T, size_t kCount>
constexpr const T& EntryFor(E value, const T (&entries)[kCount]) {
  static_assert(kCount == names_internal::EnumeratorCount<E>(), "each enumerator has an entry");
  return entries[static_cast<size_t>(value)];
}

template <typename E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  { NamesOf(e) } -> std::same_as<EnumNames>;
};

template <NamedEnum E>
absl::string_view Name(E value) {
  return NamesOf(value).names[static_cast<size_t>(value)];
}

template <NamedEnum E>
std::vector<E> All() {
  std::vector<E> all;
  for (size_t i = 0; i < NamesOf(E{}).names.size(); ++i) all.push_back(static_cast<E>(i));
  return all;
}

template <NamedEnum E>
std::optional<E> Find(absl::string_view name) {
  for (E value : All<E>()) {
    if (Name(value) == name) return value;
  }
  return std::nullopt;
}

}  // namespace tosaic

#endif  // TOSAIC_CODEC_NAMES_H_
