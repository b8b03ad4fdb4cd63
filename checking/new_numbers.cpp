// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/new_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "model/element_type.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

// Of "f32 ..." and of "vector<4xf32> ...".
std::optional<ElementType> ElementTypeAt(absl::string_view text) {
  absl::string_view type = text.substr(0, text.find_first_of(" )\n"));
  if (absl::ConsumeSuffix(&type, ">")) type.remove_prefix(std::min(type.size(), type.find_last_of("x<") + 1));
  return FindElementType(type);
}

// The number that the text of a constant begins with: "4096 : index", "(8.8e+01 : f32)", "dense<0x7F800000> : ...".
// MLIR writes the bits of a float that few decimals do not give.
std::optional<double> NumberAt(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "(")) absl::ConsumePrefix(&text, " ");
  absl::ConsumePrefix(&text, "dense<");
  const absl::string_view literal = text.substr(0, text.find_first_of(" >:),\n"));
  double number = 0;
  if (!absl::StartsWith(literal, "0x"))
    return absl::SimpleAtod(literal, &number) ? std::optional(number) : std::nullopt;
  uint64_t bits = 0;
  const size_t colon = text.find(" : ");
  if (colon == absl::string_view::npos || !absl::SimpleHexAtoi(literal, &bits)) return std::nullopt;
  const std::optional<ElementType> type = ElementTypeAt(text.substr(colon + 3));
  if (!type || !IsFloat(*type)) return std::nullopt;
  return ElementToDouble(*type, bits);
}

std::set<double> ConstantsIn(absl::string_view mlir) {
  constexpr absl::string_view kConstant = "constant";
  std::set<double> numbers;
  for (size_t at = mlir.find(kConstant); at != absl::string_view::npos; at = mlir.find(kConstant, at)) {
    at += kConstant.size();
    const std::optional<double> number = NumberAt(mlir.substr(at));
    if (number && std::isfinite(*number) && *number != 0 && std::abs(*number) != 1) numbers.insert(*number);
  }
  return numbers;
}

}  // namespace

std::vector<double> NumbersOnlyIn(absl::string_view mlir, absl::string_view other) {
  const std::set<double> all = ConstantsIn(mlir), without = ConstantsIn(other);
  std::vector<double> numbers;
  std::set_difference(all.begin(), all.end(), without.begin(), without.end(), std::back_inserter(numbers));
  return numbers;
}

}  // namespace tosaic
