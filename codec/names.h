// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of enumerators. An enum whose enumerators count up from 0 declares a table of their names in that order. The
// table is used to write, read, list and find its values:
//   EnumNames NamesOf(Stage);  // beside the enum
#ifndef TOSAIC_CODEC_NAMES_H_
#define TOSAIC_CODEC_NAMES_H_

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

struct EnumNames {
  absl::Span<const absl::string_view> names;
  absl::string_view what;  // what one of them is, with its article: "a stage"
};

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
